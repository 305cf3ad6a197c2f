r"""KL: estimates of a divergence from the log-ratio at sampled tokens, as values and as losses.

## Idea

The exact divergence between two policies sums over the vocabulary; at a sampled token only one
log-ratio is at hand. Three functions of it are in use as estimates. As *values* they differ in bias
and spread. As *losses* they differ in more: the samples depend on the policy too, automatic
differentiation does not see that dependence, and so the gradient of an unbiased estimate need not
be an unbiased estimate of the gradient.

## Equation

With $\ell=\log\pi_\theta(y)-\log\pi_{ref}(y)$ and $y\sim\pi_\theta$:

$$
k_1=\ell,\qquad k_2=\tfrac12\ell^2,\qquad k_3=e^{-\ell}-1+\ell
$$

With $K=KL(\pi_\theta\Vert\pi_{ref})$, and $r=\pi_\theta/\pi_{old}$ differentiated in the last row:

| estimator | expected value | expected gradient as a loss |
|---|---|---|
| $k_1$ | $K$ | $0$ |
| $k_2$ | another number | $\nabla K$ |
| $k_3$ | $K$ | $\nabla KL(\pi_{ref}\Vert\pi_\theta)$ |
| value of $k_3$, gradient of $k_2$ | $K$ | $\nabla K$ |
| $r\,k_3$ with $y\sim\pi_{old}$ | $K$ | $\nabla K$ |

Source: Schulman, Approximating KL Divergence (2020), a web page with no equation numbers
Source: $k_3$ in a loss: DeepSeekMath, arXiv 2402.03300v3, Eq. 4
Source: $r\,k_3$: DeepSeek-V3.2, arXiv 2512.02556v1, Eq. 7

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta$ | `log_prob` | `[B, T]` | the current policy on the sampled tokens |
| $\log\pi_{ref}$ | `ref_log_prob` | `[B, T]` | the reference policy; data |
| $m$ | `mask` | `[B, T]` | 1 on tokens of the response |
| $k$ | `estimator` | function | one of those of this file, from log-ratios to estimates |
| $\operatorname{agg}$ | `aggregation` | function | how tokens become one number |
| $N$ | `denominator` | number | that of the whole batch, if this is one part of it |
| $\ell$ | `log_ratios` | any | current minus reference log-probability |
| $r$ | `ratios` | as $\ell$ | current over sampling policy |

## Choices

- **Direction.** $\ell$ is current minus reference, as in TRL, veRL and OpenRLHF. rlhf-book has the
  opposite sign in $k_1$ and the inverse ratio in $k_3$: on the reference case its $k_3$ differs by
  up to 2.8 on a token and its gradient by up to 4.9.
- **Bounds.** Only the exponent is held, within 20, against overflow; where it is held the gradient
  is 0. veRL also holds $k_3$ within 10; OpenRLHF and AReaL hold every estimate within 10, which
  biases the mean; slime holds none but its `low_var_kl`.
- **Near 0**, $k_3$ is computed by `expm1`, which keeps the digits that a difference of exponentials
  loses.
- **In the reward** instead of the loss, an estimate multiplies the score function and is data; then
  only $k_1$ gives $\nabla KL(\pi_\theta\Vert\pi_{ref})$.

## Tested

Values and gradients are those of veRL on three reference cases. Every cell of the table above is
checked by exact enumeration over a small vocabulary, and so is the case of the reward. Worked by
hand: three log-ratios. Properties: $k_1$ is odd; $k_2,k_3\ge0$ and 0 at equality; $k_3$ agrees with
$k_2$ to second order and stays accurate at log-ratios of 1e-8; held exponents have gradient 0.
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
    """The log-ratio itself: of either sign, and no loss, since its expected gradient is 0."""
    return log_ratios


def k2(log_ratios: Tensor) -> Tensor:
    """Half the squared log-ratio: biased as a value, right as a loss."""
    return 0.5 * log_ratios**2


def k3(log_ratios: Tensor) -> Tensor:
    """Never negative and right as a value; as a loss it is that of the reversed divergence."""
    inverse = (-log_ratios).clamp(-LOG_RATIO_GUARD, LOG_RATIO_GUARD)
    return torch.expm1(inverse) - inverse


def k3_straight_through(log_ratios: Tensor) -> Tensor:
    """The value of `k3` with the gradient of `k2`: right as both."""
    carrier = k2(log_ratios)
    return carrier + (k3(log_ratios) - carrier).detach()


def k3_corrected(log_ratios: Tensor, ratios: Tensor) -> Tensor:
    """`k3` weighted by the ratio to the policy that sampled, through which gradient flows."""
    return ratios * k3(log_ratios)


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
