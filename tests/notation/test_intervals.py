from __future__ import annotations

from fractions import Fraction
from math import inf

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evidence_matrix.notation.intervals import (
    Interval,
    greatest,
    least,
    negative,
    point,
    product,
    quotient,
    total,
)

NUMBERS = st.fractions(-50, 50, max_denominator=6)


@st.composite
def intervals(draw: st.DrawFn) -> Interval:
    """An interval with any ends, none of them or one."""
    low, high = sorted([draw(NUMBERS), draw(NUMBERS)])
    low_open, high_open = draw(st.booleans()), draw(st.booleans())
    shape = draw(st.sampled_from(["both", "low", "high", "point"]))
    if shape == "low":
        return Interval(low, inf, low_open, True)
    if shape == "high":
        return Interval(-inf, high, True, high_open)
    if shape == "point" or low == high:
        return point(low)
    return Interval(low, high, low_open, high_open)


@st.composite
def with_a_number(draw: st.DrawFn) -> tuple[Interval, Fraction]:
    interval = draw(intervals())
    numbers = [draw(NUMBERS)]
    numbers += [end for end in (interval.low, interval.high) if isinstance(end, Fraction)]
    inside = [number for number in numbers if number in interval]
    assume(inside)
    return interval, draw(st.sampled_from(inside))


@given(with_a_number(), with_a_number())
def test_the_result_holds_the_result_of_any_two_numbers(
    one: tuple[Interval, Fraction], two: tuple[Interval, Fraction]
) -> None:
    (left, a), (right, b) = one, two
    assert a + b in total(left, right)
    assert a * b in product(left, right)
    assert -a in negative(left)
    assert min(a, b) in least([left, right])
    assert max(a, b) in greatest([left, right])


@given(with_a_number(), with_a_number())
def test_a_quotient_holds_the_quotients_or_is_refused_for_zero(
    one: tuple[Interval, Fraction], two: tuple[Interval, Fraction]
) -> None:
    (left, a), (right, b) = one, two
    if 0 in right or right.low < 0 < right.high:
        with pytest.raises(ZeroDivisionError):
            quotient(left, right)
    else:
        assert a / b in quotient(left, right)


@given(NUMBERS, NUMBERS)
def test_points_stay_points(a: Fraction, b: Fraction) -> None:
    assert total(point(a), point(b)) == point(a + b)
    assert product(point(a), point(b)) == point(a * b)
    if b:
        assert quotient(point(a), point(b)) == point(a / b)


@given(intervals())
def test_a_result_is_no_wider_than_it_must_be(one: Interval) -> None:
    assert total(one, point(Fraction(0))) == one
    assert product(one, point(Fraction(1))) == one
    assert negative(negative(one)) == one
    assert product(one, point(Fraction(0))) == point(Fraction(0))


def test_dividing_by_a_lower_bound_gives_an_upper_bound() -> None:
    above = Interval(Fraction(4), inf, True, True)
    assert quotient(point(Fraction(8)), above) == Interval(Fraction(0), Fraction(2), True, True)
    assert quotient(point(Fraction(-8)), above) == Interval(Fraction(-2), Fraction(0), True, True)


def test_dividing_by_what_may_come_near_zero_has_no_limit() -> None:
    positive = Interval(Fraction(0), Fraction(2), True, False)
    assert quotient(point(Fraction(8)), positive) == Interval(Fraction(4), inf, False, True)
