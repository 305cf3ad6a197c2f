r"""How a matrix of per-token terms becomes one number: the denominators, by name.

Each function takes terms $x_{b,t}$ `[B, T]` and a mask $m_{b,t}$ `[B, T]` of 0 and 1, and gives a
scalar. Terms at masked positions are selected out, not multiplied out, so NaN there does no harm
and gets no gradient. With $n_b=\sum_t m_{b,t}$, $N=\sum_b n_b$ and $B^+$ the number of rows with
$n_b>0$:

| name | value | denominator |
|---|---|---|
| `token_sum` | $\sum_{b,t} m x$ | 1 |
| `token_mean` | $\frac1N\sum_{b,t} m x$ | tokens, $N$ |
| `sequence_mean_token_mean` | $\frac1{B^+}\sum_b\frac1{n_b}\sum_t m x$ | rows, $B^+$ |
| `sequence_mean_token_sum` | $\frac1{B^+}\sum_b\sum_t m x$ | rows, $B^+$ |
| `sequence_mean_token_sum_norm` | $\frac1{B^+L}\sum_b\sum_t m x$ | rows, $B^+$, and a constant |

Fully masked rows are left out of $B^+$ (veRL and OpenRLHF do so, TRL counts them).

When a batch is computed in parts, give each part the `denominator` of the whole batch and add the
results: that equals the value of the whole, while a mean of the parts' means does not unless their
counts are equal. A part without any token then gives exactly 0; without an explicit denominator it
is an error.
"""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.ratios import row_count

Denominator = float | Tensor | None


class Aggregation(Protocol):
    """One of the functions of this module, or `functools.partial` of one with its constants."""

    def __call__(self, terms: Tensor, mask: Tensor, *, denominator: Denominator = None) -> Tensor:
        """The scalar that `terms` `[B, T]` come to under `mask` `[B, T]`."""
        ...


def token_sum(terms: Tensor, mask: Tensor, *, denominator: Denominator = None) -> Tensor:
    """Sum over unmasked tokens, over `denominator` if one is given."""
    _, total = _select(terms, mask)
    return total.sum() if denominator is None else total.sum() / _checked(denominator)


def token_mean(terms: Tensor, mask: Tensor, *, denominator: Denominator = None) -> Tensor:
    """Mean over unmasked tokens; `denominator` is the number of tokens of the whole batch."""
    keep, selected = _select(terms, mask)
    return selected.sum() / _or_count(denominator, keep.count_nonzero())


def sequence_mean_token_mean(
    terms: Tensor, mask: Tensor, *, denominator: Denominator = None
) -> Tensor:
    """Mean over rows of each row's token mean; `denominator` is the rows of the whole batch."""
    keep, selected = _select(terms, mask)
    length = row_count(keep)
    row_means = selected.sum(dim=1) / length.clamp(min=1)
    return row_means.sum() / _or_count(denominator, (length > 0).sum())


def sequence_mean_token_sum(
    terms: Tensor, mask: Tensor, *, denominator: Denominator = None
) -> Tensor:
    """Mean over rows of each row's token sum; `denominator` is the rows of the whole batch."""
    keep, selected = _select(terms, mask)
    return selected.sum() / _or_count(denominator, (row_count(keep) > 0).sum())


def sequence_mean_token_sum_norm(
    terms: Tensor, mask: Tensor, *, length: float, denominator: Denominator = None
) -> Tensor:
    """As `sequence_mean_token_sum`, over a constant `length` that no batch changes.

    `length` is a budget fixed for the run (such as the most tokens that a response may have),
    never the width that a batch happens to be padded to.
    """
    shapes.positive(length=length)
    return sequence_mean_token_sum(terms, mask, denominator=denominator) / length


def _select(terms: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    keep = shapes.token_mask(mask, terms=terms)
    return keep, torch.where(keep, terms, 0.0)


def _or_count(denominator: Denominator, count: Tensor) -> float | Tensor:
    if denominator is not None:
        return _checked(denominator)
    shapes.non_empty(count)
    return count


def _checked(denominator: float | Tensor) -> float | Tensor:
    shapes.positive(denominator=denominator)
    return denominator
