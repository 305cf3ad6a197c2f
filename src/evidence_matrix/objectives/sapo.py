r"""SAPO: a smooth gate around ratio one in place of the clip, steeper for negative advantages.

## Idea

A clip drops a token's gradient at once. A gate lets it fade: a sigmoid of the ratio, scaled so that
on fresh samples the gradient is that of REINFORCE whatever the temperature. The further the ratio
goes to either side, the less a token counts. Pushing a token down raises all others a little, most
of them unfit, so the gate for negative advantages may be steeper.

## Equation

$$
\mathcal L=-\frac1G\sum_{i=1}^G\frac1{|y_i|}\sum_{t=1}^{|y_i|}f(r_{i,t})\hat A_{i,t},\qquad
f(r)=\frac4\tau\,\sigma\big(\tau(r-1)\big),\qquad
\tau=\begin{cases}\tau_{pos},&\hat A_{i,t}>0\\\tau_{neg},&\text{otherwise}\end{cases}
$$

$$
\frac{\partial}{\partial\log\pi_\theta}f(r)\hat A=4p(1-p)\,r\hat A,\qquad p=\sigma(\tau(r-1))
$$

Source: SAPO, arXiv 2511.20347, version and equation numbers not confirmed

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta$ | `log_prob` | `[B, T]` | the current policy on the sampled tokens |
| $\log\pi_{old}$ | `old_log_prob` | `[B, T]` | the policy that sampled; data |
| $\hat A$ | `advantages` | `[B, T]` | of each token; data |
| $m$ | `mask` | `[B, T]` | 1 on tokens of the response |
| $\tau_{pos}$ | `tau_pos` | number | steepness for positive advantages |
| $\tau_{neg}$ | `tau_neg` | number | steepness for the others |
| $G$ | `denominator` | number | rows of the whole batch, if this is one part of it |

## Choices

- **Aggregation.** Mean over responses of token means, as TRL and veRL (which ignores its setting
  here). AReaL averages over tokens: on the reference case the loss moves by 0.011 and the gradient
  by up to 0.046.
- **The value** means nothing across temperatures: at ratio one it is $2\hat A/\tau$.
- **Advantage 0** takes $\tau_{neg}$; it has neither value nor gradient.
- **The factor $4/\tau$** is part of the objective; without it the gradient at ratio one is
  $\tau/4$ of that of REINFORCE.

## Tested

Loss and gradient are those of veRL on both reference cases; TRL and rlhf-book agree. Worked by
hand: one token of each sign. Properties: the gradient is $4p(1-p)\,r\hat A$ times the token's
weight, for any temperature; at ratio one it is that of REINFORCE; the gate is even around ratio
one; a larger $\tau$ fades faster; as $\tau\to0$ it becomes the importance-weighted gradient.
"""

from __future__ import annotations

import torch
from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.aggregation import Denominator, sequence_mean_token_mean
from evidence_matrix.objectives.ratios import share, token_ratio

ORDER = 18


def sapo(
    log_prob: Tensor,
    old_log_prob: Tensor,
    advantages: Tensor,
    mask: Tensor,
    *,
    tau_pos: float,
    tau_neg: float,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss, and detached `gate_mean`, the mean over tokens of 4p(1-p)."""
    keep = shapes.token_mask(
        mask, log_prob=log_prob, old_log_prob=old_log_prob, advantages=advantages
    )
    shapes.positive(tau_pos=tau_pos, tau_neg=tau_neg)
    scores = advantages.detach()
    ratio = token_ratio(log_prob, old_log_prob, keep)
    tau = torch.where(scores > 0, scores.new_tensor(tau_pos), scores.new_tensor(tau_neg))
    p = torch.sigmoid(tau * (ratio - 1))
    surrogate = p * (scores / tau)
    # The 4 of the gate stands in front of the sum.
    loss = -4 * sequence_mean_token_mean(surrogate, keep, denominator=denominator)
    held = p.detach()
    # p - p*p in one pass over memory.
    slope = torch.addcmul(held, held, held, value=-1)
    return loss, {"gate_mean": 4 * share(slope, keep)}
