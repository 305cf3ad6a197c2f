from __future__ import annotations

from datetime import date

import pytest

from evidence_matrix.cli import main
from evidence_matrix.freshness import stale_claims
from evidence_matrix.store import load
from tests.conftest import TINY


@pytest.mark.parametrize("day", ["2026-07-20", "2027-06-01"])
def test_every_claim_to_read_again_is_told_and_none_fails(
    day: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stale", "--root", str(TINY), "--today", day]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    matrix = load(TINY, date.fromisoformat(day)).matrix
    stale = list(stale_claims(matrix))
    assert [line.split()[1].rstrip(",") for line in lines] == [claim.id for claim in stale]
    assert last.startswith(f"{len(stale)} of {len(matrix.claims)} claims")
    assert bool(stale) == (day > "2027")
