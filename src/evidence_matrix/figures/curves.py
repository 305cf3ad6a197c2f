"""Curves that a run recorded of objectives, read back, and what can be read off them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

RUN = "objective-shapes"
FILE = "shapes.jsonl"
STEP_ASIDE = 3e-4
"""Places nearer than this, as a share of themselves, are the two sides of one edge."""

Setting = Mapping[str, float | str]


@dataclass(frozen=True, slots=True)
class Curve:
    """What an objective does over one axis, under one setting and sign of the advantage.

    Attributes:
        x: places on the axis, growing; an edge is read on both sides.
        term: what the objective makes of the sample at each place.
        gradient: what it sends to the log-probability there.
    """

    figure: str
    setting: Setting
    sign: int
    x: tuple[float, ...]
    term: tuple[float, ...]
    gradient: tuple[float, ...]

    @property
    def still(self) -> list[tuple[float, float]]:
        """Stretches of two places and more on which there is no gradient."""
        found: list[list[float]] = []
        for place, before, value in zip(
            self.x, (None, *self.gradient), self.gradient, strict=False
        ):
            if value == 0 and before == 0:
                found[-1][1] = place
            elif value == 0:
                found.append([place, place])
        return [(start, end) for start, end in found if end > start]

    @property
    def turns(self) -> list[tuple[float, float]]:
        """Places between which the gradient changes its sign; the same one twice where it is 0."""
        signs = [(x, value) for x, value in zip(self.x, self.gradient, strict=True) if value]
        found = []
        for (x, one), (other_x, other) in pairwise(signs):
            if one * other < 0:
                zeros = [at for at in self.x if x < at < other_x]
                found.append((zeros[0], zeros[-1]) if zeros else (x, other_x))
        return found

    @property
    def greatest(self) -> tuple[float, float]:
        """The gradient that is greatest in size, and where it first is."""
        place = max(range(len(self.x)), key=lambda i: abs(self.gradient[i]))
        return self.gradient[place], self.x[place]

    def gradient_at(self, x: float) -> float | None:
        """The gradient recorded at a place; None where it was not read there."""
        return next((g for at, g in zip(self.x, self.gradient, strict=True) if at == x), None)


def read(path: Path) -> dict[str, tuple[Curve, ...]]:
    """Curves by figure, in the order of the file."""
    found: dict[str, list[Curve]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        x, term, gradient = (tuple(record[name]) for name in ("x", "term", "gradient"))
        curve = Curve(record["figure"], record["setting"], record["sign"], x, term, gradient)
        found.setdefault(curve.figure, []).append(curve)
    return {name: tuple(curves) for name, curves in found.items()}


def settings(curves: Sequence[Curve]) -> list[Setting]:
    """The settings of a figure's curves, each once."""
    found: list[Setting] = []
    for curve in curves:
        if curve.setting not in found:
            found.append(curve.setting)
    return found


def shared(found: Sequence[Setting]) -> Setting:
    """What all settings of a figure have in common."""
    first, *rest = found
    return {
        name: value
        for name, value in first.items()
        if rest and all(name in other and other[name] == value for other in rest)
    }


def is_edge(x: float, other: float) -> bool:
    """Whether two places that follow each other are the sides of one edge."""
    return other - x < STEP_ASIDE * abs(other)
