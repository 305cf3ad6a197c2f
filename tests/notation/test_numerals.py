from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.notation.numerals import (
    decimal,
    fraction,
    leading_place,
    numerals,
    numerals_with,
    trimmed,
    written,
)

ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety"


def in_words(number: int, joiner: str) -> str:
    """An English reader's writing of a number below a million."""
    if number < 20:
        return ONES.split()[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return TENS.split()[tens] + (f"-{in_words(ones, joiner)}" if ones else "")
    for size, name in ((1000, "thousand"), (100, "hundred")):
        if number >= size:
            many, rest = divmod(number, size)
            head = f"{in_words(many, joiner)} {name}"
            return head + (f"{joiner}{in_words(rest, joiner)}" if rest else "")
    raise AssertionError(number)


def values(text: str) -> list[Fraction]:
    return [found.value for found in numerals(text)]


@given(st.integers(0, 999_999), st.sampled_from([" ", " and "]))
def test_a_number_in_words_is_read_as_the_number(number: int, joiner: str) -> None:
    assert values(f"with {in_words(number, joiner)} experts") == [number]


@given(st.integers(-(10**30), 10**30), st.integers(-30, 30))
def test_a_decimal_is_found_again_in_its_fraction(digits: int, power: int) -> None:
    assert decimal(fraction(digits, power)) == trimmed(digits, power)


@given(st.integers(1, 200))
def test_a_fraction_that_never_ends_is_no_decimal(number: int) -> None:
    assert decimal(Fraction(number, 7) + number) is None or number % 7 == 0


@given(st.fractions(min_value=-(10**20), max_value=10**20))
def test_the_leading_place_is_that_of_the_first_digit(number: Fraction) -> None:
    place = leading_place(number)
    assert number == 0 or Fraction(10) ** place <= abs(number) < Fraction(10) ** (place + 1)


@pytest.mark.parametrize(
    ("text", "value", "place"),
    [
        ("14.8T", 14_800_000_000_000, 11),
        ("14.8 trillion tokens", 14_800_000_000_000, 11),
        ("14,800B", 14_800_000_000_000, 9),
        ("14.8 T", 14_800_000_000_000, 11),
        ("a 7-billion-parameter model", 7_000_000_000, 9),
        ("1.5bn", 1_500_000_000, 8),
        ("1,000,000", 1_000_000, 0),
        ("1\u2009000\u2009000", 1_000_000, 0),
        ("1{,}000", 1000, 0),
        ("2.5 × 10−6", Fraction(25, 10**7), -7),
        ("2.5×10⁻⁶", Fraction(25, 10**7), -7),
        (r"2.5 \times 10^{-6}", Fraction(25, 10**7), -7),
        ("2.5e-6", Fraction(25, 10**7), -7),
        ("2.5e−6", Fraction(25, 10**7), -7),
        ("3.8 × 1025 FLOPs", 38 * 10**24, 24),
        ("10^-6", Fraction(1, 10**6), -6),
        ("10−6", Fraction(1, 10**6), -6),
        ("10⁻⁶", Fraction(1, 10**6), -6),
        (".95", Fraction(95, 100), -2),
        ("1.2 hundred thousand", 120_000, 4),
        ("ten thousand", 10_000, 3),
        ("half a million", 500_000, 5),
        ("half of a thousand", 500, 2),
        ("64xH100", 64, 0),
        ("81.8h", Fraction(818, 10), -1),
    ],
)
def test_usual_writings_of_a_number(text: str, value: Fraction, place: int) -> None:
    assert [(found.value, found.place) for found in numerals(text)] == [(value, place)]


@pytest.mark.parametrize(
    "text", ["H800", "V3.2", "2.10.1", "FP8", "bf16", "2024-12-26", "2024.05.06", "step_500"]
)
def test_what_belongs_to_a_name_or_a_date_is_no_number(text: str) -> None:
    assert values(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10 B200 GPUs", [10]),
        ("5 MB", [5]),
        ("2 × 1024", [2, 1024]),
        ("30B-A3B", [30 * 10**9, 3 * 10**9]),
        ("two and three", [2, 3]),
        ("from 10 to 30", [10, 30]),
        ("10-30", [10, 30]),
        ("1.5B/7B", [15 * 10**8, 7 * 10**9]),
        ("as one of a million", [1, 10**6]),
        ("a model", []),
    ],
)
def test_several_numbers_are_kept_apart(text: str, expected: list[int]) -> None:
    assert values(text) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("thousands of", 10**3),
        ("tens of thousands of", 10**4),
        ("hundreds of thousands of", 10**5),
        ("several hundred thousand", 10**5),
        ("a few hundred", 100),
        ("dozens of", 12),
        ("trillions of", 10**12),
    ],
)
def test_an_order_of_magnitude_is_vague(text: str, value: int) -> None:
    (found,) = numerals(f"using {text} tasks")
    assert found.vague
    assert found.value == value


@pytest.mark.parametrize(("text", "unsure"), [("7b", True), ("5m", True), ("7B", False)])
def test_a_small_letter_may_be_a_unit(text: str, unsure: bool) -> None:
    (found,) = numerals(text)
    assert found.unsure is unsure


def test_a_very_long_row_of_digits_is_no_number() -> None:
    assert values("9" * 200_000) == []
    assert values("9" * 41) == []
    assert values("9" * 40) == [10**40 - 1]


@given(st.text(alphabet="0123456789.,eE+-−–×x^{}KMBT \u2009$%ab", max_size=60))
def test_any_text_gives_numbers_in_order_and_inside_of_it(text: str) -> None:
    spans = [(found.start, found.end) for found in numerals(text)]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


@given(st.text(alphabet="0123456789.,e-×K B", max_size=40), st.integers(0, 99))
def test_looking_for_digits_finds_what_reading_everything_finds(text: str, digits: int) -> None:
    digits = trimmed(digits, 0)[0]
    assert list(numerals_with(digits, text)) == [
        found for found in numerals(text) if found.digits == digits
    ]


@given(st.integers(-(10**12), 10**12), st.integers(-15, 15))
def test_a_number_is_written_so_that_it_is_read_with_its_last_place(
    digits: int, place: int
) -> None:
    text = written(fraction(digits, place), Fraction(10) ** place)
    (found,) = numerals(text.removeprefix("-"))
    assert found.value * (-1 if text.startswith("-") else 1) == fraction(digits, place)
    assert found.place == place


@given(st.fractions(max_denominator=1000), st.integers(-3, 6))
def test_rounding_goes_to_the_nearest_step_or_outward(number: Fraction, place: int) -> None:
    step = Fraction(10) ** place

    def read(outward: int) -> Fraction:
        text = written(number, step, outward)
        (found,) = numerals(text.removeprefix("-"))
        return -found.value if text.startswith("-") else found.value

    assert abs(read(0) - number) <= step / 2
    assert read(-1) <= number <= read(1)
    assert read(1) - read(-1) in (0, step)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(1042, 27800), "0.03748…"),
        (Fraction(8, 3), "2.666…"),
        (Fraction(10**13, 3), "3.333…T"),
        (Fraction(5_576_000), "5,576,000"),
        (Fraction(104_200_000_000), "104.2B"),
        (Fraction(-1, 8), "-0.125"),
        (Fraction(1, 3 * 10**7), "3.333…e-8"),
    ],
)
def test_an_exact_number_shows_all_its_digits_or_that_more_follow(
    number: Fraction, text: str
) -> None:
    assert written(number, Fraction(0)) == text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("half a dozen", 6),
        ("half million", 500_000),
        ("two dozen", 24),
        ("two thousand billion", 2 * 10**12),
        ("two million five hundred thousand", 2_500_000),
        ("a hundred and one", 101),
        ("twice", 2),
    ],
)
def test_words_are_added_up_as_they_are_said(text: str, value: int) -> None:
    assert values(text) == [value]
