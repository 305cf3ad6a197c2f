"""Events: dated claims with the place of their day on an axis."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from evidence_matrix.dates import parse_date
from evidence_matrix.figures.events import events, name_of, place_of, quarters
from evidence_matrix.records import ColumnRecord, TableRecord
from evidence_matrix.store import Loaded

World = Callable[[dict[str, str]], Loaded]

WREN = """
subject:
  name: Wren
  kind: model
  scopes:
    lite: Wren-Lite
    tiny: the tiny one
    a-very-long-scope: words that are too long for a label
claims:
  event.release: {label: D, value: by 2026-03-05, public: 2026-03-05}
  event.release@post: {label: D, value: 2026-03-04, public: 2026-03-05}
  event.release/lite: {label: D, value: 2026-04, public: 2026-04-30}
  event.release/tiny: {label: D, value: 2026-06-01, means: the name wren, public: 2026-06-01}
  event.release/a-very-long-scope: {label: D, value: 2026-06-02, public: 2026-06-02}
"""
DISPUTE = """
- claims: [wren/event.release, wren/event.release@post]
  kind: open
  reason: Two days.
  on: 2026-07-01
"""
TABLE = TableRecord(
    title="T",
    caption="C",
    columns=(
        ColumnRecord(
            title="Name moved", aspects=("event.release",), words=("the name",), mark="alias"
        ),
        ColumnRecord(title="Release", aspects=("event.release", "params.total"), mark="release"),
    ),
)


def test_events_are_newest_first_with_kind_bounds_and_disputes(loaded: World) -> None:
    matrix = loaded({"claims/acme/wren.yaml": WREN, "claims/disputes.yaml": DISPUTE}).matrix
    found = events(matrix, TABLE, [matrix.subjects["wren"]])
    assert [(e.claim.key, e.mark, e.unsure, e.disputed) for e in found] == [
        ("event.release/a-very-long-scope", "release", False, False),
        ("event.release/tiny", "alias", False, False),
        ("event.release/lite", "release", True, False),
        ("event.release", "release", True, True),
        ("event.release@post", "release", False, True),
    ]
    assert [name_of(matrix, e) for e in found] == [
        "Wren, a-very-long-scope",
        "Wren, the tiny one",
        "Wren-Lite",
        "Wren",
        "Wren",
    ]


@pytest.mark.parametrize(
    ("written", "at"),
    [
        ("2026-03-05", date(2026, 3, 5)),
        ("2026-03", date(2026, 3, 16)),
        ("2026", date(2026, 7, 2)),
        ("by 2026-03-05", date(2026, 3, 5)),
        ("by 2026-03", date(2026, 3, 31)),
    ],
)
def test_a_date_stands_in_its_middle_or_at_its_bound(written: str, at: date) -> None:
    assert place_of(parse_date(written)) == at


@pytest.mark.parametrize(
    ("days", "span"),
    [
        ([date(2026, 2, 3)], (date(2026, 1, 1), date(2026, 4, 1))),
        ([date(2024, 12, 31), date(2023, 11, 2)], (date(2023, 10, 1), date(2025, 1, 1))),
    ],
)
def test_an_axis_is_of_whole_quarters(days: list[date], span: tuple[date, date]) -> None:
    assert quarters(days) == span
