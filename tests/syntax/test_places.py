from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.syntax.places import Lines, Place, PlacesByKey


@given(st.text("ab\né"), st.integers(0, 40))
def test_a_place_is_line_and_column_of_an_offset(text: str, offset: int) -> None:
    offset = min(offset, len(text))
    before = text[:offset]
    expected = (before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1)
    assert Lines(text).place(offset) == expected


def test_carriage_returns_end_lines_alone_and_before_a_newline() -> None:
    assert Lines("a\rb\r\nc").place(5) == Place(3, 1)


def test_places_by_key_compare_with_a_mapping() -> None:
    places = PlacesByKey(Lines("a\nbc"), {"x": 0, "y": 3})
    assert places == {"x": (1, 1), "y": (2, 2)}
    assert list(places) == ["x", "y"]
    assert "z" not in places
