from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.notation.units import (
    all_names,
    comparable,
    currency_names,
    ends_in,
    factors,
    joined,
    named,
    unit_in,
)

NAMES = st.sampled_from(["tokens", "GPU hours", "layers", "USD", "queries", "MTP layers"])
UNITS = st.dictionaries(NAMES, st.integers(-2, 2).filter(bool), max_size=3)


@pytest.mark.parametrize(
    ("fragment", "names"),
    [
        ("14.8T tokens", ("tokens",)),
        ("one token", ("tokens",)),
        ("a 1M-token context", ("tokens",)),
        ("8 Experts", ("experts",)),
        ("10K queries", ("query",)),
        ("a query", ("queries",)),
        ("2.8M GPU-hours", ("GPU hours",)),
        ("H800 GPU hours", ("GPU hours",)),
        ("3.75%", ("%",)),
        ("3.75 percent", ("%", "percent")),
        ("$5.576M", ("USD", "$")),
        ("6.6 TiB/s", ("TiB/s",)),
        ("many classes", ("class",)),
    ],
)
def test_a_unit_is_found_in_singular_plural_and_with_hyphens(
    fragment: str, names: tuple[str, ...]
) -> None:
    assert unit_in(fragment, names)


@pytest.mark.parametrize(
    ("fragment", "names"),
    [
        ("14.8T parameters", ("tokens",)),
        ("tokenizer of 128K", ("tokens",)),
        ("subtasks", ("tasks",)),
        ("14.8T", ("tokens",)),
        ("14.8T", ()),
        ("14.8T", ("",)),
    ],
)
def test_a_unit_inside_of_another_word_is_not_found(fragment: str, names: tuple[str, ...]) -> None:
    assert not unit_in(fragment, names)


@pytest.mark.parametrize(
    ("words", "names", "expected"),
    [
        ("routed experts", ("experts",), True),
        ("H100-hours", ("hours",), True),
        ("H800 GPU hours", ("GPU hours",), True),
        ("GPU hours of H800", ("GPU hours",), False),
        ("subtasks", ("tasks",), False),
        ("", ("tasks",), False),
    ],
)
def test_words_end_in_a_unit_or_not(words: str, names: tuple[str, ...], expected: bool) -> None:
    assert ends_in(words, names) is expected


def test_everyone_knows_the_names_of_percent_and_money() -> None:
    assert {"%", "percent"} <= set(all_names("%", ()))
    assert {"USD", "US dollars", "$"} <= set(all_names("USD", ()))
    assert all_names("tokens", ("words",)) == ("tokens", "words")
    assert currency_names("US$") == currency_names("$")


@given(UNITS)
def test_a_unit_is_written_and_read_back(unit: dict[str, int]) -> None:
    assert factors(named(unit)) == unit


@given(UNITS, UNITS)
def test_dividing_undoes_multiplying(one: dict[str, int], two: dict[str, int]) -> None:
    assert joined(joined(one, two, 1), two, -1) == one
    assert joined(one, one, -1) == {}


def test_singular_and_plural_cancel() -> None:
    assert joined(factors("GPU hours"), factors("USD/GPU hour"), 1) == {"USD": 1}
    assert comparable(factors("GPU hours")) == comparable(factors("gpu hour"))
    assert comparable(factors("percent")) == comparable(factors("%"))
    assert named({}) is None
    assert named(factors("1/tokens")) == "1/tokens"
