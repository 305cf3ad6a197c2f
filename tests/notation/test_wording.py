from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.quantity import QuantityError, parse_quantity


def refusal(text: str, unit: str | None = None, also: tuple[str, ...] = ()) -> QuantityError:
    with pytest.raises(QuantityError) as caught:
        parse_quantity(text, unit, also)
    return caught.value


@pytest.mark.parametrize(
    ("text", "unit", "also"),
    [
        ("14.8T", "tokens", ()),
        ("14.8T tokens", "tokens", ()),
        ("1M-token", "tokens", ()),
        ("192 routed experts", "experts", ()),
        ("8 Experts", "experts", ()),
        ("one expert", "experts", ()),
        ("300K verifiable problems", "examples", ("problems",)),
        ("2.788M H800 hours", "GPU hours", ("hours",)),
        ("2.1M H100-hours", "GPU hours", ("hours",)),
        ("280K trajectories", "trajectories", ()),
        ("10K queries", "prompts", ("query",)),
        ("3.75%", "%", ()),
        ("3.75 per cent", "%", ()),
        ("85% to 90%", "%", ()),
        ("50%+", "%", ()),
        ("86.7", "%", ()),
        ("$5.576M", "USD", ()),
        ("US$5.576M", "USD", ()),
        ("20M US dollars", "USD", ()),
        ("1350+ FP8 TFLOPS", "TFLOPS", ()),
        ("hundreds of thousands of environments", "environments", ()),
    ],
)
def test_words_that_end_in_the_unit_give_the_unit(
    text: str, unit: str, also: tuple[str, ...]
) -> None:
    assert parse_quantity(text, unit, also).unit == unit


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("6.6 TiB/s", "TiB/s"),
        ("two weeks", "weeks"),
        ("81.8h", "h"),
        ("27 hours", "hours"),
        ("2.788M H800 hours", "H800 hours"),
        ("over 2.77x", None),
        ("2.77×", None),
        ("3 times", None),
        ("3.75%", "%"),
        ("$294K", "USD"),
        ("€294K", "EUR"),
        ("14.8T", None),
    ],
)
def test_where_the_aspect_has_no_unit_the_value_brings_it(text: str, unit: str | None) -> None:
    assert parse_quantity(text).unit == unit


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("14.8T parameters", "tokens"),
        ("3%", "tokens"),
        ("$3M", "tokens"),
        ("0.3 seconds", "ms"),
        ("48 for queries", "heads"),
        ("87% code", "%"),
    ],
)
def test_another_unit_is_refused_and_ours_is_named(text: str, unit: str) -> None:
    fault = refusal(text, unit, ("other",))
    assert fault.is_unit
    assert f"the unit of this aspect, {unit}" in str(fault)
    assert f"{unit}, other" in fault.hint


@pytest.mark.parametrize(
    "text",
    [
        "6 out of 64 experts",
        "8 of 256",
        "118/120",
        "9/14 days",
        "64*8",
        "96 nodes × 8 GPUs",
        "16x8xH800",
        "2x8",
        "32K -> 128K",
        "500B→200B",
        "512K (524,288)",
        "4T or 5T tokens",
        "two or three steps",
        "10 and 30",
        "0.3, then 0.1",
        "190K annotated and 205K synthesized problems",
        "5 + 3",
    ],
)
def test_several_numbers_in_one_value_are_refused(text: str) -> None:
    fault = refusal(text)
    assert "more than one number" in str(fault)
    assert "claims with scopes" in fault.hint
    assert not fault.is_unit


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("", "the value is empty", "write a number"),
        ("nan", "`nan` is not a number", "label U"),
        ("-inf", "`-inf` is not a number", "label U"),
        ("∞", "`∞` is not a number", "label U"),
        ("NVIDIA H800 GPUs", "does not start with a number", "write the number first"),
        ("an order of magnitude", "has no number in it", "kind text or term"),
        ("λ = 0.95", "names a symbol before the number", "write `0.95`"),
        ("T=10", "names a symbol before the number", "write `10`"),
        ("85 ± 3%", "gives a spread", "write a range"),
        ("2024-12-26", "is a date", "kind date"),
        ("5–5", "does not go up", "lower end first"),
        ("9 to 5", "does not go up", "two claims"),
        ("10-6", "power of ten that lost its sign", "`10^-6`"),
        ("3.8 × 1025", "power of ten that lost its sign", "`3.8 × 10^25`"),
        ("between 5", "a range without its end", "both ends"),
        (">5 to 10", "a bound on a range", "not both"),
        ("at least at most 5", "an upper and a lower bound", "`5 to 10`"),
        ("5 to 10+", "a bound beside another bound or a range", "one of them"),
        ("up to 5+", "a bound beside another bound or a range", "one of them"),
        ("7b", "small `b` may be a scale or a unit", "`7B`"),
        ("1,5", "no decimal point", "`1.5`"),
        ("10,0000", "no decimal point", "`1,000,000`"),
        ("1_000", "no decimal point", "`1,000,000`"),
        ("1.2.3", "does not start with a number", "number first"),
        ("1e99999", "an exponent that is too long", "`2.5e25`"),
        ("1e999", "farther from 1 than any quantity", "10^60"),
        ("1e-99", "farther from 1 than any quantity", "10^-60"),
        ("5-B", "is no unit", "move the rest to `means`"),
        ("5 .", "is no unit", "move the rest to `means`"),
        ("5 steps of the last stage", "is no unit", "move the rest to `means`"),
    ],
)
def test_what_is_no_quantity_is_refused_with_what_to_write(
    text: str, message: str, hint: str
) -> None:
    fault = refusal(text)
    assert message in str(fault)
    assert hint in fault.hint
    assert 0 <= fault.column_offset <= len(text)


@pytest.mark.parametrize("text", ["9" * 200_000, "1" + ",000" * 50_000, "9" * 100, "1e" + "9" * 90])
def test_endless_digits_are_refused_in_a_short_message(text: str) -> None:
    fault = refusal(text)
    assert len(str(fault)) < 150
    assert fault.hint


def test_the_offset_is_that_of_the_words_that_are_wrong() -> None:
    assert refusal("14.8T parameters", "tokens").column_offset == len("14.8T")
    assert refusal("over about tokens").column_offset == len("over about ")


@given(st.text(alphabet="0123456789.,eE+-−–×x/^ KMBT%$~<>≥atoperudnwf±=()_", max_size=40))
def test_any_text_is_read_or_refused_and_nothing_else_happens(text: str) -> None:
    try:
        quantity = parse_quantity(text)
    except QuantityError as error:
        hints = error.hint
    else:
        hints = quantity.format()
        assert parse_quantity(hints, quantity.unit) == quantity
    assert hints
