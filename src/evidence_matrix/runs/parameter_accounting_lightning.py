"""Linear attention with some softmax layers, experts in every layer, as in MiniMax-Text-01."""

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
    "expert_width": "intermediate_size",
    "routed": "num_local_experts",
    "active": "num_experts_per_tok",
    "heads": "num_attention_heads",
    "kv_heads": "num_key_value_heads",
    "head_size": "head_dim",
}


def main(sizes: Sizes) -> list[Weight]:
    """The main model; a linear layer has an output gate and a norm over all heads."""
    layers, hidden, routed = sizes["layers"], sizes["hidden"], sizes["routed"]
    softmax = sizes["softmax_layers"]
    heads = sizes["heads"] * sizes["head_size"]
    kept = sizes["kv_heads"] * sizes["head_size"]
    linear = layers - softmax
    return [
        *ends(sizes),
        *every("norms", layers, (hidden,), (hidden,)),
        *every("norms", linear, (heads,)),
        *every("attention", linear, (3 * heads, hidden), (heads, hidden), (hidden, heads)),
        *every(
            "attention", softmax, (heads, hidden), (kept, hidden), (kept, hidden), (hidden, heads)
        ),
        *every("router", layers, (routed, hidden)),
        *gated(
            "routed_experts",
            layers * routed,
            layers * sizes["active"],
            hidden,
            sizes["expert_width"],
        ),
    ]


def settings(sizes: Sizes) -> dict[str, Any]:
    """Softmax layers at even distances, each after its share of linear ones."""
    turn = sizes["layers"] // sizes["softmax_layers"]
    kinds = ["linear_attention"] * (turn - 1) + ["full_attention"]
    return named(sizes, SETTINGS) | {"layer_types": kinds * sizes["softmax_layers"]}


def cache(sizes: Sizes) -> Fraction:
    """Keys and values of the softmax layers."""
    return Fraction(2 * sizes["softmax_layers"] * sizes["kv_heads"] * sizes["head_size"])


def state(sizes: Sizes) -> tuple[int, int]:
    """A square for each head of a linear layer, which a token reads once and changes once."""
    linear = sizes["layers"] - sizes["softmax_layers"]
    kept = linear * sizes["heads"] * sizes["head_size"] ** 2
    return kept, 2 * kept


def products(sizes: Sizes) -> dict[str, int]:
    """Scores and sums in all softmax layers."""
    return {"attention": sizes["softmax_layers"] * sizes["heads"] * 2 * sizes["head_size"]}


LAYOUT = Layout(
    main=main,
    prediction=lambda _: [],
    settings=settings,
    cache=cache,
    state=state,
    products=products,
)
