"""Attention over a window and compressed entries, experts in every layer, as in DeepSeek-V4."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from evidence_matrix.runs.parameter_accounting_weights import (
    Layout,
    Sizes,
    Weight,
    ends,
    every,
    gated,
    named,
)

SETTINGS = {
    "vocabulary": "vocab_size",
    "hidden": "hidden_size",
    "layers": "num_hidden_layers",
    "hash_layers": "num_hash_layers",
    "expert_width": "moe_intermediate_size",
    "routed": "n_routed_experts",
    "shared": "n_shared_experts",
    "active": "num_experts_per_tok",
    "heads": "num_attention_heads",
    "head_size": "head_dim",
    "q_rank": "q_lora_rank",
    "output_groups": "o_groups",
    "output_rank": "o_lora_rank",
    "window": "sliding_window",
    "sparse_rate": "compress_rate_csa",
    "heavy_rate": "compress_rate_hca",
    "indexer_heads": "index_n_heads",
    "indexer_size": "index_head_dim",
    "streams": "hc_mult",
}


def compressor(part: str, layers: int, sizes: Sizes, width: int, rate: int) -> list[Weight]:
    """Merges groups of `rate` tokens: values, their gates, and a bias for each place of a group."""
    return [
        *every(part, layers, (width, sizes["hidden"]), (width, sizes["hidden"])),
        *every(part, layers, (rate * width,)),
    ]


def attention(sizes: Sizes) -> list[Weight]:
    """Queries through a low rank, one head that is key and value, outputs in groups."""
    layers, hidden, heads, size = (
        sizes[name] for name in ("layers", "hidden", "heads", "head_size")
    )
    q_rank, groups, out_rank = sizes["q_rank"], sizes["output_groups"], sizes["output_rank"]
    sparse, heavy = sizes["sparse_layers"], sizes["heavy_layers"]
    index_heads, index_size = sizes["indexer_heads"], sizes["indexer_size"]
    return [
        *every(
            "attention",
            layers,
            (q_rank, hidden),
            (heads * size, q_rank),
            (size, hidden),
            (groups * out_rank, heads * size // groups),
            (hidden, groups * out_rank),
            (heads,),
        ),
        *every("norms", layers, (q_rank,), (size,)),
        # Groups overlap where attention picks them: a token counts for its own and for the next.
        *compressor("attention", sparse, sizes, 2 * size, sizes["sparse_rate"]),
        *compressor("attention", heavy, sizes, size, sizes["heavy_rate"]),
        *every("norms", sparse + heavy, (size,)),
        *compressor("indexer", sparse, sizes, 2 * index_size, sizes["sparse_rate"]),
        *every(
            "indexer",
            sparse,
            (index_heads * index_size, q_rank),
            (index_heads, hidden),
            (index_size,),
        ),
    ]


def mixing(sizes: Sizes) -> list[Weight]:
    """What mixes the streams around each of the two blocks of a layer, and at the end."""
    streams = sizes["streams"]
    wide, mixed = streams * sizes["hidden"], (2 + streams) * streams
    return [
        *every("residual_mixing", 2 * sizes["layers"], (mixed, wide), (mixed,), (3,)),
        *every("residual_mixing", 1, (streams, wide), (streams,), (1,)),
    ]


def main(sizes: Sizes) -> list[Weight]:
    """The main model; layers that route by a hash of the token have no bias for the load."""
    layers, hidden, width, routed = (
        sizes[name] for name in ("layers", "hidden", "expert_width", "routed")
    )
    return [
        *ends(sizes),
        *every("norms", layers, (hidden,), (hidden,)),
        *attention(sizes),
        *mixing(sizes),
        *every("router", layers, (routed, hidden)),
        *every("router", layers - sizes["hash_layers"], (routed,)),
        *gated("routed_experts", layers * routed, layers * sizes["active"], hidden, width),
        *gated("shared_experts", layers, layers, hidden, width * sizes["shared"]),
    ]


def settings(sizes: Sizes) -> dict[str, Any]:
    """Layers in the order window alone, then both compressions in turn, the sparse one first."""
    sparse, heavy = sizes["sparse_layers"], sizes["heavy_layers"]
    turns = ["compressed_sparse_attention", "heavily_compressed_attention"] * max(sparse, heavy)
    window = ["sliding_attention"] * (sizes["layers"] - sparse - heavy)
    return named(sizes, SETTINGS) | {"layer_types": window + turns[: sparse + heavy]}


def cache(sizes: Sizes) -> Fraction:
    """A token's share of compressed entries, and of the keys of the indexer."""
    picked = Fraction(sizes["head_size"] + sizes["indexer_size"], sizes["sparse_rate"])
    heavy = Fraction(sizes["head_size"], sizes["heavy_rate"])
    return sizes["sparse_layers"] * picked + sizes["heavy_layers"] * heavy


def state(sizes: Sizes) -> tuple[int, int]:
    """The window of each layer, when it is full."""
    kept = sizes["layers"] * sizes["window"] * sizes["head_size"]
    return kept, 2 * sizes["heads"] * kept


def products(sizes: Sizes) -> dict[str, int]:
    """For one layer, since layers look at different numbers of entries."""
    return {
        "attention_of_one_layer": 2 * sizes["heads"] * sizes["head_size"],
        "indexer_of_one_layer": sizes["indexer_heads"] * sizes["indexer_size"],
    }


LAYOUT = Layout(
    main=main,
    prediction=lambda _: [],
    settings=settings,
    cache=cache,
    state=state,
    products=products,
)
