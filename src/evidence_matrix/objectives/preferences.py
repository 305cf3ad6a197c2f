r"""What comparisons of whole responses share: the log-probability of a response, means over pairs.

A pair is two responses to one prompt, the chosen and the rejected one, each `[P, T]` with its own
mask; the two may have different widths `T`.
"""

from __future__ import annotations

import torch
from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.aggregation import Denominator
from evidence_matrix.objectives.ratios import log_ratio, row_mean, selected


def response_mask(name: str, mask: Tensor, **tensors: Tensor) -> Tensor:
    """The mask called `name` `[P, T]` as booleans, after checking every named tensor against it.

    Raises:
        ValueError: wrong shapes, or a response without a token.

    """
    if mask.ndim != 2:
        raise ValueError(f"{name} has shape {list(mask.shape)}; it must be [P, T]")
    shapes.same_shape(mask, name, **tensors)
    keep = shapes.binary(name, mask)
    empty = (~keep.any(dim=1)).nonzero().flatten().tolist()
    if empty or not len(keep):
        raise ValueError(
            f"{name} keeps no token of response(s) {empty}; a comparison needs a token on each "
            "side, so leave out pairs whose response was cut away"
        )
    return keep


def same_pairs(chosen: Tensor, rejected: Tensor) -> None:
    """Checks that there are as many chosen as rejected responses.

    Raises:
        ValueError: there are not.

    """
    if len(chosen) != len(rejected):
        raise ValueError(
            f"there are {len(chosen)} chosen and {len(rejected)} rejected responses; "
            "row i of both must be one pair"
        )


def response_log_prob(log_prob: Tensor, keep: Tensor) -> Tensor:
    r"""$\log\pi(y)=\sum_t\log\pi(y_t)$, one number a response, `[P]`."""
    return selected(log_prob, keep).sum(dim=1)


def mean_log_prob(log_prob: Tensor, keep: Tensor) -> Tensor:
    r"""$\frac1{|y|}\log\pi(y)$, one number a response, `[P]`."""
    return row_mean(log_prob, keep)


def response_log_ratio(log_prob: Tensor, ref_log_prob: Tensor, keep: Tensor) -> Tensor:
    r"""$\log\pi_\theta(y)-\log\pi_{ref}(y)$, summed over tokens, `[P]`; the reference is data."""
    return log_ratio(log_prob, ref_log_prob, keep).sum(dim=1)


def mean_log_ratio(log_prob: Tensor, ref_log_prob: Tensor, keep: Tensor) -> Tensor:
    r"""$\frac1{|y|}(\log\pi_\theta(y)-\log\pi_{ref}(y))$, `[P]`; the reference is data."""
    return row_mean(log_ratio(log_prob, ref_log_prob, keep), keep)


def mean_over_rows(terms: Tensor, *, denominator: Denominator) -> Tensor:
    """Mean of one term a row `[P]`; `denominator` is the rows of the whole batch, if in parts."""
    if denominator is None:
        return terms.mean()
    shapes.positive(denominator=denominator)
    return terms.sum() / denominator


def average(terms: Tensor) -> Tensor:
    """Mean over all entries, detached; booleans count as 0 and 1."""
    terms = terms.detach()
    return (terms if terms.is_floating_point() else terms.to(torch.get_default_dtype())).mean()
