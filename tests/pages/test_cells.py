"""Cells: which rows a table has, and which claims stand in its cells."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.cells import Row, cell, chosen, day_of, ordered, rows, share
from evidence_matrix.records import ColumnRecord, TableRecord
from evidence_matrix.store import Loaded

World = Callable[[dict[str, str]], Loaded]

WREN = """
subject: {name: Wren, kind: family, scopes: {large: the large one}}
claims:
  params.total: {label: D, value: 7B, public: 2026-03}
  params.total/large: {label: D, value: 70B, means: without the head, public: 2026-03}
  rl.algorithm: {label: D, value: a kind of group relative policy optimization, public: 2026-03}
  cost.training: {label: U, looked_for: [cost], reason: absent, checked: 2026-07-01}
"""
WREN_POINT = """
subject: {name: Wren Point, kind: model, part_of: wren, not_applicable: [cost.training]}
claims:
  event.release: {label: D, value: 2026-06-01, public: 2026-06-01}
  context.window: {label: D, value: about 1M, public: 2026-06-01}
"""
GULL = """
subject: {name: Gull, kind: model}
claims:
  event.release: {label: D, value: 2026-05-01, public: 2026-05-01}
  params.total: {label: D, value: 3B, public: 2026-05-01}
"""
BIRDS = {
    "claims/acme/wren.yaml": WREN,
    "claims/acme/wren-point.yaml": WREN_POINT,
    "claims/acme/gull.yaml": GULL,
}
SIZE = ColumnRecord(title="Size", aspects=("params.total",))


@pytest.fixture
def birds(loaded: World) -> Matrix:
    return loaded(BIRDS).matrix


def a_table(**fields: object) -> TableRecord:
    given = {"title": "T", "caption": "C", "columns": (SIZE,), "dated_by": ("event.release",)}
    return TableRecord.model_validate(given | fields)


def test_without_rows_those_with_a_claim_in_a_column_are_rows(birds: Matrix) -> None:
    found = [row.head.id for row in rows(birds, a_table()) if row.head]
    assert found == ["egret-2", "gull", "wren", "heron-1"]


def test_rows_keep_to_their_kinds(birds: Matrix) -> None:
    found = [row.head.id for row in rows(birds, a_table(kinds=("family",))) if row.head]
    assert found == ["wren"]


def test_latest_is_the_newest_by_date_and_a_family_counts_once_by_its_earliest(
    birds: Matrix,
) -> None:
    table = a_table(rows_are="latest", kinds=("model", "family"))
    found = {row.lab: row for row in rows(birds, table)}
    assert [s.id for s in found["acme"].subjects] == ["gull"]
    assert [s.id for s in found["heron-lab"].subjects] == ["heron-1"]
    before = {row.lab: row for row in rows(birds.at(date(2026, 4, 15)), table)}
    assert [s.id for s in before["acme"].subjects] == ["wren", "wren-point"]


@pytest.mark.parametrize(
    ("day", "newest"),
    [(date(2026, 5, 15), "gull"), (date(2026, 4, 15), "wren"), (date(2025, 8, 1), "egret-2")],
)
def test_latest_follows_the_day(birds: Matrix, day: date, newest: str) -> None:
    found = {row.lab: row for row in rows(birds.at(day), a_table(rows_are="latest"))}
    head = found["acme"].head
    assert head is not None
    assert head.id == newest


def test_a_lab_without_a_dated_subject_has_a_row_without_head(birds: Matrix) -> None:
    then = birds.at(date(2020, 1, 1))
    assert [row.head for row in rows(then, a_table(rows_are="latest"))] == [None, None]


def test_a_subject_without_event_is_there_by_its_first_public_claim(birds: Matrix) -> None:
    dated = day_of(birds, birds.subjects["heron-1"], ["event.release"])
    bound = day_of(birds, birds.subjects["wren"], ["event.release"])
    assert dated is not None
    assert bound is not None
    assert (dated.format(), bound.format()) == ("2025-01-30", "by 2026-03")


def test_rows_stand_newest_first_or_by_lab(birds: Matrix) -> None:
    def order(how: str) -> list[str]:
        return [row.head.id for row in rows(birds, a_table(order=how)) if row.head]

    assert order("newest") == ["gull", "wren", "egret-2", "heron-1"]
    assert order("lab") == ["gull", "wren", "egret-2", "heron-1"]
    assert [r.lab for r in ordered(birds, a_table(order="lab"), [Row("heron-lab", None, ())])] == [
        "heron-lab"
    ]


def test_a_member_has_the_claims_of_its_family_after_its_own(birds: Matrix) -> None:
    column = ColumnRecord(title="All", aspects=("context.window", "params.total"))
    row = Row("acme", birds.subjects["wren-point"], (birds.subjects["wren-point"],))
    found = [claim.id for claim in cell(birds, a_table(), column, row)]
    assert found == ["wren-point/context.window", "wren/params.total", "wren/params.total/large"]


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"aspects": ["params.total"], "scopes": [""]}, ["params.total"]),
        ({"aspects": ["params.total"], "scopes": ["large"]}, ["params.total/large"]),
        ({"terms": ["grpo"]}, ["rl.algorithm"]),
        ({"terms": ["ppo"]}, []),
        ({"aspects": ["params.total"], "at_least": "10B"}, ["params.total/large"]),
        ({"labels": ["U"], "core": "yes"}, ["cost.training"]),
        ({"aspects": ["rl.algorithm"], "words": ["relat"]}, ["rl.algorithm"]),
        ({"aspects": ["rl.algorithm"], "words": ["lative"]}, []),
        (
            {"aspects": ["params.total"], "words": ["nothing"]},
            ["params.total", "params.total/large"],
        ),
    ],
)
def test_a_column_takes_what_it_names(
    birds: Matrix, fields: dict[str, object], found: list[str]
) -> None:
    column = ColumnRecord.model_validate({"title": "T"} | fields)
    assert [c.key for c in chosen(birds, column, birds.claims_of_subject["wren"])] == found


def test_the_earliest_is_by_the_subject_and_not_by_the_claim(birds: Matrix) -> None:
    row = next(row for row in rows(birds, a_table(rows_are="labs")) if row.lab == "acme")
    column = ColumnRecord(title="First", aspects=("params.total",), show="first")
    assert [claim.id for claim in cell(birds, a_table(), column, row)] == ["egret-2/params.total"]


def test_a_share_has_its_denominator(birds: Matrix) -> None:
    row = next(row for row in rows(birds, a_table(rows_are="labs")) if row.lab == "acme")
    size = share(birds, SIZE, row)
    assert (len(size.known), size.searched, size.asked) == (4, 0, 4)
    cost = share(birds, ColumnRecord(title="Cost", aspects=("cost.training",)), row)
    assert (len(cost.known), cost.searched, cost.asked) == (0, 1, 3)


def test_a_quantity_that_cannot_be_read_is_a_fault_of_the_table(loaded: World) -> None:
    found = loaded(
        {
            "claims/tables/odd.yaml": "title: T\ncaption: C\ncolumns:\n"
            "  - {title: A, at_least: many}\n"
        }
    ).findings
    assert [(f.file, f.line) for f in found] == [("claims/tables/odd.yaml", 4)]
