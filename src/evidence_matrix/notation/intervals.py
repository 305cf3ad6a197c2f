"""Arithmetic on all the numbers between two ends, each end in or out, either end without limit."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import NamedTuple, TypeAlias

Number: TypeAlias = Fraction | float
"""A Fraction; a float only for an infinity."""


class Interval(NamedTuple):
    """The numbers from `low` to `high`.

    Attributes:
        low: the lower end; minus infinity where there is none.
        high: the upper end; infinity where there is none.
        low_open: whether the lower end itself is left out.
        high_open: whether the upper end itself is left out.
    """

    low: Number
    high: Number
    low_open: bool = False
    high_open: bool = False

    def __contains__(self, number: object) -> bool:
        if not isinstance(number, int | Fraction):
            return False
        above = self.low < number or (self.low == number and not self.low_open)
        below = number < self.high or (number == self.high and not self.high_open)
        return above and below

    @property
    def size(self) -> Fraction:
        """The greatest distance of a finite end from zero."""
        ends = [abs(end) for end in (self.low, self.high) if isinstance(end, Fraction)]
        return max(ends, default=Fraction(0))


def point(number: Fraction) -> Interval:
    """One number."""
    return Interval(number, number)


def negative(of: Interval) -> Interval:
    """All the numbers of an interval with the other sign."""
    return Interval(-of.high, -of.low, of.high_open, of.low_open)


def total(left: Interval, right: Interval) -> Interval:
    """All sums of a number of `left` and one of `right`."""
    return Interval(
        left.low + right.low,
        left.high + right.high,
        left.low_open or right.low_open,
        left.high_open or right.high_open,
    )


def product(left: Interval, right: Interval) -> Interval:
    """All products of a number of `left` and one of `right`."""
    corners = [
        _corner(one, one_open, two, two_open)
        for one, one_open in ((left.low, left.low_open), (left.high, left.high_open))
        for two, two_open in ((right.low, right.low_open), (right.high, right.high_open))
    ]
    low, low_open = min(corners)
    high, high_closed = max((number, not is_open) for number, is_open in corners)
    return Interval(low, high, low_open, not high_closed)


def quotient(left: Interval, right: Interval) -> Interval:
    """All quotients of a number of `left` and one of `right`.

    Raises:
        ZeroDivisionError: `right` holds zero, or numbers on both of its sides.
    """
    if 0 in right or right.low < 0 < right.high:
        raise ZeroDivisionError
    if right.high <= 0:
        return quotient(negative(left), negative(right))
    inverse = Interval(
        1 / right.high if isinstance(right.high, Fraction) else Fraction(0),
        1 / right.low if right.low else inf,
        right.high_open or right.high == inf,
        right.low_open,
    )
    return product(left, inverse)


def least(of: Sequence[Interval]) -> Interval:
    """All minima of one number from each interval."""
    low, low_open = min((one.low, one.low_open) for one in of)
    high, high_closed = min((one.high, not one.high_open) for one in of)
    return Interval(low, high, low_open, not high_closed)


def greatest(of: Sequence[Interval]) -> Interval:
    """All maxima of one number from each interval."""
    return negative(least([negative(one) for one in of]))


def _corner(one: Number, one_open: bool, two: Number, two_open: bool) -> tuple[Number, bool]:
    """A product of two ends, and whether it is left out; zero times infinity is zero."""
    if (not one and not one_open) or (not two and not two_open):
        return Fraction(0), False
    if not one or not two:
        return Fraction(0), True
    return one * two, one_open or two_open
