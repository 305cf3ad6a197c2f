r"""KTO: learning from single responses marked good or bad, judged against a common reference point.

## Idea

Prospect theory says that people value an outcome by how it differs from a reference point, and
value differences less the larger they are. A response is worth its log-ratio to the reference
policy; the reference point is how far the policy has moved on the whole, an estimate of its KL
divergence. A desirable response should lie above that point, an undesirable one below, and the
sigmoid stops rewarding what is already far on the right side. No pairs are needed.

## Equation

$$
r_i=\log\frac{\pi_\theta(y_i)}{\pi_{ref}(y_i)},\qquad
z_0=\operatorname{sg}\Big(\max\Big(0,\frac1K\sum_{k=1}^K
\log\frac{\pi_\theta(y'_k\mid x_k)}{\pi_{ref}(y'_k\mid x_k)}\Big)\Big)
$$

$$
\mathcal L=\frac1B\sum_{i=1}^B\begin{cases}
\lambda_D\,\big(1-\sigma(\beta(r_i-z_0))\big)&\text{desirable}\\
\lambda_U\,\big(1-\sigma(\beta(z_0-r_i))\big)&\text{undesirable}\end{cases}
$$

Source: KTO, arXiv 2402.01306v4, Eq. 8 (Eq. 7 to TRL); the estimate of $z_0$ there has no number

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta(y)$ | `log_prob` | `[B, T]` | the policy on the sampled tokens |
| $\log\pi_{ref}(y)$ | `ref_log_prob` | `[B, T]` | the reference policy; data |
| $m$ | `mask` | `[B, T]` | 1 on tokens of the response |
| | `desirable` | `[B]` | 1 where the response is marked good |
| $z_0$ | `reference_point` | `[]` | from `kto_reference_point`; data |
| $\beta$ | `beta` | number | how fast the value saturates |
| $\lambda_D$ | `desirable_weight` | number | weight of good responses |
| $\lambda_U$ | `undesirable_weight` | number | weight of bad responses |
| $B$ | `denominator` | number | responses of the whole batch, if this is one part of it |
| $\log\pi_\theta(y')$ | `mismatched_log_prob` | `[K, T]` | the policy, response to another prompt |
| $\log\pi_{ref}(y')$ | `mismatched_ref_log_prob` | `[K, T]` | the reference on the same; data |
| $m'$ | `mismatched_mask` | `[K, T]` | 1 on tokens of the mismatched response |

## Choices

- **Whose reference point.** $z_0$ is an argument, so that the caller says over what it is taken.
  The paper takes one in each microbatch, the authors' code one over all devices at once; either
  depends on how a step is split, and one over the whole step does not.
- **Mismatched pairs.** The paper shifts the responses of a microbatch by one. Reversing them, as
  TRL once did, leaves the middle one of an odd batch matched (TRL issue 1911).
- **Mean of the estimate.** The paper divides by $m$ a sum that it prints over $1\le i<m$, one pair
  short; here it is the mean over the pairs given.
- **Stop-gradient.** $z_0$ is data, as in TRL and the authors' code (ContextualAI/HALOs@4831988).
- **Mean.** Over all responses, as TRL and the authors' code. rlhf-book adds the means of the two
  classes, which weighs the rarer class more: the reference vector moves by 0.42. A batch of one
  class is fine.

## Tested

Agrees in value and gradient with TRL 1.16.0, and so with the authors' code, on the reference
vector. $z_0$ gets no gradient and is never negative; a response at the reference point costs half
its weight; the gradient raises good responses and lowers bad ones and scales with the weight of
its own class only; masked positions have gradient exactly 0.
"""

from __future__ import annotations

import torch
from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.aggregation import Denominator
from evidence_matrix.objectives.preferences import (
    average,
    mean_over_rows,
    response_log_ratio,
    response_mask,
)

ORDER = 5


@torch.no_grad()
def kto_reference_point(
    mismatched_log_prob: Tensor, mismatched_ref_log_prob: Tensor, mismatched_mask: Tensor
) -> Tensor:
    """$z_0$ from `K` prompts, each with a response to another one: a scalar without gradient."""
    keep = response_mask(
        "mismatched_mask",
        mismatched_mask,
        mismatched_log_prob=mismatched_log_prob,
        mismatched_ref_log_prob=mismatched_ref_log_prob,
    )
    return (
        response_log_ratio(mismatched_log_prob, mismatched_ref_log_prob, keep).mean().clamp(min=0)
    )


def kto(
    log_prob: Tensor,
    ref_log_prob: Tensor,
    desirable: Tensor,
    reference_point: Tensor,
    mask: Tensor,
    *,
    beta: float,
    desirable_weight: float,
    undesirable_weight: float,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    r"""The loss, and detached `log_ratio` (mean of $r$) and `accuracy`.

    `accuracy` is the share of responses on the right side of the reference point.

    Raises:
        ValueError: wrong shapes, a response without a token, or a constant out of range.

    """
    shapes.positive(beta=beta)
    shapes.non_negative(desirable_weight=desirable_weight, undesirable_weight=undesirable_weight)
    keep = response_mask("mask", mask, log_prob=log_prob, ref_log_prob=ref_log_prob)
    shapes.row_vector(len(keep), desirable=desirable)
    good = shapes.binary("desirable", desirable)
    if reference_point.ndim:
        raise ValueError(
            f"reference_point has shape {list(reference_point.shape)}; it must be one number, []"
        )
    log_ratios = response_log_ratio(log_prob, ref_log_prob, keep)
    distance = log_ratios - reference_point.detach()
    gain = torch.where(good, distance, -distance)
    weight = torch.full_like(gain, undesirable_weight).masked_fill(good, desirable_weight)
    surrogate = weight * (1 - torch.sigmoid(beta * gain))
    return mean_over_rows(surrogate, denominator=denominator), {
        "log_ratio": average(log_ratios),
        "accuracy": average(gain > 0),
    }
