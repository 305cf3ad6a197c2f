r"""Decoupled PPO: one policy to weight the samples by, another to clip around.

## Idea

In PPO the old policy does two jobs: it sampled, so it is what the ratio corrects for, and it is the
center of the band. When samples are several versions old, a band around their policy pulls back
towards it. Taking the jobs apart, the band is centered on a recent policy, and a constant weight in
front corrects from the policy that sampled to that recent one. The same form, with other policies
in the two places, corrects for a sampler and a trainer that disagree about the same weights.

## Equation

$$
\mathcal L=-\operatorname{agg}_t\,\phi\Big(\frac{\pi_{prox}(a_t)}{\pi_{behav}(a_t)}\Big)
\min\big(u_t\hat A_t,\ \operatorname{clip}(u_t,1-\epsilon_{low},1+\epsilon_{high})\hat A_t\big),
\qquad u_t=\frac{\pi_\theta(a_t)}{\pi_{prox}(a_t)}
$$

with $\phi$ the identity as printed, $\phi(w)=\min(w,w_{max})$ capped, or popped:

$$
\operatorname{pop}(w,w_{min},w_{max})=\begin{cases}w,&w_{min}\le w\le w_{max}\\
0,&\text{otherwise}\end{cases}
$$

Source: AReaL, arXiv 2505.24298, version not confirmed; Eqs. 4, 5 of its repository's PDF
Source: Batch size-invariance, arXiv 2110.00641, version and equation number not confirmed
Source: pop: GLM-5, arXiv 2602.15763v2, Eq. 1, not confirmed (read in a transcription)

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta$ | `log_prob` | `[B, T]` | the current policy on the sampled tokens |
| $\log\pi_{prox}$ | `proximal_log_prob` | `[B, T]` | the center of the band; data |
| $\log\pi_{behav}$ | `behavior_log_prob` | `[B, T]` | as the sampler reported it; data |
| $\hat A$ | `advantages` | `[B, T]` | of each token; data |
| $m$ | `mask` | `[B, T]` | 1 on tokens of the response |
| $\epsilon_{low}$ | `clip_low` | number | how far below 1 the ratio $u$ may go |
| $\epsilon_{high}$ | `clip_high` | number | how far above 1 the ratio $u$ may go |
| $\phi$ | `bound` | function | `unbounded`, or `partial` of `capped` or `popped` |
| $\operatorname{agg}$ | `aggregation` | function | how tokens become one number |
| $N$ | `denominator` | number | that of the whole batch, if this is one part of it |
| $w$ | `weight` | any | $\pi_{prox}/\pi_{behav}$ |
| $w_{min}$ | `weight_min` | number | least weight that is kept |
| $w_{max}$ | `weight_max` | number | greatest weight |

## Choices

- **Where the weight stands.** In front of the minimum, as in Eq. 5: inside, it would change which
  tokens are clipped.
- **The center.** AReaL recomputes it with the parameters just before the update; an average of past
  parameters, or an interpolation, are also in use. It is an argument here.
- **Bound.** None is printed; frameworks cap the weight or leave tokens out. Tokens that are left
  out stay in the denominator. The ends of `popped` are kept.
- **Aggregation.** AReaL prints a sum over time; veRL and AReaL's code take `token_mean`, GLM-5 the
  mean over responses. It must be named here.
- **Precision.** The weight has the precision of its inputs; AReaL computes it in float32, which
  moves the loss by 3e-8 on the reference case.

## Tested

Loss and gradient are those of veRL (plain, token mean; AReaL and slime agree) and of slime (popped,
mean over responses) on the reference cases. Worked by hand: a weight below, inside and above the
bounds. Properties: with the sampler in the center it is PPO; on fresh samples it is weighted
REINFORCE; unclipped, the two ratios multiply to that of current to sampler; the weight has no
gradient; whether a token is clipped does not depend on the sampler; a cap binds exactly.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.aggregation import Aggregation, Denominator
from evidence_matrix.objectives.ratios import (
    clip_stats,
    clipped_surrogate,
    share,
    token_ratio,
)

ORDER = 22


def unbounded(weight: Tensor) -> Tensor:
    """The weight as it is."""
    return weight


def capped(weight: Tensor, *, weight_max: float) -> Tensor:
    """The weight, at most `weight_max`."""
    shapes.positive(weight_max=weight_max)
    return weight.clamp(max=weight_max)


def popped(weight: Tensor, *, weight_min: float, weight_max: float) -> Tensor:
    """The weight inside the closed interval, and 0 outside."""
    shapes.non_negative(weight_min=weight_min, weight_max=weight_max)
    if weight_min > weight_max:
        raise ValueError(f"weight_min {weight_min} is above weight_max {weight_max}")
    inside = (weight >= weight_min) & (weight <= weight_max)
    return torch.where(inside, weight, 0)


def decoupled_ppo(
    log_prob: Tensor,
    proximal_log_prob: Tensor,
    behavior_log_prob: Tensor,
    advantages: Tensor,
    mask: Tensor,
    *,
    clip_low: float,
    clip_high: float,
    bound: Callable[[Tensor], Tensor],
    aggregation: Aggregation,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss, and detached `clip_fraction`, `ratio_mean` (both of $u$) and `weight_mean`."""
    keep = shapes.token_mask(
        mask,
        log_prob=log_prob,
        proximal_log_prob=proximal_log_prob,
        behavior_log_prob=behavior_log_prob,
        advantages=advantages,
    )
    shapes.non_negative(clip_low=clip_low, clip_high=clip_high)
    scores = advantages.detach()
    weight = bound(token_ratio(proximal_log_prob.detach(), behavior_log_prob, keep))
    ratio = token_ratio(log_prob, proximal_log_prob, keep)
    surrogate = clipped_surrogate(ratio, scores, clip_low=clip_low, clip_high=clip_high)
    loss = -aggregation(weight * surrogate, keep, denominator=denominator)
    stats = clip_stats(ratio, scores, keep, clip_low=clip_low, clip_high=clip_high)
    return loss, {**stats, "weight_mean": share(weight, keep)}
