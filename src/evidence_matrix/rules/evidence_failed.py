"""The bytes were at hand, and the evidence was not found in them.

## Why
A fragment that does not stand at its place, or an expression that gives another value, is worse
than none: it looks checked.

## Bad
Bad needs bytes: `evidence-matrix verify` writes the failure into the receipt, and `check` repeats it until the claim is mended.

## Good
A claim whose receipt says `matched`.
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.labels import State
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.receipts import entry_for, state_of
from evidence_matrix.rules import Scope

CODE = "EM212"
SCOPE = Scope.CLAIM


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    for index, piece in enumerate(claim.evidence):
        if state_of(piece, claim, matrix) is State.FAILED:
            seen = entry_for(piece, claim.value, matrix.receipts.get(piece.read_in)) or {}
            why = seen.get("why") or seen.get("value")
            yield claim.finding(
                CODE,
                f"not found in the bytes of '{piece.read_in}' at {piece.locator()}"
                + (f": {why}" if why else ""),
                f"run `evidence-matrix verify --source {piece.read_in}` for the nearest passage",
                "evidence",
                index,
            )
