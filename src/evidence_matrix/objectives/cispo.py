r"""CISPO: REINFORCE on stale samples, where the weight is held in bounds and no token is dropped.

## Idea

A clip as in PPO takes the gradient from just those tokens that move most, which in long reasoning
are often the rare forks that matter. Here every token keeps its gradient. What is held in bounds is
the importance weight in front of it, and that weight is a constant: it scales, and is not itself
differentiated.

## Equation

$$
\mathcal L=-\frac1{\sum_i|o_i|}\sum_i\sum_t\operatorname{sg}(\hat r_{i,t})\,\hat A_{i,t}
\log\pi_\theta(o_{i,t})\,M_{i,t},\qquad
\hat r_{i,t}=\operatorname{clip}(r_{i,t},w_{min},w_{max})
$$

with $M=1$ in CISPO, and in the unified form

$$
M_{i,t}=\begin{cases}
0,&\hat A_{i,t}>0\text{ and }r_{i,t}>1+\epsilon_{high}\\
0,&\hat A_{i,t}<0\text{ and }r_{i,t}<1-\epsilon_{low}\\
1,&\text{otherwise}\end{cases}
$$

Source: MiniMax-M1, arXiv 2506.13585v1, Eqs. 4 and 5; the unified form Eqs. 6 and 7

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta$ | `log_prob` | `[B, T]` | the current policy on the sampled tokens |
| $\log\pi_{old}$ | `old_log_prob` | `[B, T]` | the policy that sampled; data |
| $\hat A$ | `advantages` | `[B, T]` | of each token; data |
| $m$ | `mask` | `[B, T]` | 1 on tokens of the response |
| $w_{min}$ | `weight_min` | number | least weight: $1-\epsilon^{IS}_{low}$; 0 for no bound |
| $w_{max}$ | `weight_max` | number | greatest weight: $1+\epsilon^{IS}_{high}$; `inf` for none |
| $\epsilon_{low}$ | `clip_low` | number | the unified form's band, below |
| $\epsilon_{high}$ | `clip_high` | number | the unified form's band, above |
| $\sum_i\lvert o_i\rvert$ | `denominator` | number | tokens of the whole batch, if this is a part |

## Choices

- **Bounds are absolute** here. Under one name, `epsilon_high`, TRL takes the greatest weight and
  veRL, slime and rlhf-book the distance from 1: the same number means bounds that are 1 apart.
- **Lower bound.** The equation has one; the paper's text says that none was imposed. It must be
  named here.
- **The stop-gradient** on the weight is the whole point: without it the value is the same and the
  gradient another.
- **Denominator.** Printed are the tokens of the $G$ responses to one prompt, inside an expectation
  over prompts; here, as in TRL and veRL, those of the whole batch.
- **The value** is no surrogate for the return; only the gradient means something.

## Tested

Loss and gradient are those of veRL (slime and TRL agree) for the plain form and of an independent
derivation for the unified one, on the reference cases. Worked by hand: weights below, inside and
above the bounds. Properties: every unmasked token has gradient minus weight times held ratio times
advantage; inside the bounds it is the importance-weighted gradient, on fresh samples that of
REINFORCE; the unified form without bounds has exactly the gradient of PPO's clip.
"""

from __future__ import annotations

import math

from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.aggregation import Denominator, token_mean
from evidence_matrix.objectives.ratios import binding, selected, share, token_ratio

ORDER = 19


def cispo(
    log_prob: Tensor,
    old_log_prob: Tensor,
    advantages: Tensor,
    mask: Tensor,
    *,
    weight_min: float,
    weight_max: float,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss, and detached `bound_fraction` and `ratio_mean`; every token keeps its gradient."""
    loss, stats = cispo_unified(
        log_prob,
        old_log_prob,
        advantages,
        mask,
        weight_min=weight_min,
        weight_max=weight_max,
        clip_low=math.inf,
        clip_high=math.inf,
        denominator=denominator,
    )
    return loss, {name: stats[name] for name in ("bound_fraction", "ratio_mean")}


def cispo_unified(
    log_prob: Tensor,
    old_log_prob: Tensor,
    advantages: Tensor,
    mask: Tensor,
    *,
    weight_min: float,
    weight_max: float,
    clip_low: float,
    clip_high: float,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss with the band of PPO as a mask, and also detached `dropped_fraction`."""
    keep = shapes.token_mask(
        mask, log_prob=log_prob, old_log_prob=old_log_prob, advantages=advantages
    )
    shapes.non_negative(weight_min=weight_min, clip_low=clip_low, clip_high=clip_high)
    if not weight_max >= weight_min:
        raise ValueError(f"weight_max is {weight_max}; it must be at least weight_min {weight_min}")
    scores = advantages.detach()
    ratio = token_ratio(log_prob.detach(), old_log_prob, keep)
    weight = ratio.clamp(weight_min, weight_max)
    dropped = binding(ratio, scores, clip_low=clip_low, clip_high=clip_high)
    credit = (weight * scores).masked_fill(dropped, 0)
    loss = -token_mean(credit * selected(log_prob, keep), keep, denominator=denominator)
    return loss, {
        "bound_fraction": share(weight != ratio, keep),
        "dropped_fraction": share(dropped, keep),
        "ratio_mean": share(ratio, keep),
    }
