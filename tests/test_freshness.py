"""Freshness: a claim grows stale by the day it was last read, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.cli import main
from evidence_matrix.freshness import LONGEST, is_stale, stale_claims
from evidence_matrix.store import load
from tests.conftest import TINY, TODAY

MATRIX = load(TINY, TODAY).matrix


def test_what_was_read_yesterday_is_fresh() -> None:
    assert not list(stale_claims(MATRIX))


@given(st.integers(0, 800))
def test_a_claim_is_stale_from_the_day_after_half_a_year(days: int) -> None:
    claim = MATRIX.claims["heron-1/params.total"]
    checked = claim.record.checked
    assert checked is not None
    later = replace(MATRIX, today=date.fromordinal(checked.latest.toordinal() + days))
    assert is_stale(claim, later) == (days > LONGEST.days)


def test_the_report_lists_what_to_read_again_and_never_fails(capsys: object) -> None:
    assert main(["stale", "--root", str(TINY), "--today", "2027-06-01"]) == 0
    printed = capsys.readouterr().out  # type: ignore[attr-defined]
    assert "heron-1/params.total, checked 2026-07-19" in printed
    assert "17 of 17 claims" in printed
