r"""The per-token term of Kimi K2.5: clipped ratio times advantage, less a squared log-ratio."""

from __future__ import annotations

import torch
from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.ratios import guarded_exp


def regularized_surrogate(
    log_ratios: Tensor, advantages: Tensor, *, tau: float, ratio_min: float, ratio_max: float
) -> Tensor:
    r"""$\operatorname{Clip}(r,\alpha,\beta)\hat A-\tau(\log r)^2$, to be maximized; `[B, T]`.

    The clip looks at the ratio alone, whatever the sign of the advantage. Outside the interval its
    gradient is 0 and only the regularizer, which pulls the ratio back to 1, remains.

    Raises:
        ValueError: an empty interval, or a bound that is not positive.

    """
    shapes.positive(tau=tau, ratio_min=ratio_min)
    if not ratio_min < ratio_max:
        raise ValueError(f"ratio_min {ratio_min} is not below ratio_max {ratio_max}")
    clipped = guarded_exp(log_ratios).clamp(ratio_min, ratio_max)
    return clipped * advantages - tau * log_ratios**2


def outside(log_ratios: Tensor, *, ratio_min: float, ratio_max: float) -> Tensor:
    """Where the clip stops the gradient: booleans, same shape."""
    ratio = torch.exp(log_ratios)
    return (ratio < ratio_min) | (ratio > ratio_max)
