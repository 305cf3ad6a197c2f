r"""PPO: a policy gradient that stops pushing a token once its ratio leaves a band around one.

## Idea

Samples are dear, so each is used for several updates, and after the first the policy is no longer
the one that sampled. The ratio $r$ of the two corrects for that, but nothing keeps it small. PPO
takes the worse of the corrected term and one whose ratio is held in a band, so that a token which
has already moved far enough in the direction that its advantage asks for gets no further push,
while one that moved the wrong way is always pulled back. A critic supplies the baseline, and its
own step is held near its old prediction in the same spirit.

## Equation

$$
\mathcal L_\pi=-\operatorname{agg}_t\,\min\big(r_t\hat A_t,\
\operatorname{clip}(r_t,1-\epsilon_{low},1+\epsilon_{high})\hat A_t\big),
\qquad r_t=\frac{\pi_\theta(y_t)}{\pi_{old}(y_t)}
$$

With dual clip $c>1$ the term of a token with $\hat A_t<0$ is at least $c\hat A_t$.

$$
\mathcal L_V=\tfrac12\operatorname{agg}_t\max\big((V_t-R_t)^2,\
(V^{old}_t+\operatorname{clip}(V_t-V^{old}_t,-\epsilon_v,\epsilon_v)-R_t)^2\big),
\qquad \mathcal L=\mathcal L_\pi+c_v\mathcal L_V
$$

$$
\delta_t=r_t+\gamma V_{t+1}-V_t,\qquad \hat A_t=\delta_t+\gamma\lambda\hat A_{t+1},
\qquad R_t=\hat A_t+V_t
$$

Source: PPO, arXiv 1707.06347v2, Eq. 7 (clip), Eq. 9 (sum of both), Eqs. 11 and 12 (advantages)
Source: the clipped surrogate is restated as DeepSeekMath, arXiv 2402.03300v3, Eq. 1
Source: GAE, arXiv 1506.02438, Eq. 16 as a conversion numbers it; version not confirmed
Source: dual clip, arXiv 1912.09729, version and equation number not confirmed

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta$ | `log_prob` | `[B, T]` | the current policy on the sampled tokens |
| $\log\pi_{old}$ | `old_log_prob` | `[B, T]` | the policy that sampled; data |
| $\hat A$ | `advantages` | `[B, T]` | of each token; data |
| $V$ | `values` | `[B, T]` | the critic, before each token |
| $V^{old}$ | `old_values` | `[B, T]` | the critic when the tokens were sampled; data |
| $R$ | `returns` | `[B, T]` | what the critic should say; data |
| $m$ | `mask` | `[B, T]` | 1 on tokens of the response |
| $\epsilon_{low}$ | `clip_low` | number | how far below 1 a ratio may go |
| $\epsilon_{high}$ | `clip_high` | number | how far above 1 a ratio may go |
| $c$ | `dual_clip` | number or None | floor for negative advantages; None leaves it out |
| $\epsilon_v$ | `value_clip` | number or None | how far the critic may go; None leaves it out |
| $c_v$ | `value_coef` | number | weight of the critic's loss |
| $\operatorname{agg}$ | `aggregation` | function | how tokens become one number |
| $N$ | `denominator` | number | that of the whole batch, if this is one part of it |

## Choices

- **Aggregation.** The paper has one environment step a sample and no responses of unequal length.
  veRL and OpenRLHF default to `token_mean`; on the reference case, `sequence_mean_token_mean`
  turns a loss of -0.176 into -0.216. It must be named here.
- **Dual clip.** veRL has it on unless its constant is raised; it is not in the paper. It must be
  named here, None for none.
- **The half** in the value loss follows veRL; the paper prints the squared error without it, and so
  has slime, which doubles its weight.
- **Value clip.** It is not in the paper, which prints the plain squared error, but common in code.
  It must be named here, None for none.
- **Interior masks in GAE.** Observations between two actions are stepped over. OpenRLHF and slime
  let them act as time steps of value zero, which moves an advantage by up to 0.18 on the reference
  case. Advantages are not whitened inside; veRL whitens there, by the unbiased variance.
- **No entropy bonus**, though Eq. 9 has one: it needs the whole distribution and is no part of the
  clipped surrogate.

## Tested

Loss and gradient are those of veRL (four cases from log-probabilities, one from logits), GAE is
that of veRL and torchrl, and the value loss that of veRL. Worked by hand: a token in each of the
four quadrants of sign and side, the dual clip, and a value clip in which the larger error wins.
Laws: the gradient equals central differences; NaN under the mask is dead; parts add up with the
global denominator. Properties: at ratio one the gradient is that of REINFORCE; with an infinite
band it is the importance-weighted gradient; $\lambda=1$ gives return minus value; $\lambda=0$ gives
the one-step error; masked columns put in anywhere change no advantage.
"""

from __future__ import annotations

import torch
from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.advantages import gae
from evidence_matrix.objectives.aggregation import Aggregation, Denominator
from evidence_matrix.objectives.ratios import (
    clip_stats,
    clipped_surrogate,
    selected,
    share,
    token_ratio,
)

__all__ = ["gae", "ppo", "ppo_policy", "ppo_value"]

ORDER = 9


def ppo_policy(
    log_prob: Tensor,
    old_log_prob: Tensor,
    advantages: Tensor,
    mask: Tensor,
    *,
    clip_low: float,
    clip_high: float,
    dual_clip: float | None,
    aggregation: Aggregation,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The policy's loss, and detached `clip_fraction`, `floor_fraction` and `ratio_mean`."""
    keep = shapes.token_mask(
        mask, log_prob=log_prob, old_log_prob=old_log_prob, advantages=advantages
    )
    shapes.non_negative(clip_low=clip_low, clip_high=clip_high)
    scores = advantages.detach()
    ratio = token_ratio(log_prob, old_log_prob, keep)
    surrogate = clipped_surrogate(ratio, scores, clip_low=clip_low, clip_high=clip_high)
    floored = torch.zeros_like(keep)
    if dual_clip is not None:
        if not dual_clip > 1:
            raise ValueError(f"dual_clip is {dual_clip}; it must be more than 1, or None")
        floored = (scores < 0) & (ratio > dual_clip)
        surrogate = torch.where(floored, dual_clip * scores, surrogate)
    loss = -aggregation(surrogate, keep, denominator=denominator)
    stats = clip_stats(ratio, scores, keep, clip_low=clip_low, clip_high=clip_high)
    return loss, {**stats, "floor_fraction": share(floored, keep)}


def ppo_value(
    values: Tensor,
    old_values: Tensor,
    returns: Tensor,
    mask: Tensor,
    *,
    value_clip: float | None,
    aggregation: Aggregation,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The critic's loss, and detached `value_clip_fraction` and `value_error`, the mean bias."""
    keep = shapes.token_mask(mask, values=values, old_values=old_values, returns=returns)
    guess = selected(values, keep)
    anchor = selected(old_values.detach(), keep)
    target = selected(returns.detach(), keep)
    error = (guess - target) ** 2
    held = torch.zeros_like(keep)
    if value_clip is not None:
        shapes.non_negative(value_clip=value_clip)
        clipped = anchor + (guess - anchor).clamp(-value_clip, value_clip)
        clipped_error = (clipped - target) ** 2
        held = clipped_error > error
        error = torch.maximum(error, clipped_error)
    loss = 0.5 * aggregation(error, keep, denominator=denominator)
    return loss, {
        "value_clip_fraction": share(held, keep),
        "value_error": share(guess - target, keep),
    }


def ppo(
    log_prob: Tensor,
    old_log_prob: Tensor,
    advantages: Tensor,
    values: Tensor,
    old_values: Tensor,
    returns: Tensor,
    mask: Tensor,
    *,
    clip_low: float,
    clip_high: float,
    dual_clip: float | None,
    value_clip: float | None,
    value_coef: float,
    aggregation: Aggregation,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The weighted sum of both losses, their stats, and detached `policy_loss`, `value_loss`."""
    shapes.non_negative(value_coef=value_coef)
    policy_loss, policy_stats = ppo_policy(
        log_prob,
        old_log_prob,
        advantages,
        mask,
        clip_low=clip_low,
        clip_high=clip_high,
        dual_clip=dual_clip,
        aggregation=aggregation,
        denominator=denominator,
    )
    value_loss, value_stats = ppo_value(
        values,
        old_values,
        returns,
        mask,
        value_clip=value_clip,
        aggregation=aggregation,
        denominator=denominator,
    )
    return policy_loss + value_coef * value_loss, {
        **policy_stats,
        **value_stats,
        "policy_loss": policy_loss.detach(),
        "value_loss": value_loss.detach(),
    }
