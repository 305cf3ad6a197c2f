"""Drawings: text that fits, arrows that point."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.figures.drawing import (
    Drawing,
    Mark,
    Shape,
    Words,
    arrow,
    short,
    text_width,
    wrapped,
)

TEXTS = st.text(alphabet="abc defgh ij MWX 019 .,-()", max_size=120)


@given(TEXTS, st.floats(min_value=20, max_value=400))
def test_no_line_is_wider_than_asked(text: str, width: float) -> None:
    for line in wrapped(text, width, 13):
        assert text_width(line, 13) <= width


@given(TEXTS, st.floats(min_value=20, max_value=400))
def test_without_a_limit_every_letter_is_kept(text: str, width: float) -> None:
    assert "".join("".join(wrapped(text, width, 13)).split()) == "".join(text.split())


@given(TEXTS, st.floats(min_value=40, max_value=400), st.integers(min_value=1, max_value=4))
def test_what_is_cut_says_so(text: str, width: float, most: int) -> None:
    whole, cut = wrapped(text, width, 13), wrapped(text, width, 13, most)
    assert len(cut) <= most
    if len(whole) > most:
        assert cut[-1].endswith("…")
    else:
        assert cut == whole


def test_a_wider_letter_makes_a_wider_text() -> None:
    assert text_width("ill", 13) < text_width("abc", 13) < text_width("MWM", 13)
    assert text_width("abc", 13, bold=True) > text_width("abc", 13)


def test_an_arrow_ends_in_its_head_and_passes_over_points_that_repeat() -> None:
    straight = arrow([(0, 0), (0, 0), (50, 0), (50, 0)])
    assert straight.shapes[0].path == "M0 0L50 0M42 5L50 0L42 -5"
    assert not arrow([(3, 3), (3, 3)]).shapes


def test_the_view_of_a_drawing_has_all_its_marks() -> None:
    sheet = Drawing(100, 50, "wide")
    sheet.add(Mark([Shape("box", 1, 2, 3.25, 4, 5)], [Words(1, 2, "a", "title")], "../x/", "says"))
    view = sheet.view()
    assert (view["width"], view["height"], view["form"]) == ("100", "50", "wide")
    assert view["marks"][0]["shapes"][0]["width"] == "3.2"
    assert view["marks"][0]["texts"][0]["text"] == "a"


@given(st.floats(min_value=-5000, max_value=5000))
def test_numbers_are_short(number: float) -> None:
    assert re.fullmatch(r"-?[0-9]+(\.[1-9])?", short(number))
