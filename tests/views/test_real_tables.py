"""The tables and figures of the real record: all are there, and name what the record knows."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.cells import rows
from evidence_matrix.store import load

ROOT = Path(__file__).parents[2]
TODAY = date(2026, 11, 30)
CUTOFF = date(2026, 7, 19)  # the day at which the record's forerunner was closed
TABLES = {
    "latest-generation",
    "lineage-coverage",
    "disclosure-comparison",
    "generation-milestones",
    "token-ledger",
    "releases",
    "deepseek-timeline",
    "sparsity-arithmetic",
    "benchmark-standings",
    "training-recipes",
}
FIGURES = {
    "lineage": "lineage",
    "capability-factory": "factory",
    "glm-5-assembly-line": "line",
    "rl-factory": "loop",
    "reward-stack": "stack",
    "sparsity": "spans",
    "context-ladder": "ladder",
}

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def real() -> Matrix:
    return load(ROOT, TODAY).matrix


def test_every_table_and_figure_is_here(real: Matrix) -> None:
    assert TABLES | set(FIGURES) <= set(real.tables)
    assert {name: real.tables[name].record.draw for name in FIGURES} == FIGURES


def test_lanes_and_terms_name_what_the_record_knows(real: Matrix) -> None:
    for table in real.tables.values():
        for lane in table.record.lanes.values():
            assert set(lane) <= set(real.subjects), table.id
        for column in table.record.columns:
            assert set(column.terms) <= set(real.terms), table.id


def test_no_subject_stands_in_two_lanes(real: Matrix) -> None:
    for table in real.tables.values():
        named = [name for lane in table.record.lanes.values() for name in lane]
        assert len(named) == len(set(named)), table.id


def test_every_benchmark_of_the_vocabulary_has_its_standings(real: Matrix) -> None:
    columns = real.tables["benchmark-standings"].record.columns
    shown = {aspect for column in columns for aspect in column.aspects}
    assert shown == {aspect for aspect in real.aspects if aspect.startswith("bench.")}


@pytest.mark.parametrize(
    ("lab", "model"), [("deepseek", "deepseek-v4"), ("zhipu", "glm-5.2"), ("moonshot", "kimi-k3")]
)
def test_the_latest_generation_at_the_cutoff(real: Matrix, lab: str, model: str) -> None:
    table = real.tables["latest-generation"].record
    heads = {row.lab: row.head for row in rows(real.at(CUTOFF), table)}
    head = heads[lab]
    assert head is not None
    assert head.id == model
