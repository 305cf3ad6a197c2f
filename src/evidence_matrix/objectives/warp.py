r"""WARP: merging policies in weight space, by a moving anchor, spherical and linear interpolation.

## Idea

Reward training pulls a model from where it started, and a KL penalty pulls it back; how much of
each is one knob. Weights offer others. A moving average of the policy is an anchor that lets it go
far without going fast. Runs from one start move in directions that are nearly orthogonal, and
interpolating along the sphere keeps the length of the move where a straight line would shorten it.
Going part of the way back to the start, at last, trades reward for what the start knew.

## Equation

$$
\theta_{ema}\leftarrow(1-\mu)\,\theta_{ema}+\mu\,\theta,\qquad
\delta_m=\theta_m-\theta_{init}
$$

$$
\operatorname{slerp}=\theta_{init}+\frac{\sin((1-\lambda)\Omega)}{\sin\Omega}\delta_1
+\frac{\sin(\lambda\Omega)}{\sin\Omega}\delta_2,\qquad
\Omega=\angle(\delta_1,\delta_2)
$$

$$
\theta=(1-\eta)\,\theta_{init}+\eta\,\theta_{slerp}
$$

Source: WARP, arXiv 2406.16768v1, Eqs. EMA, SLERP and LITI (named, not numbered); Eq. 26 for M > 2

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\theta_{init}$ | `initial` | `[...]` | the weights that all runs started from |
| $\theta_m$ | `policies` | `[M, ...]` | weights of the trained runs, `M` of at least 2 |
| $\eta$ | `eta` | number | how far from the start to the merged weights; 0 is the start |
| $\theta_{ema}$ | `anchor` | `[...]` | the moving average |
| $\theta$ | `policy` | `[...]` | the policy's weights now |
| $\mu$ | `mu` | number | rate of the moving average; 1 copies the policy |
| $\theta_1$ | `first` | `[...]` | weights of one run |
| $\theta_2$ | `second` | `[...]` | weights of another run |
| $\lambda$ | `weight` | number | 0 is the first, 1 the second |
| $\theta_{slerp}$ | `merged` | `[...]` | the merged weights |

## Choices

- **What is interpolated.** Task vectors, the moves from the start. SLERP of the weights themselves
  would measure the angle between two nearly equal vectors.
- **One angle of what.** A tensor given here has one angle, so a caller who merges tensor by tensor
  has one for each and one who flattens the model first has one in all. The paper applies SLERP
  layer by layer, with an angle for each.
- **Lengths.** The coefficients multiply the vectors as they are, and only the angle is between
  normalized ones, as in mergekit. mergekit goes over to straight lines where the cosine exceeds
  0.9995; here they are only the limit at an angle of 0. Opposite vectors have no arc and are
  refused.
- **More than two.** The m-th policy is merged into the first m - 1 with weight 1/m (Eq. 26). The
  result depends on the order, as the paper says too.
- **Semantics of the ends.** $\eta=0$ gives the start and $\eta=1$ the merged policy.

## Tested

Agrees with mergekit 0.1.5 on task vectors, and with the moving average and the linear step derived
independently, on the reference vectors. Ends are exact, equal vectors stay, equal lengths are kept
all along the arc, orthogonal vectors meet at their sum over the square root of 2; swapping the two
mirrors the weight; scaling all moves scales the result; a moving average of itself is fixed.
"""

from __future__ import annotations

import torch
from torch import Tensor

from evidence_matrix.objectives import shapes

ORDER = 26


def ema_anchor(anchor: Tensor, policy: Tensor, *, mu: float) -> Tensor:
    """The anchor after one step of the moving average, same shape."""
    shapes.same_shape(anchor, "anchor", policy=policy)
    shapes.fraction(mu=mu)
    return anchor + mu * (policy - anchor) if mu < 1 else policy.clone()


def slerp(initial: Tensor, first: Tensor, second: Tensor, *, weight: float) -> Tensor:
    """Weights on the arc between two runs as seen from the start, same shape.

    Raises:
        ValueError: different shapes, a weight outside 0 to 1, a run that did not move, or two
            that moved in opposite directions.

    """
    shapes.same_shape(initial, "initial", first=first, second=second)
    shapes.fraction(weight=weight)
    one, two = first - initial, second - initial
    angle = angle_between(one, two)
    sine = torch.sin(angle)
    # At an angle of 0 the quotients of sines go to the coefficients of a straight line.
    straight = sine == 0
    safe = torch.where(straight, 1.0, sine)
    from_one = torch.where(straight, 1 - weight, torch.sin((1 - weight) * angle) / safe)
    from_two = torch.where(straight, weight, torch.sin(weight * angle) / safe)
    return initial + from_one * one + from_two * two


def angle_between(first: Tensor, second: Tensor) -> Tensor:
    """Angle between two moves in radians, a scalar; exact for small angles, unlike arccos.

    Raises:
        ValueError: a move of length 0, or two in opposite directions.

    """
    lengths = first.norm(), second.norm()
    if bool((lengths[0] == 0) | (lengths[1] == 0)):
        raise ValueError("a run has not moved from the start, so its direction has no angle")
    one, two = first / lengths[0], second / lengths[1]
    angle = 2 * torch.atan2((one - two).norm(), (one + two).norm())
    if bool(torch.pi - angle < 1e-6):
        raise ValueError(
            "the two runs moved in opposite directions; no arc between them is shortest"
        )
    return angle


def liti(initial: Tensor, merged: Tensor, *, eta: float) -> Tensor:
    """Weights on the line from the start (`eta` 0) to the merged ones (`eta` 1), same shape."""
    shapes.same_shape(initial, "initial", merged=merged)
    shapes.fraction(eta=eta)
    return (1 - eta) * initial + eta * merged


def warp(initial: Tensor, policies: Tensor, *, eta: float) -> tuple[Tensor, dict[str, Tensor]]:
    """Merged weights of one tensor, and detached lengths.

    `moved` is the length of the result's move from the start, `mean_moved` the mean of the
    policies' own.

    Raises:
        ValueError: fewer than two policies, another shape than the start's, or as `slerp`.

    """
    if policies.ndim != initial.ndim + 1 or len(policies) < 2:
        raise ValueError(
            f"policies has shape {list(policies.shape)}; it must be [M, *{list(initial.shape)}] "
            "with M of at least 2"
        )
    merged = policies[0]
    for count, policy in enumerate(policies[1:], start=2):
        merged = slerp(initial, merged, policy, weight=1 / count)
    result = liti(initial, merged, eta=eta)
    moves = (policies - initial).detach().flatten(start_dim=1)
    return result, {
        "moved": (result - initial).detach().norm(),
        "mean_moved": moves.norm(dim=1).mean(),
    }
