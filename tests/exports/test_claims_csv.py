from __future__ import annotations

import csv
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.exports.claims_csv import COLUMNS, _cell, write
from evidence_matrix.matrix import Matrix

RUN = ("=", "+", "-", "@", "\t", "\r", "\n")


@given(st.text() | st.sampled_from(RUN).flatmap(lambda sign: st.text().map(lambda t: sign + t)))
def test_no_cell_is_run_as_a_formula_and_none_loses_its_text(text: str) -> None:
    cell = _cell(text)
    assert cell in (text, f"'{text}")
    if cell == text and text.startswith(RUN):
        assert text.lstrip("+-").replace(".", "", 1).isascii()
        assert text.lstrip("+-").replace(".", "", 1).isdigit()


@given(st.integers() | st.decimals(allow_nan=False, allow_infinity=False, places=3))
def test_a_number_stays_one(number: object) -> None:
    assert _cell(str(number)) == str(number)


def test_what_a_spreadsheet_would_run_is_kept_as_text() -> None:
    for text in ("=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "-inf", "-1e5"):
        assert _cell(text) == f"'{text}"
    for text in ("-2", "+2.5", "14.8T", ">10K", "a=b"):
        assert _cell(text) == text


def test_every_claim_has_a_row_of_all_columns(tiny_matrix: Matrix, tmp_path: Path) -> None:
    (path,) = write(tiny_matrix, tmp_path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == list(COLUMNS)
    assert [row["id"] for row in rows] == list(tiny_matrix.claims)
    tasks = next(row for row in rows if row["id"] == "heron-1/env.tasks")
    assert (tasks["value"], tasks["low"], tasks["high"], tasks["low_open"]) == (
        ">10K",
        "10000",
        "",
        "yes",
    )
