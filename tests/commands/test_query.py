from __future__ import annotations

import csv
import io
import json
import subprocess
import sys

import pytest

from evidence_matrix.matrix import Matrix
from tests.commands.conftest import Run
from tests.conftest import TINY


def test_rows_come_as_csv_and_as_json(run: Run, tiny_matrix: Matrix) -> None:
    sql = "select id, value from claims order by id"
    rows = list(csv.reader(io.StringIO(run("query", sql).out)))
    assert rows[0] == ["id", "value"]
    assert [row[0] for row in rows[1:]] == sorted(tiny_matrix.claims)
    objects = json.loads(run("query", "--format", "json", sql).out)
    assert [(o["id"], o["value"] or "") for o in objects] == [tuple(row) for row in rows[1:]]


@pytest.mark.parametrize(
    "sql",
    [
        "delete from claims",
        "update claims set value = '1'",
        "insert into labs values ('a', 'b')",
        "drop table claims",
        "create table t (a)",
        "create temp table t (a)",
        "attach database '/tmp/other.sqlite' as other",
        "vacuum into '/tmp/other.sqlite'",
        "pragma writable_schema = 1",
        "begin",
        "select load_extension('x')",
        "select 1; select 2",
        "select nothing from nowhere",
        "this is no SQL",
        "",
        "-- a remark",
    ],
)
def test_what_is_no_reading_is_refused_with_a_message(run: Run, sql: str) -> None:
    ran = run("query", sql)
    assert ran.code == 2
    assert not ran.out
    assert "cannot be run" in ran.err or "the query is empty" in ran.err


@pytest.mark.parametrize("style", ["csv", "json"])
@pytest.mark.parametrize("sql", ["select x'00ff'", "select cast(x'ff' as text)", "select '\udcff'"])
def test_bytes_that_are_no_text_are_no_traceback(run: Run, style: str, sql: str) -> None:
    assert run("query", "--format", style, sql).code in (0, 2)


def test_bytes_are_hex_digits_in_both_formats(run: Run) -> None:
    assert run("query", "select x'00ff' as b").out == "b\n00ff\n"
    ran = run("query", "--format", "json", "select x'00ff' as b")
    assert json.loads(ran.out) == [{"b": "00ff"}]


def test_two_columns_of_one_name_are_not_made_one(run: Run) -> None:
    sql = "select id, subject as id from claims"
    assert run("query", sql).out.startswith("id,id\n")
    ran = run("query", "--format", "json", sql)
    assert (ran.code, ran.out) == (2, "")
    assert "two columns are called id" in ran.err


def test_a_reader_that_goes_away_is_no_fault() -> None:
    """`| head -1` closes the pipe while rows are still written."""
    sql = "select a.id, b.id, c.id, d.id, e.id from claims a, claims b, claims c, claims d, labs e"
    command = [sys.executable, "-m", "evidence_matrix.cli", "query", "--root", str(TINY), sql]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.readline()
    child.stdout.close()
    said = child.stderr.read()
    child.stderr.close()
    assert child.wait() == 0
    assert said == b""
