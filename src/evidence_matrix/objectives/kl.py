r"""KL: estimators k1, k2 and k3 of a divergence, from the log-ratio at sampled tokens.

## Idea

The exact divergence between two policies sums over the vocabulary; at a sampled token only one
log-ratio is at hand. Three functions of it have been proposed as estimates. As *values* they
differ in bias and variance. As *losses* they differ in more: the gradient of an unbiased estimate
is not an unbiased estimate of the gradient, because the samples depend on the policy too, and
automatic differentiation does not see that dependence.

## Equation

With $\ell=\log\pi_\theta(y)-\log\pi_{ref}(y)$, $y\sim\pi_\theta$:

$$
k_1=\ell,\qquad k_2=\tfrac12\ell^2,\qquad k_3=e^{-\ell}-1+\ell
$$

| estimator | expected value | expected gradient when differentiated as a loss |
|---|---|---|
| $k_1$ | $KL(\pi_\theta\Vert\pi_{ref})$ | $0$ |
| $k_2$ | another number | $\nabla KL(\pi_\theta\Vert\pi_{ref})$ |
| $k_3$ | $KL(\pi_\theta\Vert\pi_{ref})$ | $\nabla KL(\pi_{ref}\Vert\pi_\theta)$ |

Source: Schulman, Approximating KL Divergence (2020, web page); no equation numbers

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta$ | `log_prob` | `[B, T]` | the current policy on the sampled tokens |
| $\log\pi_{ref}$ | `ref_log_prob` | `[B, T]` | the reference policy; data |
| $m$ | `mask` | `[B, T]` | 1 on tokens of the response |
| $k$ | `estimator` | function | `k1`, `k2`, `k3` or `k3_straight_through` |
| | `aggregation` | function | how tokens become one number |
| $N$ | `denominator` | number | that of the whole batch, if this is one part of it |
| $\ell$ | `log_ratios` | any | current minus reference log-probability |

## Choices

- **Direction.** $\ell$ is current minus reference.

## Tested

Agrees with veRL on the reference vectors.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.aggregation import Aggregation, Denominator
from evidence_matrix.objectives.ratios import LOG_RATIO_GUARD, log_ratio, share

ORDER = 29


def k1(log_ratios: Tensor) -> Tensor:
    """The log-ratio itself: unbiased, of either sign, and no loss (its expected gradient is 0)."""
    return log_ratios


def k2(log_ratios: Tensor) -> Tensor:
    r"""Half the squared log-ratio: biased in value; its gradient is that of the divergence."""
    return 0.5 * log_ratios**2


def k3(log_ratios: Tensor) -> Tensor:
    """Unbiased and never negative; its gradient is that of the reversed divergence."""
    inverse = (-log_ratios).clamp(-LOG_RATIO_GUARD, LOG_RATIO_GUARD)
    # expm1 keeps the digits that exp(x) - 1 loses near 0.
    return torch.expm1(inverse) - inverse


def k3_straight_through(log_ratios: Tensor) -> Tensor:
    """The value of `k3` with the gradient of `k2`."""
    gradient = k2(log_ratios)
    return gradient + (k3(log_ratios) - gradient).detach()


def kl(
    log_prob: Tensor,
    ref_log_prob: Tensor,
    mask: Tensor,
    *,
    estimator: Callable[[Tensor], Tensor],
    aggregation: Aggregation,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The aggregated estimate, and detached `log_ratio_mean`."""
    keep = shapes.token_mask(mask, log_prob=log_prob, ref_log_prob=ref_log_prob)
    log_ratios = log_ratio(log_prob, ref_log_prob, keep)
    loss = aggregation(estimator(log_ratios), keep, denominator=denominator)
    return loss, {"log_ratio_mean": share(log_ratios, keep)}
