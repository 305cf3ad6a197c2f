r"""Steps of equal size in all directions: momentum, orthogonalized by a Newton-Schulz iteration."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from evidence_matrix.objectives import shapes


@torch.no_grad()
def newton_schulz(
    momentum: Tensor, *, steps: int, coefficients: tuple[float, float, float]
) -> Tensor:
    """Nearly the nearest orthogonal matrix to each `[..., n, m]`, same shape; zeros stay zeros."""
    linear, cubic, quintic = coefficients
    tall = momentum.shape[-2] > momentum.shape[-1]
    # The products are smallest with the shorter side first.
    moving = momentum.mT if tall else momentum
    tiny = torch.finfo(momentum.dtype).tiny
    moving = moving / torch.linalg.matrix_norm(moving, keepdim=True).clamp(min=tiny)
    for _ in range(steps):
        square = moving @ moving.mT
        moving = linear * moving + (cubic * square + quintic * square @ square) @ moving
    orthogonal: Tensor = moving.mT if tall else moving
    return orthogonal


@torch.no_grad()
def orthogonal_step(
    weight: Tensor,
    gradient: Tensor,
    momentum: Tensor,
    *,
    learning_rate: float,
    weight_decay: float,
    momentum_decay: float,
    averaged: bool,
    nesterov: bool,
    steps: int,
    coefficients: tuple[float, float, float],
    rms_scale: float,
) -> tuple[Tensor, Tensor]:
    """Weight and momentum `[..., n, m]` after one step of Muon; nothing is changed in place.

    Raises:
        ValueError: shapes that differ or are no matrices.

    """
    if weight.ndim < 2:
        raise ValueError(f"weight has shape {list(weight.shape)}; it must be a matrix [..., n, m]")
    shapes.same_shape(weight, "weight", gradient=gradient, momentum=momentum)
    fresh = (1 - momentum_decay) * gradient if averaged else gradient
    after = momentum_decay * momentum + fresh
    direction = momentum_decay * after + fresh if nesterov else after
    orthogonal = newton_schulz(direction, steps=steps, coefficients=coefficients)
    update = rms_scale * math.sqrt(max(weight.shape[-2:])) * orthogonal
    return weight - learning_rate * (update + weight_decay * weight), after
