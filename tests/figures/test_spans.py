"""Spans: a part of a whole is joined to it only where both measure the same thing."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.figures.spans import Scale, ratio, spans
from evidence_matrix.records import ColumnRecord, TableRecord
from evidence_matrix.store import Loaded

World = Callable[[dict[str, str]], Loaded]

TABLE = TableRecord(
    title="T",
    caption="C",
    columns=(
        ColumnRecord(title="Total", aspects=("params.total",)),
        ColumnRecord(title="Active", aspects=("params.active",)),
        ColumnRecord(title="Share", aspects=("params.active_share",)),
    ),
)
WREN = """
subject: {name: Wren, kind: model, scopes: {small: the small one}}
claims:
  params.total: {label: D, value: 100B, public: 2026-01}
  params.active: {label: D, value: 3B, public: 2026-01}
  params.total/small: {label: D, value: 20B, public: 2026-01}
  params.active/small: {label: D, value: 2B, public: 2026-01}
"""
ODD = """
subject: {name: Odd, kind: model, scopes: {backbone: without memory, decode: when it writes}}
claims:
  params.total/backbone: {label: D, value: 552B, public: 2026-01}
  params.active/decode: {label: D, value: 16B, public: 2026-01}
"""


def test_the_smallest_share_is_first_and_what_cannot_be_joined_is_last(loaded: World) -> None:
    matrix = loaded({"claims/acme/wren.yaml": WREN, "claims/acme/odd.yaml": ODD}).matrix
    found = spans(matrix, TABLE)
    assert [(s.subject.id, s.scope, s.joined) for s in found] == [
        ("wren", "", True),
        ("heron-1", "", True),
        ("wren", "the small one", True),
        ("odd", "", False),
    ]
    assert [ratio(span) for span in found if span.joined] == sorted(map(ratio, found[:3]))
    assert [claim.id for claim in found[1].shares] == ["heron-1/params.active_share"]


def test_a_whole_without_a_part_is_no_span(loaded: World) -> None:
    assert all(span.subject.id != "egret-2" for span in spans(loaded({}).matrix, TABLE))


@given(st.lists(st.integers(1, 10**15).map(Fraction), min_size=1, max_size=9))
def test_every_number_lies_on_the_scale_in_its_order(numbers: list[Fraction]) -> None:
    scale = Scale.over(numbers)
    places = [scale.x(number) for number in sorted(numbers)]
    assert places == sorted(places)
    assert all(0 < place < 100 for place in places)


def test_ticks_are_powers_of_ten_with_their_names() -> None:
    ticks = Scale.over([Fraction(2 * 10**9), Fraction(28 * 10**11)]).ticks()
    assert [tick["text"] for tick in ticks] == ["1B", "10B", "100B", "1T", "10T"]
