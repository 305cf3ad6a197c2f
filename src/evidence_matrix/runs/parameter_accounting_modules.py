"""What published modeling code holds, its modules made without memory for their weights."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import torch

PACKAGE = "transformers"

_PLACES = (
    ("embeddings", r"\bembed_tokens\."),
    ("head", r"\blm_head\."),
    ("mtp_projection", r"\beh_proj\."),
    ("indexer", r"\.indexer\."),
    ("residual_mixing", r"\.(attn_hc|ffn_hc|hc_head)\."),
    ("norms", r"norm\.(weight|bias)$"),
    ("routed_experts", r"\.mlp\.experts\."),
    ("shared_experts", r"\.shared_experts?\."),
    ("router", r"\.mlp\.gate\."),
    ("attention", r"\.self_attn\."),
    ("dense_ffn", r"\.mlp\.\w+_proj\."),
)
"""The first that fits a name says to which part the weight belongs."""

LEARNED_BUFFER = "e_score_correction_bias"
"""Kept as a buffer, yet learned and stored with the weights; other buffers are computed."""


@dataclass(frozen=True)
class Made:
    """What the modules of a class hold, by part.

    Attributes:
        version: version of the package that has the class.
        prediction: of the layers that predict further tokens; empty where there are none.
    """

    name: str
    version: str
    main: dict[str, int]
    prediction: dict[str, int]


def part_of(name: str) -> str:
    """The part of a weight by its name in the module.

    Raises:
        ValueError: no part has such a name.

    """
    for part, pattern in _PLACES:
        if re.search(pattern, name):
            return part
    raise ValueError(f"the weight {name} belongs to no known part")


def counted(module: torch.nn.Module) -> dict[str, int]:
    """Weights of each part, those of shared modules once."""
    sums: dict[str, int] = {}
    for name, tensor in _weights(module):
        part = part_of(name)
        sums[part] = sums.get(part, 0) + tensor.numel()
    return sums


def differences(shapes: Mapping[str, int], modules: Mapping[str, int]) -> list[str]:
    """The parts on which two counts differ, each in one phrase."""
    return [
        f"{part}: {shapes.get(part, 0)} by shapes, {modules.get(part, 0)} by modules"
        for part in sorted({*shapes, *modules})
        if shapes.get(part, 0) != modules.get(part, 0)
    ]


def made(name: str, settings: Mapping[str, Any], prediction_layers: int) -> Made:
    """The modules of `<name>ForCausalLM` with these settings, on PyTorch's meta device.

    Raises:
        SystemExit: the package is not installed.

    """
    try:
        package = importlib.import_module(PACKAGE)
    except ModuleNotFoundError as error:
        raise SystemExit(
            f"{PACKAGE} is not installed; install the extra `accounting` of this package"
        ) from error
    configuration = getattr(package, f"{name}Config")(**settings)
    with torch.device("meta"):
        main = getattr(package, f"{name}ForCausalLM")(configuration)
        prediction = {}
        if prediction_layers:
            layers = importlib.import_module(f"{PACKAGE}.modeling_layers")
            prediction = counted(layers.MtpModel(main, prediction_layers).layers)
    return Made(f"{name}ForCausalLM", package.__version__, counted(main), prediction)


def _weights(module: torch.nn.Module) -> Iterator[tuple[str, torch.Tensor]]:
    yield from module.named_parameters()
    for name, buffer in module.named_buffers():
        if name.endswith(LEARNED_BUFFER):
            yield name, buffer
