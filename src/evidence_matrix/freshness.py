"""Freshness: which claims have not been read again for so long that a reader should be told."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from evidence_matrix.matrix import Claim, Matrix

LONGEST = timedelta(days=180)


def is_stale(claim: Claim, matrix: Matrix) -> bool:
    """Whether the sources were last read more than half a year before the matrix's day."""
    checked = claim.record.checked
    return checked is None or matrix.today - checked.latest > LONGEST


def stale_claims(matrix: Matrix) -> Iterator[Claim]:
    """The claims to read again, those that were never read or longest ago first."""
    stale = [claim for claim in matrix.claims.values() if is_stale(claim, matrix)]
    yield from sorted(
        stale, key=lambda c: (c.record.checked.latest.isoformat() if c.record.checked else "", c.id)
    )
