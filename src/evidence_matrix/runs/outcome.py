"""What every run shares: one thread, numbers written one way, spread over seeds, a command line."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

SIGNIFICANT = 5
"""Digits kept of a number: enough to read, too few for the last bit of another processor."""

ZERO = 1e-7
"""Below this a number is rounding error and written as 0."""


def spread(values: Iterable[float]) -> dict[str, float]:
    """Mean, lowest and highest of one number a seed."""
    found = [float(value) for value in values]
    return {"mean": math.fsum(found) / len(found), "low": min(found), "high": max(found)}


def spreads(found: Sequence[Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """The spread of each named number over what was found, one mapping a seed."""
    return {name: spread(each[name] for each in found) for name in found[0]}


def text(result: Mapping[str, Any]) -> str:
    """The result as JSON: sorted keys, rounded numbers, one line a value.

    Raises:
        ValueError: a number that is not finite.

    """
    return json.dumps(_rounded(result), indent=2, sort_keys=True, allow_nan=False) + "\n"


def write(result: Mapping[str, Any], folder: Path) -> Path:
    """Writes `result.json` into `folder`, and says where."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "result.json"
    path.write_bytes(text(result).encode())
    return path


def single_threaded() -> None:
    """One thread and deterministic kernels, so that sums are added in one order."""
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)


def command_line(program: Callable[[], Mapping[str, Any]], description: str) -> None:
    """Runs `program` and writes its result into the folder given with `--out`."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--out", type=Path, required=True, help="folder for result.json")
    arguments = parser.parse_args()
    single_threaded()
    print(write(program(), arguments.out))


def _rounded(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(each) for each in value]
    if isinstance(value, float):
        return 0.0 if abs(value) < ZERO else float(f"{value:.{SIGNIFICANT}g}")
    return value
