"""Lanes: labels that do not meet, whatever the days are."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.figures.drawing import text_width
from evidence_matrix.figures.lanes import TYPE, Axis, Flag, timeline
from evidence_matrix.pages.composer import View

START, END = date(2023, 10, 1), date(2026, 10, 1)
FLAGS = st.lists(
    st.tuples(
        st.integers(0, (END - START).days), st.sampled_from(["A", "Heron-1", "Egret 2 of 7B"])
    ),
    min_size=1,
    max_size=40,
)


def drawn(flags: list[tuple[int, str]], kind: str = "release") -> View:
    lane = [
        Flag(START + timedelta(d), kind, text, "../x/", "", f"{text}: day {d}") for d, text in flags
    ]
    kinds = {"release": "Release", "report": "Report"}
    return timeline(
        "one", "Events", "All.", kinds, [("Lab", lane), ("None", [])], (START, END), END
    )


@given(FLAGS)
def test_labels_of_one_level_do_not_meet_and_stay_on_the_sheet(
    flags: list[tuple[int, str]],
) -> None:
    view = drawn(flags)
    width = view["width"]
    levels: dict[int, list[tuple[float, float]]] = {}
    for event in view["lanes"][0]["events"]:
        if not event["text"]:
            continue
        x, size = event["x"] * width / 100, text_width(event["text"], TYPE)
        left = x + 6 - size if event["end"] else x - 6
        levels.setdefault(event["row"], []).append((left, left + size))
        assert event["row"] < view["lanes"][0]["rows"]
        assert left >= -8
        assert left + size <= width + 8
    for spans in levels.values():
        spans.sort()
        for (_, end), (start, _) in pairwise(spans):
            assert end <= start


@given(FLAGS)
def test_every_flag_is_drawn_and_days_of_one_text_share_one_label(
    flags: list[tuple[int, str]],
) -> None:
    events = drawn(flags)["lanes"][0]["events"]
    assert len(events) == len(flags)
    assert sum(bool(event["text"]) for event in events) == len(set(flags))


def test_marks_of_one_day_stand_side_by_side() -> None:
    events = drawn([(100, "Heron-1"), (100, "Heron-1"), (100, "Egret 2 of 7B")])["lanes"][0][
        "events"
    ]
    assert len({event["x"] for event in events}) == 3


def test_later_is_further_right() -> None:
    axis = Axis.spanning(START, END)
    days = [START + timedelta(n) for n in range(0, 1000, 37)]
    assert [axis.x(day) for day in days] == sorted(axis.x(day) for day in days)


def test_an_axis_has_a_tick_a_quarter_and_names_its_years() -> None:
    ticks = Axis.spanning(START, END).ticks()
    assert len(ticks) == 13
    assert [tick["text"] for tick in ticks if tick["year"]] == ["2024", "2025", "2026"]
    assert ticks[0]["text"] == "Oct 2023"


def test_lanes_and_kinds_without_a_mark_are_left_out() -> None:
    view = drawn([(5, "A")])
    assert [lane["title"] for lane in view["lanes"]] == ["Lab"]
    assert [kind["kind"] for kind in view["kinds"]] == ["release"]


@pytest.mark.parametrize("day", [START, END])
def test_the_ends_of_the_axis_are_on_the_sheet(day: date) -> None:
    axis = Axis.spanning(START, END)
    assert 0 < axis.x(day) < axis.width
