from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from evidence_matrix.claim_rows import claim_rows
from evidence_matrix.exports.sqlite import write
from evidence_matrix.matrix import Matrix


@pytest.fixture
def database(tiny_matrix: Matrix, tmp_path: Path) -> sqlite3.Connection:
    (path,) = write(tiny_matrix, tmp_path)
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    return connection


def test_rows_are_the_claims(database: sqlite3.Connection, tiny_matrix: Matrix) -> None:
    rows = {row["id"]: row for row in database.execute("select * from claims")}
    assert list(rows) == list(tiny_matrix.claims)
    for expected in claim_rows(tiny_matrix):
        row = rows[expected["id"]]
        for column in ("subject", "aspect", "scope", "reading", "label", "value", "unit", "means"):
            assert row[column] == expected[column]
        assert (row["exact_low"], row["exact_high"]) == (expected["low"], expected["high"])
        for flag in ("low_open", "high_open", "about"):
            assert row[flag] == expected.get(flag)


def test_evidence_premises_searches_and_disputes_are_whole(
    database: sqlite3.Connection, tiny_matrix: Matrix
) -> None:
    def count(table: str) -> int:
        return int(database.execute(f"select count(*) from {table}").fetchone()[0])

    rows = list(claim_rows(tiny_matrix))
    assert count("evidence") == sum(len(row["evidence"]) for row in rows)
    assert count("premises") == sum(len(r.get("inference", {}).get("premises", {})) for r in rows)
    assert count("disputes") == sum(len(d.record.claims) for d in tiny_matrix.disputes)
    assert count("sources") == len(tiny_matrix.sources)
    assert count("subjects") == len(tiny_matrix.subjects)
    assert count("aspects") == len(tiny_matrix.aspects)
    (search,) = database.execute("select * from searches")
    assert json.loads(search["looked_for"]) == ["cost", "dollars", "GPU hours"]


def test_references_lead_somewhere(database: sqlite3.Connection) -> None:
    assert not list(database.execute("pragma foreign_key_check"))


def test_numbers_can_be_compared(database: sqlite3.Connection) -> None:
    sql = "select id from claims where aspect = 'params.total' and low > 9e10 order by low desc"
    assert [row["id"] for row in database.execute(sql)] == [
        "heron-1/params.total/with-vision",
        "heron-1/params.total@table-1",
        "heron-1/params.total",
    ]


def test_the_same_matrix_gives_the_same_bytes(tiny_matrix: Matrix, tmp_path: Path) -> None:
    first = write(tiny_matrix, tmp_path)[0].read_bytes()
    assert write(tiny_matrix, tmp_path)[0].read_bytes() == first
