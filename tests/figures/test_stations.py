"""Stations: boxes that do not overlap, in a line, a loop and a stack, wide and narrow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.figures.drawing import Drawing, Shape, text_width
from evidence_matrix.figures.stations import NARROW, TYPE, WIDE, Form, Item, Station, draw

ITEMS = st.lists(
    st.builds(
        Item,
        who=st.sampled_from(["", "Heron-1", "Heron-1, environment tasks of the second stage"]),
        text=st.sampled_from(["96B", "more than 10K tasks", "a long text " * 12]),
        label=st.sampled_from("DCRIU"),
        href=st.just("../x/"),
        words=st.just("says"),
        since=st.just("2025-01-30"),
    ),
    max_size=9,
).map(tuple)
STATIONS = st.lists(
    st.builds(
        Station,
        title=st.sampled_from(["Rollouts", "Preferences and reward models of every kind"]),
        note=st.sampled_from(["", "A model gives a number."]),
        items=ITEMS,
        rest=st.sampled_from(["", "and 3 more"]),
        rest_href=st.just("#table"),
        aside=st.just(False),
    ),
    min_size=1,
    max_size=9,
)
FORMS: tuple[Form, ...] = ("line", "loop", "stack")


def boxes(sheet: Drawing) -> list[Shape]:
    return [shape for mark in sheet.marks for shape in mark.shapes if shape.style == "box"]


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("form", FORMS)
@given(stations=STATIONS)
def test_boxes_stay_apart_and_on_the_sheet(
    form: Form, width: float, stations: list[Station]
) -> None:
    sheet = draw(stations, form, width)
    found = boxes(sheet)
    assert len(found) == len(stations)
    for number, one in enumerate(found):
        assert one.x >= 0
        assert one.x + one.width <= sheet.width
        assert one.y + one.height <= sheet.height
        for other in found[number + 1 :]:
            apart = (
                one.x + one.width <= other.x
                or other.x + other.width <= one.x
                or one.y + one.height <= other.y
                or other.y + other.height <= one.y
            )
            assert apart


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("form", FORMS)
@given(stations=STATIONS)
def test_all_words_lie_in_a_box(form: Form, width: float, stations: list[Station]) -> None:
    sheet = draw(stations, form, width)
    found = boxes(sheet)
    for mark in sheet.marks:
        for words in mark.texts:
            holds = [
                box
                for box in found
                if box.x <= words.x <= box.x + box.width and box.y < words.y <= box.y + box.height
            ]
            assert len(holds) == 1
            if words.style in ("who", "text"):
                assert words.x + text_width(words.text, TYPE) <= holds[0].x + holds[0].width


def item(text: str, label: str = "D") -> Item:
    return Item("", text, label, f"../{text}/", f"{text} in full", "2025-01-30")


def test_each_claim_is_a_link_with_its_label_and_its_day() -> None:
    sheet = draw([Station("Rollouts", "", (item("one"), item("two", "U")))], "line", WIDE)
    links = [mark for mark in sheet.marks if mark.href]
    assert [(mark.href, mark.style, mark.since) for mark in links] == [
        ("../one/", "D", "2025-01-30"),
        ("../two/", "U", "2025-01-30"),
    ]


def test_a_station_without_claims_says_so() -> None:
    sheet = draw([Station("Rollouts", "", ())], "line", WIDE)
    assert any(t.text == "nothing in the record" for mark in sheet.marks for t in mark.texts)


def test_a_loop_closes_and_a_line_does_not() -> None:
    stations = [Station(f"Stage {n}", "", (item("one"),)) for n in range(5)]

    def arrows(form: Form, width: float) -> int:
        marks = draw(stations, form, width).marks
        return sum(shape.style == "arrow" for mark in marks for shape in mark.shapes)

    for width in (WIDE, NARROW):
        assert arrows("line", width) == 4
        assert arrows("loop", width) == 5
        assert arrows("stack", width) == 0


def test_a_stack_has_its_first_station_at_the_bottom_and_widest() -> None:
    stations = [Station(f"Layer {n}", "", (item("one"),)) for n in range(3)]
    top, middle, bottom = boxes(draw(stations, "stack", WIDE))
    assert top.y < middle.y < bottom.y
    assert top.width < middle.width < bottom.width


def test_what_lies_around_a_stack_is_framed() -> None:
    stations = [Station("Rules", "", (item("one"),)), Station("Guards", "", (), aside=True)]
    styles = [s.style for mark in draw(stations, "stack", WIDE).marks for s in mark.shapes]
    assert styles[0] == "frame"
    assert "aside" in styles
