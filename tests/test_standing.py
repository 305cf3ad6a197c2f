from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evidence_matrix.quantity import Quantity, parse_quantity
from evidence_matrix.standing import How, number_in

LETTERS = {0: "", 3: "K", 6: "M", 9: "B", 12: "T"}
NAMES = {3: "thousand", 6: "million", 9: "billion", 12: "trillion"}
RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
AROUND = st.sampled_from(
    [
        ("", ""),
        ("we train on ", " tokens in total"),
        ("(", ")"),
        ("a budget of ", ", see Table A"),
        ("params: ", " / layers"),
        ("| Total | ", " |"),
        ("**", "** parameters"),
        ("<td>", "</td>"),
        ("uses H800 GPUs and ", " experts"),
        ("K = ", "."),
    ]
)
LOWER = ["over ", "more than ", ">", "> ", "at least ", "Over ", "exceeding ", "≥"]
UPPER = ["up to ", "under ", "at most ", "<", "fewer than ", "Up to a "]
ABOUT = ["about ", "~", "approximately ", "roughly ", "nearly ", "an estimated ", "∼"]


def grouped(number: int, separator: str) -> str:
    return f"{number:,}".replace(",", separator)


@st.composite
def writings(draw: st.DrawFn) -> tuple[Fraction, str]:
    """A number, and one of the ways in which a source may write it."""
    digits = draw(st.integers(1, 9999))
    point = draw(st.integers(0, len(str(digits)) - 1))
    scale = draw(st.sampled_from(list(LETTERS)))
    number = Fraction(digits, 10**point) * 10**scale
    mantissa = f"{digits}"[: len(str(digits)) - point]
    tail = f"{digits}"[len(str(digits)) - point :]
    mantissa += f".{tail}" if tail else ""
    forms = [f"{mantissa}e{scale}", f"{mantissa} × 10^{scale}", f"{mantissa}×10^{{{scale}}}"]
    forms += [
        f"{mantissa} × 10{str(scale).translate(RAISED)}",
        rf"{mantissa} \times 10^{{{scale}}}",
    ]
    forms.append(mantissa + LETTERS[scale])
    if scale:
        forms += [f"{mantissa} {NAMES[scale]}", f"{mantissa}-{NAMES[scale].title()}"]
        forms.append(f"{mantissa} {LETTERS[scale]}")
        if number.denominator == 1:
            smaller = int(Fraction(digits * 1000, 10**point))
            if smaller * 10 ** (scale - 3) == number:
                forms.append(f"{smaller:,}{LETTERS[scale - 3]}")
    if number.denominator == 1 and number < 10**13:
        forms += [grouped(int(number), mark) for mark in (",", "\u2009", "\u202f", "", " ", "{,}")]
    return number, draw(st.sampled_from(forms))


def exactly(number: Fraction) -> Quantity:
    return Quantity("", number, number)


@given(writings(), AROUND)
def test_every_writing_of_a_number_is_found(
    writing: tuple[Fraction, str], around: tuple[str, str]
) -> None:
    number, text = writing
    assert number_in(text.join(around), exactly(number))


@given(writings(), AROUND, st.integers(0, 20), st.integers(1, 9))
def test_a_wrong_digit_is_absent(
    writing: tuple[Fraction, str], around: tuple[str, str], place: int, other: int
) -> None:
    number, text = writing
    digits = [at for at, char in enumerate(str(number.numerator)) if char != "0"]
    at = digits[place % len(digits)]
    wrong = str(number.numerator)[:at] + str(other) + str(number.numerator)[at + 1 :]
    assume(int(wrong) != number.numerator)
    assert number_in(text.join(around), exactly(Fraction(int(wrong), number.denominator))).how in (
        How.ABSENT,
        How.OTHER_SCALE,  # 10 for 1, say
    )


@given(writings(), AROUND, st.sampled_from([-12, -9, -6, -3, -1, 1, 2, 3, 6, 9, 12]))
def test_another_scale_is_told_apart(
    writing: tuple[Fraction, str], around: tuple[str, str], power: int
) -> None:
    number, text = writing
    assume(not re.search("[0-9] [1-9]", text))  # `1 234` may be two numbers
    standing = number_in(text.join(around), exactly(number * Fraction(10) ** power))
    assert standing.how is How.OTHER_SCALE
    assert re.sub(r"\s", "", standing.read) == re.sub(r"\s", "", text)


@given(writings(), AROUND)
def test_a_wrong_sign_is_absent(writing: tuple[Fraction, str], around: tuple[str, str]) -> None:
    number, text = writing
    assert number_in(text.join(around), exactly(-number)).how is How.ABSENT
    assert number_in(f"−{text}".join(around), exactly(number)).how is How.ABSENT
    assert number_in(f"−{text}".join(around), exactly(-number))


@given(writings(), AROUND, st.sampled_from(LOWER), st.sampled_from(UPPER), st.sampled_from(ABOUT))
def test_a_bound_or_about_must_be_the_same_on_both_sides(
    writing: tuple[Fraction, str], around: tuple[str, str], lower: str, upper: str, about: str
) -> None:
    number, text = writing
    plain = exactly(number)
    claims = {
        lower: Quantity("", number, None, low_open=True),
        upper: Quantity("", None, number),
        about: replace(plain, about=True),
        "": plain,
    }
    for said in claims:
        fragment = f"{said}{text}".join(around)
        for claimed, quantity in claims.items():
            standing = number_in(fragment, quantity)
            if claimed == said:
                assert standing, (fragment, quantity)
            elif said:
                assert standing.how is How.BOUND_DROPPED
                assert said.strip() in standing.read
            else:
                assert standing.how is How.BOUND_MISSING


@given(st.integers(1, 999), st.integers(1, 999), st.sampled_from(["K", "M", "B", "T"]))
def test_a_range_needs_both_of_its_ends(one: int, two: int, scale: str) -> None:
    assume(one != two)
    low, high = sorted([one, two])
    quantity = parse_quantity(f"{low}{scale}–{high}{scale}")
    for fragment in (
        f"with {low}{scale}–{high}{scale} tokens",
        f"with {low}–{high}{scale} tokens",
        f"between {low}{scale} and {high}{scale}",
        f"{low}{scale} to {high}{scale} tokens",
    ):
        assert number_in(fragment, quantity)
        for end in (low, high):
            standing = number_in(fragment, parse_quantity(f"{end}{scale}"))
            assert standing.how is How.BOUND_DROPPED
            assert str(low) in standing.read
            assert str(high) in standing.read
    assert not number_in(f"with {low}{scale} tokens", quantity)
    assert not number_in(f"with {low}{scale}–{high + 1000}{scale} tokens", quantity)


@pytest.mark.parametrize(
    ("fragment", "value"),
    [
        ("trained on 14.8T tokens", "14.8T"),
        ("14.8 trillion tokens", "14.8T"),
        ("14,800B tokens", "14.8T"),
        ("a context of one million tokens", "1M"),
        ("1M-context", "1,000,000"),
        ("a context of 128,000 tokens", "128K"),
        ("a 128k context", "128,000"),
        ("10K+ environments", ">10K"),
        (">10K environments", ">10K"),
        ("over 10K environments", ">10K"),
        ("at least 10K environments", ">10K"),
        ("100 or more", "≥100"),
        ("50%+ on AIME", "50%+"),
        ("a learning rate of 2.5 × 10−6", "2.5e-6"),
        ("lr=2.5e-6", "2.5 × 10^-6"),
        ("a rate of 10⁻⁶", "1e-6"),
        ("a rate of 10−6", "1e-6"),
        ("two shared experts", "2"),
        ("2 shared experts", "two"),
        ("30B-A3B model", "3B"),
        ("Qwen3.5-122B-A10B", "10B"),
        ("Llama-2-7b weights", "7B"),
        ("a KL penalty of -5.0", "-5.0"),
        ("penalty −1 for", "-1"),
        ("hundreds of thousands of sandboxes", "hundreds of thousands of"),
        ("several hundred thousand transcripts", "hundreds of thousands of"),
        ("a total of 51,219,741 sandboxes", "51,219,741"),
        ("averaged over 64 samples", "64"),
        ("decayed to 1e-6 over 15k iterations", "15K"),
        ("warm-up over 20 rollout steps", "20"),
        ("increased from 3072 to 15360", "3072"),
        ("increased from 3072 to 15360", "15,360"),
        ("improved from 0.85 to 0.96", "0.96"),
        ("from 4,096 to 32,768 tokens", "32,768"),
        ("from 4,096 to 32,768 tokens", "4096"),
        ("grown from approximately 500K to 6M", "6M"),
        ('<strong>Total</strong></td> <td align="center">2.8T</td>', "2.8T"),
        ('text-align: center">3584</td>', "3584"),
        ("cumulative of **39.3**M GPU hours", "39.3M"),
        ("costs $5.576M in total", "$5.576M"),
        ("60%–85% faster", "60%–85%"),
        ("5 – 10 steps", "5–10"),
        ("a reward from -5 to -1", "-5 to -1"),
        ("for 200 questions about 10 topics", "200"),
        ("64\\*8 GPUs", "64"),
    ],
)
def test_usual_fragments(fragment: str, value: str) -> None:
    assert number_in(fragment, parse_quantity(value))


@pytest.mark.parametrize(
    ("fragment", "value", "how"),
    [
        ("131,072 positions", "128K", How.ABSENT),
        ("a 128K context", "131,072", How.ABSENT),
        ("2048 H800 GPUs", "800", How.ABSENT),
        ("DeepSeek-V3.2", "3.2", How.ABSENT),
        ("Date: 2025-05-28", "28", How.ABSENT),
        ("the 7B model", "7", How.OTHER_SCALE),
        ("14.8B tokens", "14.8T", How.OTHER_SCALE),
        ("128 tokens", "128K", How.OTHER_SCALE),
        ("0.8 of the data", "80%", How.OTHER_SCALE),
        ("10K environments", ">10K", How.BOUND_MISSING),
        ("15T tokens", "about 15T", How.BOUND_MISSING),
        ("15T tokens", "up to 15T", How.BOUND_MISSING),
        ("over 10K environments", "10K", How.BOUND_DROPPED),
        ("over 10K environments", "<10K", How.BOUND_DROPPED),
        ("over 10K environments", "about 10K", How.BOUND_DROPPED),
        ("approximately 15T tokens", "15T", How.BOUND_DROPPED),
        ("at least about 15T tokens", "≥15T", How.BOUND_DROPPED),
        ("thousands of tasks", "1000", How.BOUND_DROPPED),
        ("60-70 tokens/s", "60", How.BOUND_DROPPED),
        ("from 2%, then 60%–85% more", "85%", How.BOUND_DROPPED),
        ("speedups of 1.5×–2×", "2×", How.BOUND_DROPPED),
        ("between $5M and $6M", "$6M", How.BOUND_DROPPED),
        ("5M to 6B", "5M–6M", How.OTHER_SCALE),
        ("from -5 to 1", "-5 to -1", How.ABSENT),
        ("from 5 to 15", "5 to 10", How.ABSENT),
        ("", "1", How.ABSENT),
        ("no number at all", "1", How.ABSENT),
    ],
)
def test_what_does_not_stand_as_claimed_is_told_apart(fragment: str, value: str, how: How) -> None:
    assert number_in(fragment, parse_quantity(value)).how is how


@pytest.mark.parametrize(
    ("fragment", "value", "read", "hedge"),
    [
        ("a context of up to 128K tokens", "128K", "up to 128K", "up to"),
        ("10K+ environments", "10K", "10K+", "+"),
        ("roughly 38 TB", "38", "roughly 38", "roughly"),
        ("we use 60–70 tokens/s", "60", "60–70", "–70"),
        ("between 5 and 10 steps", "10", "between 5 and 10", "between 5 and"),
    ],
)
def test_a_dropped_bound_is_shown_with_its_words(
    fragment: str, value: str, read: str, hedge: str
) -> None:
    standing = number_in(fragment, parse_quantity(value))
    assert (standing.read, standing.hedge) == (read, hedge)
    assert not standing


def test_the_best_place_in_a_fragment_counts() -> None:
    fragment = "about 15T of text, of which 15T is used; 15B is held out"
    assert number_in(fragment, parse_quantity("15T"))
    assert number_in(fragment, parse_quantity("about 15T"))
    assert number_in(fragment, parse_quantity(">15T")).how is How.BOUND_MISSING


def test_a_number_that_never_ends_stands_nowhere() -> None:
    assert number_in("0.333", exactly(Fraction(1, 3))).how is How.ABSENT


def test_a_very_long_fragment_is_searched_without_harm() -> None:
    assert not number_in("9" * 200_000, parse_quantity("9"))
    assert not number_in("1," * 100_000, parse_quantity("2"))
