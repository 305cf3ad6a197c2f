"""How many weights a released configuration has, under each rule by which one may count them.

The sizes come from claims, named one by one in the configuration of a run. Weights are counted
twice: from the shape of each, written out here, and from the modules of published modeling code,
made on PyTorch's meta device. Where the two differ the run ends without a result.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import yaml

from evidence_matrix.quantity import Quantity
from evidence_matrix.runs import (
    parameter_accounting_compressed,
    parameter_accounting_latent,
    parameter_accounting_lightning,
)
from evidence_matrix.runs.outcome import write
from evidence_matrix.runs.parameter_accounting_modules import PACKAGE, Made, differences, made
from evidence_matrix.runs.parameter_accounting_weights import (
    Layout,
    Sizes,
    Weight,
    block_factors,
    by_part,
    multiply_adds,
)
from evidence_matrix.store import load

NUMBER_BYTES = 2
"""Bytes of a cached number, in bfloat16."""


LAYOUTS = {
    "latent": parameter_accounting_latent.LAYOUT,
    "compressed": parameter_accounting_compressed.LAYOUT,
    "lightning": parameter_accounting_lightning.LAYOUT,
}


def account(layout: Layout, sizes: Sizes) -> dict[str, Any]:
    """Every part, the totals and the active weights by each rule, cache and operations."""
    main, prediction = layout.main(sizes), layout.prediction(sizes)
    parts, working = by_part(main), by_part(main, active=True)
    ends = parts["embeddings"] + parts["head"]
    total, active = sum(parts.values()), sum(working.values())
    cached = NUMBER_BYTES * layout.cache(sizes)
    kept, with_state = layout.state(sizes)
    result: dict[str, Any] = {
        "parts": parts,
        "total": {"main": total, "main_without_embeddings_and_head": total - ends},
        "active_parts": working,
        "active": {
            "main": active,
            "main_without_embeddings": active - parts["embeddings"],
            "main_without_embeddings_and_head": active - ends,
        },
        "cache_bytes_per_token": int(cached) if cached.denominator == 1 else float(cached),
        "cache_bytes_of_any_length": NUMBER_BYTES * kept,
        "forward_flops_per_token": {
            "with_weights": 2 * multiply_adds(main),
            "with_state": 2 * with_state,
            "with_each_entry_in_view": {
                name: 2 * count for name, count in layout.products(sizes).items()
            },
        },
    }
    if prediction:
        result |= _with_prediction(result, prediction)
        if "scale_block" in sizes:
            factors = block_factors([*main, *prediction], sizes["scale_block"])
            result["block_factors"] = factors
            stored = result["total"]["with_mtp_stored"]
            result["total"]["with_mtp_stored_and_block_factors"] = stored + factors
    return result


def _with_prediction(result: Mapping[str, Any], prediction: list[Weight]) -> dict[str, Any]:
    """Parts and counts of the prediction module, and the totals that take it in."""
    parts = by_part(prediction)
    own, working = sum(parts.values()), sum(by_part(prediction, active=True).values())
    projection = parts["mtp_projection"]
    total = result["total"]["main"]
    ends = total - result["total"]["main_without_embeddings_and_head"]
    return {
        "mtp_parts": parts,
        "mtp": {
            "own": own,
            "own_without_projection": own - projection,
            "with_shared_embeddings_and_head": own + ends,
            "active_with_embeddings_and_head": working + ends,
            "active_with_embeddings_and_head_without_projection": working + ends - projection,
        },
        "total": result["total"]
        | {
            "with_mtp": total + own,
            "with_mtp_without_embeddings_and_head": total + own - ends,
            "with_mtp_stored": total + own + ends,
        },
    }


def agreement(result: Mapping[str, Any], modules: Made) -> dict[str, Any]:
    """That the modules hold what the shapes say, part by part.

    Raises:
        SystemExit: they do not; says where.

    """
    found = [
        *differences(result["parts"], modules.main),
        *differences(result.get("mtp_parts", {}), modules.prediction),
    ]
    if found:
        raise SystemExit("shapes and modules differ in " + "; ".join(found))
    return {
        "class": modules.name,
        "package": f"{PACKAGE} {modules.version}",
        "main": sum(modules.main.values()),
        "mtp": sum(modules.prediction.values()),
    }


def sizes_of(claims: Mapping[str, Any], named: Mapping[str, str]) -> dict[str, int]:
    """The value of each named claim, which must be one exact whole number.

    Raises:
        SystemExit: a claim is not there or not exact.

    """
    sizes = {}
    for name, claim_id in named.items():
        parsed = claims[claim_id].parsed if claim_id in claims else None
        if not isinstance(parsed, Quantity) or not parsed.is_exact or parsed.low is None:
            raise SystemExit(f"{name}: {claim_id} is no claim with one exact number")
        sizes[name] = int(parsed.low)
    return sizes


def main(words: Sequence[str] | None = None) -> None:
    """Counts by the configuration of a run and writes the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("configuration", type=Path, help="layout, class and claims to count by")
    parser.add_argument("--out", type=Path, required=True, help="folder for result.json")
    options = parser.parse_args(words)
    configuration = yaml.safe_load(options.configuration.read_text(encoding="utf-8"))
    layout = LAYOUTS[configuration["layout"]]
    sizes = sizes_of(load(Path.cwd(), date.max).matrix.claims, configuration["sizes"])
    result = account(layout, sizes)
    modules = made(
        configuration["class"], layout.settings(sizes), sizes.get("prediction_layers", 0)
    )
    result["modules"] = agreement(result, modules)
    result["sizes"] = sizes
    print(write(result, options.out))


if __name__ == "__main__":
    main()
