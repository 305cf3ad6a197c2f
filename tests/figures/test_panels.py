"""Panels: what is drawn of invented curves stands where its numbers say."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.figures.panels import (
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    Axis,
    Line,
    number,
    panel,
)

numbers = st.floats(-1e4, 1e4, allow_nan=False).map(lambda value: round(value, 3))


def points(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"[ML]([-\d.]+) ([-\d.]+)", path)]


@given(low=numbers, span=st.floats(1e-3, 1e4))
def test_ticks_lie_on_the_axis_are_round_and_few(low: float, span: float) -> None:
    ticks = Axis(low, low + span, 0, 100).ticks
    assert 2 <= len(ticks) <= 7
    assert all(low - span * 1e-6 <= tick <= low + span * (1 + 1e-6) for tick in ticks)
    steps = {round((b - a) / span, 6) for a, b in pairwise(ticks)}
    assert max(steps) - min(steps) < 1e-5


# A record has nothing between 0 and 1e-7.
@given(values=st.lists(st.floats(-50, 50).map(lambda y: round(y, 7)), min_size=2, max_size=12))
def test_a_curve_stays_within_its_frame(values: list[float]) -> None:
    line = Line(1, [(1 + i, y) for i, y in enumerate(values)])
    drawn = panel("t", "x", [line])["lines"][0]
    for x, y in points(drawn["path"]):
        assert LEFT <= x <= WIDTH - RIGHT
        assert TOP <= y <= HEIGHT - BOTTOM


def test_greater_values_stand_higher_and_zero_is_on_the_axis() -> None:
    drawn = panel("t", "x", [Line(1, [(1, 2), (2, 4)])])
    (_, low), (_, high) = points(drawn["lines"][0]["path"])
    assert high < low < HEIGHT - BOTTOM
    assert drawn["up"][0] == {"at": str(HEIGHT - BOTTOM), "text": "0"}
    assert drawn["frame"]["zero"] == ""
    assert panel("t", "x", [Line(1, [(1, -2), (2, 4)])])["frame"]["zero"]


def test_a_jump_between_the_sides_of_an_edge_is_no_part_of_the_curve() -> None:
    edge = [(1.0, 1.0), (1.1999, 1.2), (1.2001, 0.0), (2.0, 0.0)]
    drawn = panel("t", "x", [Line(1, edge)])["lines"][0]
    assert drawn["path"].count("M") == 2
    assert len(points(drawn["jumps"])) == 2
    knee = [(1.0, 1.0), (1.1999, 1.1999), (1.2001, 1.2), (2.0, 1.2)]
    drawn = panel("t", "x", [Line(1, knee)])["lines"][0]
    assert (drawn["path"].count("M"), drawn["jumps"]) == (1, "")


def test_stretches_without_gradient_are_as_wide_as_they_are() -> None:
    line = Line(2, [(0, 1), (4, 1)], still=[(1, 3)])
    (still,) = panel("t", "x", [line])["lines"][0]["still"]
    middle = (LEFT + WIDTH - RIGHT) / 2
    x, width = float(still["x"]), float(still["width"])
    assert width == pytest.approx((WIDTH - RIGHT - LEFT) / 2, abs=0.1)
    assert x + width / 2 == pytest.approx(middle, abs=0.1)


def test_panels_with_one_scale_have_the_same_ticks() -> None:
    small, great = (panel("t", "x", [Line(1, [(0, 0), (1, y)])], (0, 9)) for y in (1, 9))
    assert small["up"] == great["up"]
    assert small["lines"] != great["lines"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (-0.0, "0"), (-2, "−2"), (1.2801, "1.28"), (0.0004, "0.0004"), (1.2e-9, "1.2e−9")],
)
def test_numbers_are_short_and_have_a_proper_minus(value: float, text: str) -> None:
    assert number(value) == text
