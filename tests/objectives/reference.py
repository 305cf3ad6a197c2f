"""The reference vectors: values that independent implementations gave for small inputs."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

VECTORS = Path(__file__).parent / "vectors"


def as_tensor(value: Any) -> Tensor:
    """Numbers as float64, except lists of integers alone (ids, labels), which stay integers."""
    if torch.tensor(value).is_floating_point():
        return torch.tensor(value, dtype=torch.float64)
    return torch.tensor(value)


@dataclass(frozen=True)
class Case:
    """One reference case: what an oracle was given, and what it answered."""

    record: dict[str, Any]

    @property
    def constants(self) -> dict[str, Any]:
        return self.record["hyperparameters"]

    def __getitem__(self, name: str) -> Tensor:
        """The input `name`."""
        return as_tensor(self.record["inputs"][name])

    def leaf(self, name: str) -> Tensor:
        """The input `name` as float64 that collects gradient."""
        return self[name].double().requires_grad_()

    def check(self, name: str, got: Tensor, *, atol: float = 0.0) -> None:
        """`got` is the oracle's output `name`; `atol` widens the case's own tolerance."""
        self._close(name, got, self.record["outputs"][name], atol)

    def check_loss(self, loss: Tensor, *, atol: float = 0.0, **leaves: Tensor) -> None:
        """`loss` is the oracle's, and so is its gradient in every input that has one."""
        self.check("loss", loss, atol=atol)
        expected = self.record["gradients_of_loss"]
        assert set(leaves) == set(expected), f"the case has gradients of {sorted(expected)}"
        got = torch.autograd.grad(loss, list(leaves.values()))
        for (name, leaf), gradient in zip(leaves.items(), got, strict=True):
            assert gradient.shape == leaf.shape
            self._close(f"gradient of {name}", gradient, expected[name], atol)

    def _close(self, name: str, got: Tensor, expected: Any, atol: float) -> None:
        tolerance = self.record["tolerance"]
        torch.testing.assert_close(
            got.detach().double(),
            as_tensor(expected).double(),
            rtol=tolerance["rtol"],
            atol=max(tolerance["atol"], atol),
            msg=lambda text: f"{self.record['id']}: {name}: {text}",
        )


@functools.cache
def all_cases() -> dict[str, Case]:
    """Every case of every vector file, by its id."""
    found = {}
    for path in sorted(VECTORS.glob("*.json")):
        for record in json.loads(path.read_text(encoding="utf-8"))["cases"]:
            assert record["id"] not in found, f"two cases are called {record['id']}"
            found[record["id"]] = Case(record)
    return found
