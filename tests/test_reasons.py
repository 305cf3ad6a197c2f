"""Reasons: every claim has them, whatever is missing around it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evidence_matrix.matrix import Matrix
from evidence_matrix.reasons import reasons
from evidence_matrix.store import load
from tests.conftest import TINY, TODAY

CLAIMS = sorted(load(TINY, TODAY).matrix.claims)


@pytest.mark.parametrize("claim_id", CLAIMS)
def test_every_claim_says_its_label_and_what_earned_it(tiny_matrix: Matrix, claim_id: str) -> None:
    claim = tiny_matrix.claims[claim_id]
    lines = list(reasons(claim, tiny_matrix))
    assert lines[0] == f"{claim_id}  ({claim.file}:{claim.place.line})"
    assert f"  label {claim.label} {claim.label.in_words}: {claim.label.meaning}" in lines
    assert len([line for line in lines if line.startswith("  evidence ")]) == len(claim.evidence)
    assert all("\n" not in line for line in lines)


@pytest.mark.parametrize("claim_id", CLAIMS)
@pytest.mark.parametrize("gone", ["sources", "aspects", "receipts", "runs", "terms"])
def test_what_is_missing_is_no_traceback(tiny_matrix: Matrix, claim_id: str, gone: str) -> None:
    matrix = replace(tiny_matrix, **{gone: {}})
    assert list(reasons(matrix.claims[claim_id], matrix))


def test_a_premise_that_is_gone_is_told(tiny_matrix: Matrix) -> None:
    claims = dict(tiny_matrix.claims)
    del claims["heron-1/params.active"]
    matrix = replace(tiny_matrix, claims=claims)
    said = "\n".join(reasons(claims["heron-1/params.active_share"], matrix))
    assert "premise active: heron-1/params.active, which is no claim" in said
    assert "cannot be worked out" in said


def test_the_standing_of_the_value_in_its_fragment_is_told(tiny_matrix: Matrix) -> None:
    said = "\n".join(reasons(tiny_matrix.claims["heron-1/params.total"], tiny_matrix))
    assert "the value in the fragment: found" in said
    assert "pinned at v2" in said
    assert "4 words" in said or "3 words" in said
