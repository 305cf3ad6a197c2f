from __future__ import annotations

import pytest

from evidence_matrix.dates import parse_date
from evidence_matrix.matrix import Parsed
from evidence_matrix.quantity import parse_quantity
from evidence_matrix.verification.agreement import gives


@pytest.mark.parametrize(
    ("read", "written"),
    [
        ("896", "896"),
        ("129280", "129,280"),
        ("1e-5", "0.00001"),
        ("1e-5", "1 × 10^-5"),
        ("4096", "4,096 tokens"),
        ("max_tokens = 4096", "4096"),
    ],
)
def test_the_same_number_is_the_value_however_it_is_written(read: str, written: str) -> None:
    assert gives(read, written, parse_quantity(written, unit="tokens"))


@pytest.mark.parametrize(
    ("read", "written"),
    [
        ("897", "896"),
        ("131072", "128K"),
        ("8", "8K"),
        ("896", "about 896"),
        ("896", "over 896"),
        ("none", "896"),
        ("max_tokens = 14096", "4096"),
    ],
)
def test_another_number_is_not_the_value(read: str, written: str) -> None:
    assert not gives(read, written, parse_quantity(written, unit="tokens"))


@pytest.mark.parametrize(
    ("read", "written", "parsed"),
    [
        ("sqrtsoftplus", "sqrtsoftplus", "sqrtsoftplus"),
        ("true", "true", "true"),
        ("SwiGLU", "swiglu", "swiglu"),
        ("[a, b]", "a, b", ("a", "b")),
        ("choose the harmless response, please", "the harmless response", "the harmless response"),
        ("64", "64", None),
        ("[yarn, dynamic]", "yarn", "yarn"),
    ],
)
def test_words_are_the_value_where_they_stand_whole(
    read: str, written: str, parsed: Parsed
) -> None:
    assert gives(read, written, parsed)


@pytest.mark.parametrize(
    ("read", "written", "parsed"),
    [
        ("softplus", "sqrtsoftplus", "sqrtsoftplus"),
        ("sqrtsoftplus", "softplus", "softplus"),
        ("[a, b]", "a, c", ("a", "c")),
        ("128", "64", None),
        ("softplus", "no number", None),
        ("anything", "", ""),
    ],
)
def test_other_words_are_not_the_value(read: str, written: str, parsed: Parsed) -> None:
    assert not gives(read, written, parsed)


def test_a_date_is_the_value_if_it_is_the_same_day() -> None:
    assert gives("2025-01-20", "2025-01-20", parse_date("2025-01-20"))
    assert not gives("2025-01-21", "2025-01-20", parse_date("2025-01-20"))
    assert not gives("soon", "2025-01-20", parse_date("2025-01-20"))
