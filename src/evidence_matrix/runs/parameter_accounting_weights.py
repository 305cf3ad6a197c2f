"""The weights of a released layout, each with its shape, how many there are and how many work."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

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


def every(
    part: str, copies: int, *shapes: tuple[int, ...], in_blocks: bool = False
) -> list[Weight]:
    """Weights of these shapes in `copies` layers, all of which work on every token."""
    return [Weight(part, shape, copies, copies, in_blocks) for shape in shapes]


def gated(part: str, copies: int, active: int, hidden: int, width: int) -> list[Weight]:
    """A feed-forward block with a gate: gate, up and down."""
    shapes = (width, hidden), (width, hidden), (hidden, width)
    return [Weight(part, shape, copies, active, in_blocks=True) for shape in shapes]


def experts(sizes: Sizes, layers: int) -> list[Weight]:
    """Router, routed and shared experts of `layers` layers; a bias steers the load of each."""
    hidden, width, routed = sizes["hidden"], sizes["expert_width"], sizes["routed"]
    return [
        *every("router", layers, (routed, hidden), (routed,)),
        *gated("routed_experts", layers * routed, layers * sizes["active"], hidden, width),
        *gated("shared_experts", layers, layers, hidden, width * sizes["shared"]),
    ]


def latent_attention(sizes: Sizes, layers: int) -> list[Weight]:
    """Queries, and keys with values, through a low rank; an indexer where the sizes name one."""
    hidden, heads, q_rank, kv_rank = (
        sizes[name] for name in ("hidden", "heads", "q_rank", "kv_rank")
    )
    plain, rotary, value = sizes["plain_size"], sizes["rotary_size"], sizes["value_size"]
    weights = [
        *every(
            "attention",
            layers,
            (q_rank, hidden),
            (heads * (plain + rotary), q_rank),
            (kv_rank + rotary, hidden),
            (heads * (plain + value), kv_rank),
            (hidden, heads * value),
            in_blocks=True,
        ),
        *every("norms", layers, (q_rank,), (kv_rank,)),
    ]
    if "indexer_heads" in sizes:
        index_heads, index_size = sizes["indexer_heads"], sizes["indexer_size"]
        queries, keys = (index_heads * index_size, q_rank), (index_size, hidden)
        weights += every("indexer", layers, queries, keys, in_blocks=True)
        # The norm of the keys has a weight and a bias.
        weights += every("indexer", layers, (index_heads, hidden), (index_size,), (index_size,))
    return weights


def latent_experts(sizes: Sizes) -> list[Weight]:
    """Latent attention, and experts in all but the first layers."""
    hidden, layers, dense = sizes["hidden"], sizes["layers"], sizes["dense_layers"]
    return [
        *every("embeddings", 1, (sizes["vocabulary"], hidden)),
        *every("head", 1, (sizes["vocabulary"], hidden)),
        *every("norms", 1, (hidden,)),
        *every("norms", layers, (hidden,), (hidden,)),
        *latent_attention(sizes, layers),
        *gated("dense_ffn", dense, dense, hidden, sizes["dense_width"]),
        *experts(sizes, layers - dense),
    ]


def latent_prediction(sizes: Sizes) -> list[Weight]:
    """The layers that predict further tokens, without the embedding and the head they share."""
    hidden, layers = sizes["hidden"], sizes.get("prediction_layers", 0)
    if not layers:
        return []
    return [
        # The token's embedding and the state before it, side by side, each with a norm.
        *every("mtp_projection", layers, (hidden, 2 * hidden)),
        *every("norms", layers, *((hidden,),) * 5),
        *latent_attention(sizes, layers),
        *experts(sizes, layers),
    ]


def latent_cache(sizes: Sizes) -> int:
    """Numbers that stay of one token: latent, rotary key, and key of the indexer."""
    kept = sizes["kv_rank"] + sizes["rotary_size"] + sizes.get("indexer_size", 0)
    return sizes["layers"] * kept


def latent_products(sizes: Sizes) -> dict[str, int]:
    """Multiply-adds with one earlier token: scores and sums, and scores of the indexer."""
    widths = sizes["plain_size"] + sizes["rotary_size"] + sizes["value_size"]
    products = {"attention": sizes["layers"] * sizes["heads"] * widths}
    if "indexer_heads" in sizes:
        indexed = sizes["indexer_heads"] * sizes["indexer_size"]
        products["indexer"] = sizes["layers"] * indexed
    return products


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
