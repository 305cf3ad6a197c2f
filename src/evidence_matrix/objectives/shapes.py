"""What shapes and values an objective accepts, and the errors that say what was given instead."""

from __future__ import annotations

import torch
from torch import Tensor


def token_mask(mask: Tensor, **tensors: Tensor) -> Tensor:
    """`mask` `[B, T]` as booleans, after checking that every named tensor is a float `[B, T]`.

    The mask is 1 on tokens that count and 0 on all others (prompt, padding, observations).

    Raises:
        ValueError: the mask is not two-dimensional or holds something other than 0 and 1, or a
            tensor has another shape or is not floating point.

    """
    if mask.ndim != 2:
        raise ValueError(f"mask has shape {_shape(mask)}; it must be [B, T]: rows, then tokens")
    same_shape(mask, "mask", **tensors)
    return binary("mask", mask)


def same_shape(like: Tensor, like_name: str, **tensors: Tensor) -> None:
    """Checks that every named tensor is floating point and has the shape of `like`.

    Raises:
        ValueError: one of them differs.

    """
    for name, tensor in tensors.items():
        if tensor.shape != like.shape:
            raise ValueError(
                f"{name} has shape {_shape(tensor)}; it must be {_shape(like)} like {like_name}"
            )
        if not tensor.is_floating_point():
            raise ValueError(f"{name} is {tensor.dtype}; it must be floating point")


def row_vector(rows: int, **tensors: Tensor) -> None:
    """Checks that every named tensor is one number a row, `[B]` with `B = rows`.

    Raises:
        ValueError: one of them has another shape.

    """
    for name, tensor in tensors.items():
        if tensor.shape != (rows,):
            raise ValueError(
                f"{name} has shape {_shape(tensor)}; it must be [{rows}]: one number a row"
            )


def binary(name: str, tensor: Tensor) -> Tensor:
    """`tensor` as booleans.

    Raises:
        ValueError: it holds something other than 0 and 1.

    """
    if tensor.dtype == torch.bool:
        return tensor
    truth = tensor.bool()
    if not torch.equal(truth.to(tensor.dtype), tensor):
        raise ValueError(f"{name} must hold only 0 and 1 (or be boolean)")
    return truth


def non_empty(count: Tensor) -> None:
    """Checks that a mask that keeps `count` tokens (or rows with a token) keeps any.

    Raises:
        ValueError: it keeps none, so a mean over it has no value.

    """
    if not count > 0:
        raise ValueError(
            "the mask keeps no token, so there is nothing to average; leave the batch out, or "
            "give the denominator of the whole batch if this is one part of it"
        )


def non_negative(**numbers: float | Tensor) -> None:
    """Checks that every named number is zero or more (and not NaN).

    Raises:
        ValueError: one of them is not.

    """
    for name, number in numbers.items():
        if not number >= 0:
            raise ValueError(f"{name} is {float(number)}; it must be zero or more")


def positive(**numbers: float | Tensor) -> None:
    """Checks that every named number is more than zero (and not NaN).

    Raises:
        ValueError: one of them is not.

    """
    for name, number in numbers.items():
        if not number > 0:
            raise ValueError(f"{name} is {float(number)}; it must be more than zero")


def fraction(**numbers: float | Tensor) -> None:
    """Checks that every named number is from 0 to 1 (and not NaN).

    Raises:
        ValueError: one of them is not.

    """
    for name, number in numbers.items():
        if not 0 <= number <= 1:
            raise ValueError(f"{name} is {float(number)}; it must be from 0 to 1")


def _shape(tensor: Tensor) -> str:
    return str(list(tensor.shape))
