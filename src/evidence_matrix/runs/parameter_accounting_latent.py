"""Latent attention with experts, as DeepSeek-V3 and its relatives are built."""

from __future__ import annotations

from fractions import Fraction

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
    "dense_layers": "first_k_dense_replace",
    "dense_width": "intermediate_size",
    "expert_width": "moe_intermediate_size",
    "routed": "n_routed_experts",
    "shared": "n_shared_experts",
    "active": "num_experts_per_tok",
    "heads": "num_attention_heads",
    "q_rank": "q_lora_rank",
    "kv_rank": "kv_lora_rank",
    "plain_size": "qk_nope_head_dim",
    "rotary_size": "qk_rope_head_dim",
    "value_size": "v_head_dim",
    "indexer_heads": "index_n_heads",
    "indexer_size": "index_head_dim",
}


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
        *ends(sizes),
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


def latent_cache(sizes: Sizes) -> Fraction:
    """Numbers that stay of one token: latent, rotary key, and key of the indexer."""
    kept = sizes["kv_rank"] + sizes["rotary_size"] + sizes.get("indexer_size", 0)
    return Fraction(sizes["layers"] * kept)


def latent_products(sizes: Sizes) -> dict[str, int]:
    """Scores and sums in all layers, and scores of the indexer."""
    widths = sizes["plain_size"] + sizes["rotary_size"] + sizes["value_size"]
    products = {"attention": sizes["layers"] * sizes["heads"] * widths}
    if "indexer_heads" in sizes:
        indexed = sizes["indexer_heads"] * sizes["indexer_size"]
        products["indexer"] = sizes["layers"] * indexed
    return products


LAYOUT = Layout(
    main=latent_experts,
    prediction=latent_prediction,
    settings=lambda sizes: named(sizes, SETTINGS),
    cache=latent_cache,
    state=lambda _: (0, 0),
    products=latent_products,
)
