"""Panels: curves over one axis with ticks, drawn when the site is built."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from evidence_matrix.figures.curves import is_edge
from evidence_matrix.figures.drawing import short, text_width
from evidence_matrix.pages.composer import View

WIDTH, HEIGHT = 340, 212
LEFT, RIGHT, TOP, BOTTOM = 38, 10, 26, 38
TYPE = 12  # pixels, as the stylesheet sets labels
JUMP = 0.02  # of the height: what is less is no jump
MOST_TICKS = 6


@dataclass(frozen=True, slots=True)
class Line:
    """A curve to draw: its number, its points from the left, and where it is still."""

    number: int
    points: Sequence[tuple[float, float]]
    still: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True, slots=True)
class Axis:
    """Numbers from `low` to `high`, drawn from one pixel to another."""

    low: float
    high: float
    start: float
    end: float

    def at(self, number: float) -> float:
        """The pixel of a number."""
        share = (number - self.low) / ((self.high - self.low) or 1)
        return self.start + share * (self.end - self.start)

    @property
    def ticks(self) -> list[float]:
        """Round numbers within the axis, as many as can be read."""
        span = (self.high - self.low) or 1
        power = 10.0 ** math.floor(math.log10(span / MOST_TICKS))
        step = next(f * power for f in (1, 2, 5, 10) if span / (f * power) <= MOST_TICKS)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [round(step * i, 10) for i in range(first, last + 1)]


def number(value: float) -> str:
    """A number in three digits at most, with a proper minus."""
    return f"{0 if value == 0 else value:.3g}".replace("e-0", "e-").replace("-", "−")


def panel(
    title: str, axis: str, lines: Sequence[Line], scale: tuple[float, float] | None = None
) -> View:
    """A panel as its template takes it.

    Args:
        title: what is drawn.
        axis: what is counted along the bottom.
        lines: the curves.
        scale: least and greatest value of the axis, where panels share it.
    """
    places = [x for line in lines for x, _ in line.points]
    values = [y for line in lines for _, y in line.points]
    start = 0.0 if 0 < min(places) <= 0.1 else min(places)  # a ratio of 0 has no logarithm
    across = Axis(start, max(places), LEFT, WIDTH - RIGHT)
    up = _upward(scale or values)
    return {
        "title": title,
        "axis": axis,
        "width": WIDTH,
        "height": HEIGHT,
        "frame": {
            "left": LEFT,
            "right": WIDTH - RIGHT,
            "top": TOP,
            "bottom": HEIGHT - BOTTOM,
            "middle": short((LEFT + WIDTH - RIGHT) / 2),
            "zero": short(up.at(0)) if up.low < 0 < up.high else "",
        },
        "across": [{"at": short(across.at(tick)), "text": number(tick)} for tick in across.ticks],
        "up": [{"at": short(up.at(tick)), "text": number(tick)} for tick in up.ticks],
        "lines": [_line(line, across, up) for line in lines],
    }


def _upward(values: Sequence[float]) -> Axis:
    """The axis of values, with zero on it and a little air."""
    low, high = min(0.0, *values), max(0.0, *values)
    air = 0.04 * ((high - low) or 1)
    axis = Axis(low - (air if low < 0 else 0), high + air, HEIGHT - BOTTOM, TOP)
    widest = max(text_width(number(tick), TYPE) for tick in axis.ticks)
    assert widest <= LEFT, f"the numbers {axis.ticks} are wider than the margin"
    return axis


def _line(line: Line, across: Axis, up: Axis) -> View:
    runs, jumps = _runs(line.points, JUMP * (up.high - up.low))
    return {
        "number": line.number,
        "path": "".join(_path(run, across, up) for run in runs),
        "jumps": "".join(_path(jump, across, up) for jump in jumps),
        "still": [
            {"x": short(across.at(a)), "width": short(across.at(b) - across.at(a))}
            for a, b in line.still
        ],
    }


def _runs(
    points: Sequence[tuple[float, float]], jump: float
) -> tuple[list[list[tuple[float, float]]], list[list[tuple[float, float]]]]:
    """The pieces of a curve between its jumps, and the jumps."""
    runs, jumps = [[points[0]]], []
    for before, point in pairwise(points):
        if is_edge(before[0], point[0]) and abs(point[1] - before[1]) > jump:
            jumps.append([before, point])
            runs.append([point])
        else:
            runs[-1].append(point)
    return runs, jumps


def _path(points: Iterable[tuple[float, float]], across: Axis, up: Axis) -> str:
    return "M" + "L".join(f"{short(across.at(x))} {short(up.at(y))}" for x, y in points)
