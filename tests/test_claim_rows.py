"""Plain rows: bounds are kept, numbers are exact, nothing that the record says is lost."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.claim_rows import claim_row, claim_rows, exact
from evidence_matrix.matrix import Matrix
from evidence_matrix.quantity import Quantity
from evidence_matrix.store import Loaded

HEAD = "subject: {name: W, kind: model}\nclaims:\n"
Load = Callable[[dict[str, str]], Loaded]


@given(st.fractions())
def test_an_exact_number_reads_back_as_the_same_fraction(number: Fraction) -> None:
    text = exact(number)
    assert text is not None
    assert Fraction(text) == number
    assert "e" not in text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(14_800_000_000_000), "14800000000000"),
        (Fraction(3, 8), "0.375"),
        (Fraction(-1, 20), "-0.05"),
        (Fraction(1, 3), "1/3"),
        (Fraction(22, 10_000_000), "0.0000022"),
        (None, None),
    ],
)
def test_an_exact_number_is_written_as_people_do(number: Fraction | None, text: str) -> None:
    assert exact(number) == text


def test_rows_are_the_claims(tiny_matrix: Matrix) -> None:
    rows = list(claim_rows(tiny_matrix))
    assert [row["id"] for row in rows] == list(tiny_matrix.claims)
    for row, claim in zip(rows, tiny_matrix.claims.values(), strict=True):
        assert (row["value"], row["label"]) == (claim.value, claim.label.value)
        if isinstance(claim.parsed, Quantity):
            assert row["low"] == exact(claim.parsed.low)
            assert row["high"] == exact(claim.parsed.high)
        assert len(row["evidence"]) == len(claim.evidence)


@pytest.mark.parametrize(
    ("value", "low", "high", "low_open", "high_open", "about"),
    [
        ("14.8B", "14800000000", "14800000000", False, False, False),
        (">10K", "10000", None, True, False, False),
        ("at least 10K", "10000", None, False, False, False),
        ("under 3B", None, "3000000000", False, True, False),
        ("up to 3B", None, "3000000000", False, False, False),
        ("about 97B", "97000000000", "97000000000", False, False, True),
        ("630B–839B", "630000000000", "839000000000", False, False, False),
    ],
)
def test_a_bound_stays_a_bound(
    loaded: Load,
    value: str,
    low: str | None,
    high: str | None,
    low_open: bool,
    high_open: bool,
    about: bool,
) -> None:
    text = HEAD + f"  params.total: {{label: I, value: '{value}'}}\n"
    matrix = loaded({"claims/acme/wren.yaml": text}).matrix
    row = claim_row(matrix.claims["wren/params.total"], matrix)
    numbers = [row[k] for k in ("low", "high", "low_open", "high_open", "about")]
    assert numbers == [low, high, low_open, high_open, about]


@pytest.mark.parametrize(
    ("value", "low", "high"),
    [
        ("2025-02-11", "2025-02-11", "2025-02-11"),
        ("2025-02", "2025-02-01", "2025-02-28"),
        ("2025", "2025-01-01", "2025-12-31"),
        ("by 2025-02", None, "2025-02-28"),
    ],
)
def test_a_date_has_the_days_it_can_be(
    loaded: Load, value: str, low: str | None, high: str
) -> None:
    claim = f"  event.release: {{label: I, value: {value}}}\n"
    text = HEAD + claim
    matrix = loaded({"claims/acme/wren.yaml": text}).matrix
    row = claim_row(matrix.claims["wren/event.release"], matrix)
    assert (row["low"], row["high"]) == (low, high)


def test_each_label_says_what_earned_it(tiny_matrix: Matrix) -> None:
    row = {r["id"]: r for r in claim_rows(tiny_matrix)}
    assert row["heron-1/cost.training"]["search"]["reason"] == "not verifiable"
    assert row["heron-1/params.active_share"]["inference"]["formula"] == "active / total"
    assert row["acme-ratio/loss.ratio"]["run"] == {
        "id": "acme-ratio",
        "file": "result.json",
        "at": "$.ratio",
    }
    assert row["heron-1/experts.routed"]["evidence"][0]["read"] == "$.n_routed_experts"
    assert row["heron-1/params.active"]["earlier"][0]["until"] == "2025-02-10"
    assert row["heron-1/params.total"]["disputes"][0]["kind"] == "rounding"
