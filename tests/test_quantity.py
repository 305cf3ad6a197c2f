from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evidence_matrix.quantity import Quantity, parse_quantity

M, B, T = 10**6, 10**9, 10**12
UNITS = st.sampled_from([None, "tokens", "%", "GPU hours", "USD", "tokens/s"])


@st.composite
def quantities(draw: st.DrawFn) -> Quantity:
    """Any quantity that a record can hold: a point, a bound or a range, about or not."""
    step = Fraction(10) ** draw(st.integers(-15, 14))
    ends = draw(st.lists(st.integers(-9999, 9999), min_size=1, max_size=2, unique=True))
    low, high = min(ends) * step, max(ends) * step
    about, unit = draw(st.booleans()), draw(UNITS)
    if len(ends) == 2:
        return Quantity("", low, high, False, False, about, step, unit)
    shape, is_open = draw(st.sampled_from(["point", "low", "high"])), draw(st.booleans())
    if shape == "low":
        return Quantity("", low, None, is_open, False, about, step, unit)
    if shape == "high":
        return Quantity("", None, high, False, is_open, about, step, unit)
    return Quantity("", low, low, False, False, about, step, unit)


@example(Quantity("", Fraction(0), Fraction(1, 10**5), step=Fraction(1, 10**5)))
@example(Quantity("", Fraction(-1, 2), Fraction(1, 10**5), step=Fraction(1, 10**5)))
@given(quantities())
def test_what_is_formatted_is_parsed_back(quantity: Quantity) -> None:
    assert parse_quantity(quantity.format(), quantity.unit) == quantity


@given(quantities())
def test_formatting_twice_changes_nothing(quantity: Quantity) -> None:
    again = parse_quantity(str(quantity), quantity.unit)
    assert again.format() == quantity.format()


@given(quantities(), quantities())
def test_meeting_is_mutual_and_a_quantity_meets_itself(one: Quantity, two: Quantity) -> None:
    assert one.meets(two) == two.meets(one)
    assert one.meets(one)


@given(quantities())
def test_the_interval_holds_what_was_written(quantity: Quantity) -> None:
    low, high = quantity.interval()
    assert low is None or quantity.low is None or low <= quantity.low
    assert high is None or quantity.high is None or quantity.high <= high
    assert (low is None, high is None) == (quantity.low is None, quantity.high is None)


@given(st.integers(1, 10**9), st.integers(1, 10**9))
def test_whole_numbers_written_out_meet_only_if_they_are_equal(one: int, two: int) -> None:
    assert parse_quantity(str(one)).meets(parse_quantity(f"{two:,}")) == (one == two)


@given(st.integers(0, 10**6), st.integers(1, 6))
def test_an_exact_number_meets_its_own_rounding(number: int, digits: int) -> None:
    rounded = (number + 10**digits // 2) // 10**digits
    assert parse_quantity(f"{rounded}e{digits}").meets(parse_quantity(str(number)))
    assert not parse_quantity(f"{rounded + 1}e{digits}").meets(parse_quantity(str(number)))


@pytest.mark.parametrize(
    ("text", "low", "high", "step"),
    [
        ("14.8T", 14_800 * B, 14_800 * B, 100 * B),
        ("14.8 trillion", 14_800 * B, 14_800 * B, 100 * B),
        ("671B", 671 * B, 671 * B, B),
        ("256", 256, 256, 1),
        ("1,000,000", M, M, 1),
        ("128K", 128_000, 128_000, 1000),
        ("two", 2, 2, 1),
        ("one million", M, M, M),
        ("2 × 10^-6", Fraction(2, M), Fraction(2, M), Fraction(1, M)),
        ("2.0 × 10−5", Fraction(2, 10**5), Fraction(2, 10**5), Fraction(1, M)),
        ("2e-6", Fraction(2, M), Fraction(2, M), Fraction(1, M)),
        ("1.5e25", 15 * 10**24, 15 * 10**24, 10**24),
        ("15e12", 15 * T, 15 * T, T),
        ("10^-6", Fraction(1, M), Fraction(1, M), Fraction(1, M)),
        ("10−6", Fraction(1, M), Fraction(1, M), Fraction(1, M)),
        ("0.95", Fraction(95, 100), Fraction(95, 100), Fraction(1, 100)),
        ("−5.0", -5, -5, Fraction(1, 10)),
        ("-1", -1, -1, 1),
        ("630B–839B", 630 * B, 839 * B, B),
        ("630B to 839B", 630 * B, 839 * B, B),
        ("2.7–3.7B", 2_700 * M, 3_700 * M, 100 * M),
        ("between 5 and 10", 5, 10, 1),
        ("3-4", 3, 4, 1),
        ("-5 to -1", -5, -1, 1),
        ("0.85 to 0.9", Fraction(85, 100), Fraction(9, 10), Fraction(1, 100)),
        ("2.29×–3.1×", Fraction(229, 100), Fraction(31, 10), Fraction(1, 100)),
    ],
)
def test_numbers_are_read_exactly_with_the_place_of_their_last_digit(
    text: str, low: Fraction, high: Fraction, step: Fraction
) -> None:
    quantity = parse_quantity(text)
    assert (quantity.low, quantity.high, quantity.step) == (low, high, step)
    assert quantity.text == text
    assert quantity.unit is None


@pytest.mark.parametrize(
    ("text", "low", "high", "low_open", "high_open", "about"),
    [
        (">10K", 10_000, None, True, False, False),
        ("over 10K", 10_000, None, True, False, False),
        ("more than 10,000", 10_000, None, True, False, False),
        ("exceeding 10K", 10_000, None, True, False, False),
        ("at least 10K", 10_000, None, False, False, False),
        ("≥10K", 10_000, None, False, False, False),
        ("10K+", 10_000, None, False, False, False),
        ("10,000 or more", 10_000, None, False, False, False),
        ("<10K", None, 10_000, False, True, False),
        ("under 10K", None, 10_000, False, True, False),
        ("up to 10K", None, 10_000, False, False, False),
        ("at most 10K", None, 10_000, False, False, False),
        ("≤ 10K", None, 10_000, False, False, False),
        ("about 10K", 10_000, 10_000, False, False, True),
        ("~10K", 10_000, 10_000, False, False, True),
        ("approximately 10K", 10_000, 10_000, False, False, True),
        ("nearly 10K", 10_000, 10_000, False, False, True),
        ("at least about 10K", 10_000, None, False, False, True),
        ("about 10K to 20K", 10_000, 20_000, False, False, True),
        ("thousands of", 1000, None, False, False, True),
        ("tens of thousands of", 10_000, None, False, False, True),
        ("hundreds", 100, None, False, False, True),
        ("several hundred thousand", 100_000, None, False, False, True),
    ],
)
def test_hedges_give_bounds_and_about(
    text: str, low: int | None, high: int | None, low_open: bool, high_open: bool, about: bool
) -> None:
    quantity = parse_quantity(text)
    assert (quantity.low, quantity.high) == (low, high)
    assert (quantity.low_open, quantity.high_open) == (low_open, high_open)
    assert quantity.about is about


@pytest.mark.parametrize(
    ("one", "two", "meets"),
    [
        ("104B", "104.2B", True),
        ("104B", "104.6B", False),
        ("14.8T", "14.9T", False),
        ("14.8T", "14.75T", True),
        ("14.8T", "14,850,000,000,000", False),
        ("671B", "685B", False),
        ("85,000", "85,267", False),
        ("85K", "85,267", True),
        ("128K", "131,072", False),
        (">10K", "10,000", False),
        ("at least 10K", "10,000", True),
        (">10K", "12,000", True),
        (">10K", "9,000", False),
        ("<10K", ">10K", False),
        ("up to 10K", "at least 10K", True),
        ("about 15T", "14.4T", True),
        ("about 15T", "13T", False),
        ("630B–839B", "700B", True),
        ("630B–839B", "839.4B", True),
        ("630B–839B", "841B", False),
        ("thousands of", "5,267", True),
        ("3 tokens", "3 steps", False),
        ("3 tokens", "3", True),
    ],
)
def test_readings_meet_where_one_number_can_be_both(one: str, two: str, meets: bool) -> None:
    assert parse_quantity(one).meets(parse_quantity(two)) is meets


@pytest.mark.parametrize(
    ("text", "unit", "is_exact"),
    [
        ("256", "experts", True),
        ("two", "epochs", True),
        ("85,267", "tasks", True),
        ("256K", "tokens", False),
        ("about 256", "experts", False),
        (">256", "experts", False),
        ("3 to 4", "epochs", False),
        ("87", "%", False),
        ("87.5", None, False),
    ],
)
def test_only_a_whole_number_written_out_is_exact(
    text: str, unit: str | None, is_exact: bool
) -> None:
    assert parse_quantity(text, unit).is_exact is is_exact


@pytest.mark.parametrize(
    ("text", "formatted"),
    [
        ("14.8 trillion tokens", "14.8T tokens"),
        ("more than 10,000 tokens", ">10,000 tokens"),
        ("roughly 2.788M tokens", "about 2.788M tokens"),
        ("200,064 tokens", "200,064 tokens"),
        ("4096 tokens", "4096 tokens"),
        ("2 × 10^-6 tokens", "2e-6 tokens"),
        ("0.001 tokens", "0.001 tokens"),
        ("630B–839B tokens", "630B to 839B tokens"),
        ("thousands of tokens", "≥about 1K tokens"),
        ("hundreds of tokens", "≥about 1e2 tokens"),
    ],
)
def test_the_canonical_writing(text: str, formatted: str) -> None:
    assert parse_quantity(text, "tokens").format() == formatted


@pytest.mark.parametrize(("text", "formatted"), [("3.75%", "3.75%"), ("3.75 percent", "3.75%")])
def test_percent_is_written_with_its_sign(text: str, formatted: str) -> None:
    assert parse_quantity(text, "%").format() == formatted


def test_quantities_sort_by_their_lower_end_and_upper_bounds_first() -> None:
    texts = [">10", "3 to 20", "10", "<10", "-5", "about 4"]
    ordered = sorted(texts, key=lambda text: parse_quantity(text).sort_key)
    assert ordered == ["-5", "3 to 20", "about 4", "<10", "10", ">10"]


def test_equal_quantities_may_be_written_differently() -> None:
    assert parse_quantity("14.8T tokens") == parse_quantity("14.8 trillion tokens")
    assert parse_quantity("14.8T") != parse_quantity("14.80T")
