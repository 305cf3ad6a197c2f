"""Weights by shape: how many there are, how many work on one token, and sums over them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Sizes = Mapping[str, int]

PARTS = (
    "embeddings",
    "attention",
    "indexer",
    "dense_ffn",
    "routed_experts",
    "shared_experts",
    "router",
    "residual_mixing",
    "norms",
    "head",
    "mtp_projection",
)


@dataclass(frozen=True)
class Weight:
    """A weight that the model holds `copies` times.

    Attributes:
        part: one of `PARTS`.
        shape: rows and columns, or one length for a vector.
        copies: in how many layers, and experts of a layer, it stands.
        active: how many of the copies work on one token.
        in_blocks: whether a release in eight bits keeps factors for its blocks.
    """

    part: str
    shape: tuple[int, ...]
    copies: int
    active: int
    in_blocks: bool = False

    @property
    def size(self) -> int:
        """Entries of one copy."""
        return math.prod(self.shape)


@dataclass(frozen=True)
class Layout:
    """How models of one kind are built, as functions of their sizes.

    Attributes:
        main: weights of the main model.
        prediction: those of the layers that predict further tokens, without what they share.
        settings: arguments of the configuration class that makes the same modules.
        cache: numbers that stay of one token.
        state: numbers that stay whatever the length, and multiply-adds of a token with them.
        products: multiply-adds of one token with one cached entry that it looks at.
    """

    main: Callable[[Sizes], list[Weight]]
    prediction: Callable[[Sizes], list[Weight]]
    settings: Callable[[Sizes], dict[str, Any]]
    cache: Callable[[Sizes], Fraction]
    state: Callable[[Sizes], tuple[int, int]]
    products: Callable[[Sizes], dict[str, int]]


def named(sizes: Sizes, names: Mapping[str, str]) -> dict[str, Any]:
    """The sizes under the names of a configuration class; those without one are left out."""
    return {names[size]: value for size, value in sizes.items() if size in names}


def ends(sizes: Sizes) -> list[Weight]:
    """Embedding, output head and the norm before it."""
    matrix = sizes["vocabulary"], sizes["hidden"]
    return [
        *every("embeddings", 1, matrix),
        *every("head", 1, matrix),
        *every("norms", 1, (sizes["hidden"],)),
    ]


def every(
    part: str, copies: int, *shapes: tuple[int, ...], in_blocks: bool = False
) -> list[Weight]:
    """Weights of these shapes in `copies` layers, all of which work on every token."""
    return [Weight(part, shape, copies, copies, in_blocks) for shape in shapes]


def gated(part: str, copies: int, active: int, hidden: int, width: int) -> list[Weight]:
    """A feed-forward block with a gate: gate, up and down."""
    shapes = (width, hidden), (width, hidden), (hidden, width)
    return [Weight(part, shape, copies, active, in_blocks=True) for shape in shapes]


def by_part(weights: Iterable[Weight], *, active: bool = False) -> dict[str, int]:
    """Weights of each part that has any; with `active`, of those that work on one token."""
    sums = dict.fromkeys(PARTS, 0)
    for weight in weights:
        sums[weight.part] += weight.size * (weight.active if active else weight.copies)
    return {part: count for part, count in sums.items() if count}


def block_factors(weights: Iterable[Weight], side: int) -> int:
    """Factors of square blocks of `side`; a block that is not full has one too."""
    return sum(
        weight.copies * math.prod(-(-length // side) for length in weight.shape)
        for weight in weights
        if weight.in_blocks
    )


def multiply_adds(weights: Iterable[Weight]) -> int:
    """Multiply-adds of one token with every matrix it passes; an embedding is looked up."""
    return sum(
        weight.size * weight.active
        for weight in weights
        if len(weight.shape) == 2 and weight.part != "embeddings"
    )
