r"""REINFORCE++: PPO's clip without a critic, its baseline the mean over all tokens of the batch.

## Idea

Between a critic and a group of responses to one prompt lies a third baseline: everything that was
sampled in this step. One response a prompt is then enough. The penalty towards the reference is
paid token by token as part of the reward, returns are summed backwards as usual, and the batch's
own mean and deviation turn them into advantages.

## Equation

$$
r_t=\mathbb 1[t=\text{last}]\,R-\beta\log\frac{\pi_{old}(y_t)}{\pi_{ref}(y_t)},\qquad
G_t=r_t+\gamma G_{t+1},\qquad
\hat A_t=\frac{G_t-\mu}{\sqrt{\sigma^2+\epsilon}}
$$

with $\mu,\sigma^2$ over all unmasked tokens of the batch, then the loss of PPO:

$$
\mathcal L=-\operatorname{agg}_t\,\min\big(\rho_t\hat A_t,\
\operatorname{clip}(\rho_t,1-\epsilon_{low},1+\epsilon_{high})\hat A_t\big)
$$

The variant with a group baseline takes $R_i-\bar R$ of the prompt's group, gives it to every token
of the response, and then standardizes over the batch in the same way.

Source: REINFORCE++, arXiv 2501.03262v9, Eqs. 4 and 5; with a group baseline Eqs. 6 and 7

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta$ | `log_prob` | `[B, T]` | the current policy on the sampled tokens |
| $\log\pi_{old}$ | `old_log_prob` | `[B, T]` | the policy that sampled; data |
| $\log\pi_{ref}$ | `ref_log_prob` | `[B, T]` | the reference policy; data |
| $\hat A$ | `advantages` | `[B, T]` | of each token; data |
| $r$ | `token_rewards` | `[B, T]` | reward of each token, penalty included |
| $R$ | `rewards` | `[B]` | one reward a response |
| $i\mapsto$ prompt | `group` | `[B]` | which prompt a response answers |
| $m$ | `mask` | `[B, T]` | 1 on tokens of the response |
| $\beta$ | `kl_coef` | number | weight of the penalty |
| $\gamma$ | `gamma` | number | discount |
| $\epsilon$ | `eps` | number | added to the variance |
| $\sigma^2$ | `correction` | 0 or 1 | taken from the count in the variance |
| $\epsilon_{low}$ | `clip_low` | number | how far below 1 a ratio may go |
| $\epsilon_{high}$ | `clip_high` | number | how far above 1 a ratio may go |
| $\operatorname{agg}$ | `aggregation` | function | how tokens become one number |
| $N$ | `denominator` | number | that of the whole batch, if this is one part of it |

## Choices

- **Variance.** veRL takes the unbiased one and adds 1e-8; OpenRLHF takes the population's and
  holds it above 1e-8. They are $\sqrt{n/(n-1)}$ apart, so both must be named here. The paper adds
  $\epsilon$ to the deviation, not to the variance.
- **Discount.** The paper prints none, which is $\gamma=1$.
- **Penalty with a group baseline.** The paper then takes it out of the reward and adds it to the
  loss, as $k_2$ (Eq. 8). It is not part of this loss: see KL.
- **Discount over masked spans.** Masked tokens are absent, as in veRL; OpenRLHF discounts across
  them. On the reference case returns differ by up to 0.068.
- **Weight.** Mean and variance count tokens, so long responses weigh more. They must be taken over
  the whole batch: over a part they are other numbers.
- **The last token** that gets $R$ is the last *unmasked* one.
- **Aggregation.** veRL and OpenRLHF default to `token_mean`; it must be named here.

## Tested

Returns and advantages are those of veRL on both reference cases. Worked by hand: shaped rewards,
returns and advantages of two short responses. Properties: advantages have mean 0 and variance 1
over unmasked tokens; without penalty, a positive affine map of the rewards changes nothing, and
with no discount either, advantages are constant along a row; a uniform batch gives exactly 0, not
NaN. The laws hold for the loss.
"""

from __future__ import annotations

import torch
from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.advantages import group_centered, returns_to_go, whitened
from evidence_matrix.objectives.aggregation import Aggregation, Denominator
from evidence_matrix.objectives.ratios import (
    clip_stats,
    clipped_surrogate,
    log_ratio,
    token_ratio,
)

ORDER = 11


@torch.no_grad()
def reinforce_plus_plus_rewards(
    rewards: Tensor,
    old_log_prob: Tensor,
    ref_log_prob: Tensor,
    mask: Tensor,
    *,
    kl_coef: float,
) -> Tensor:
    """Reward of each token, `[B, T]`: the penalty, and on the last token the response's reward."""
    keep = shapes.token_mask(mask, old_log_prob=old_log_prob, ref_log_prob=ref_log_prob)
    shapes.row_vector(len(mask), rewards=rewards)
    shapes.non_negative(kl_coef=kl_coef)
    later = keep.flip(1).cumsum(dim=1).flip(1)
    last = keep & (later == 1)
    penalty = kl_coef * log_ratio(old_log_prob, ref_log_prob, keep)
    return torch.where(last, rewards[:, None], 0) - penalty


def reinforce_plus_plus_advantages(
    token_rewards: Tensor, mask: Tensor, *, gamma: float, eps: float, correction: int
) -> Tensor:
    """Advantage of each token, `[B, T]`: its return, standardized over the batch."""
    returns = returns_to_go(token_rewards, mask, gamma=gamma)
    return whitened(returns, mask, eps=eps, correction=correction)


def reinforce_plus_plus_baseline_advantages(
    rewards: Tensor, group: Tensor, mask: Tensor, *, eps: float, correction: int
) -> Tensor:
    """Advantage of each token, `[B, T]`: reward above its group, standardized over tokens."""
    centered = group_centered(rewards, group)
    return whitened(centered[:, None].expand(mask.shape), mask, eps=eps, correction=correction)


def reinforce_plus_plus(
    log_prob: Tensor,
    old_log_prob: Tensor,
    advantages: Tensor,
    mask: Tensor,
    *,
    clip_low: float,
    clip_high: float,
    aggregation: Aggregation,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss, and detached `clip_fraction` and `ratio_mean`."""
    keep = shapes.token_mask(
        mask, log_prob=log_prob, old_log_prob=old_log_prob, advantages=advantages
    )
    shapes.non_negative(clip_low=clip_low, clip_high=clip_high)
    scores = advantages.detach()
    ratio = token_ratio(log_prob, old_log_prob, keep)
    surrogate = clipped_surrogate(ratio, scores, clip_low=clip_low, clip_high=clip_high)
    loss = -aggregation(surrogate, keep, denominator=denominator)
    return loss, clip_stats(ratio, scores, keep, clip_low=clip_low, clip_high=clip_high)
