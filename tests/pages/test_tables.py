"""Tables: the order of their keys is the order of what they show."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.pages.composer import Composer
from evidence_matrix.pages.tables import claims_cell, sort_key, span, table, text_cell
from evidence_matrix.quantity import Quantity
from evidence_matrix.store import load
from tests.conftest import TINY, TODAY
from tests.pages.test_composer import compose

MATRIX = load(TINY, TODAY).matrix
NUMBERS = st.fractions() | st.builds(
    lambda n, e: Fraction(n) * Fraction(10) ** e, st.integers(-9999, 9999), st.integers(-30, 30)
)


def claim(number: Fraction) -> Claim:
    parsed = Quantity(str(number), number, number)
    return replace(MATRIX.claims["heron-1/params.total"], parsed=parsed)


def rounded(number: Fraction) -> Fraction:
    """The number as far as its first digits say; keys need not tell apart what follows."""
    return Fraction(f"{float(number):.9e}") if number else number


@given(NUMBERS, NUMBERS)
def test_the_order_of_keys_is_the_order_of_numbers(one: Fraction, other: Fraction) -> None:
    a, b = sort_key(claim(one)), sort_key(claim(other))
    if one < other:
        assert a <= b
        if rounded(one) < rounded(other):
            assert a < b
    elif one == other:
        assert a == b


@given(NUMBERS, NUMBERS)
def test_a_browser_reads_keys_as_numbers_in_the_same_order(one: Fraction, other: Fraction) -> None:
    a, b = sort_key(claim(one)), sort_key(claim(other))
    assert len(a) == len(b) == 16
    assert (a < b) == (float(a) < float(b))
    assert float(a) < 2**53


@given(NUMBERS)
def test_what_is_unknown_comes_last(number: Fraction) -> None:
    assert sort_key(claim(number)) < sort_key(MATRIX.claims["heron-1/cost.training"])


@given(NUMBERS)
def test_a_browser_reads_the_ends_of_a_quantity_as_its_numbers(number: Fraction) -> None:
    low, high = span(claim(number)) or ("", "")
    assert low == high
    assert float(low) == pytest.approx(float(number), rel=1e-11)


def test_an_end_that_nobody_said_is_left_open_and_an_unknown_has_none() -> None:
    one = MATRIX.claims["heron-1/params.total"]
    above = replace(one, parsed=Quantity("over 10K", Fraction(10_000), None))
    assert span(above) == ("10000", "")
    assert span(MATRIX.claims["heron-1/cost.training"]) is None


@pytest.mark.parametrize(
    ("claim_id", "key"),
    [
        ("heron-1/event.release", "2025-01-30"),
        ("heron-1/data.sources", "web pages and books"),
        ("heron-1/rl.algorithm", "grpo"),
    ],
)
def test_days_and_words_sort_as_they_are(claim_id: str, key: str) -> None:
    assert sort_key(MATRIX.claims[claim_id]) == key


@pytest.fixture
def composer(tiny_matrix: Matrix) -> Composer:
    return compose(tiny_matrix)


def test_a_cell_without_claims_says_whether_the_question_applies(composer: Composer) -> None:
    assert claims_cell(composer, [])["kind"] == "empty"
    assert claims_cell(composer, [], applies=False)["kind"] == "na"


def test_a_cell_of_an_unknown_has_no_key_so_that_it_stays_at_the_end(composer: Composer) -> None:
    for one in MATRIX.claims.values():
        assert (claims_cell(composer, [one])["sort"] == "") == (one.label is Label.U)


def test_cells_note_their_claims_unless_they_link_to_them(composer: Composer) -> None:
    (one, *_) = MATRIX.claims.values()
    claims_cell(composer, [one], linked=True)
    assert not composer.notes
    claims_cell(composer, [one])
    assert [note["id"] for note in composer.notes] == [one.id]


def test_the_id_of_a_section_is_made_of_its_words() -> None:
    assert table("C", [], [], section="Size and  shape")["section_id"] == "size-and-shape"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Reinforcement learning on formal proofs", "text"),
        ("a" * 26, "text"),
        ("at https://example.org/a/long/path.pdf", "string"),
        ("0" * 64, "string"),
    ],
)
def test_what_is_longer_than_a_word_may_break_anywhere(text: str, kind: str) -> None:
    assert text_cell(text)["kind"] == kind
