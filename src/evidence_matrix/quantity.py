"""A quantity as a source writes it: exact, rounded, bounded, a range or about, with its unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache

from evidence_matrix.notation.numerals import decimal, written
from evidence_matrix.notation.units import PERCENT
from evidence_matrix.notation.wording import QuantityError, words_of

__all__ = ["Quantity", "QuantityError", "parse_quantity"]

ABOUT_SHARE = Fraction(1, 20)  # "about" is taken to mean within 5%; no source says how near it is


@dataclass(frozen=True)
class Quantity:
    """One number, as well as it is known.

    Attributes:
        text: the quantity as it was written.
        low: the number or its lower bound; None where there is no lower bound.
        high: the number or its upper bound; None where there is no upper bound.
        low_open: whether the number lies above `low` and not on it.
        high_open: whether the number lies below `high` and not on it.
        about: whether the source says that it is approximate.
        step: the place of the last digit written: 10^11 for 14.8T, 1 for 256; 0 where a computed
            number is exact.
        unit: the aspect's name of the unit, or None for a bare number.
    """

    text: str = field(compare=False)
    low: Fraction | None
    high: Fraction | None
    low_open: bool = False
    high_open: bool = False
    about: bool = False
    step: Fraction = Fraction(1)
    unit: str | None = None

    @property
    def is_point(self) -> bool:
        """Whether it is one number, neither a bound nor a range."""
        return self.low is not None and self.low == self.high

    @property
    def is_exact(self) -> bool:
        """Whether it is a whole number written out in full, which nobody rounded."""
        return (
            self.is_point
            and not self.about
            and (not self.step or (self.step == 1 and self.unit not in PERCENT))
        )

    @cached_property
    def decimals(self) -> tuple[tuple[int, int], ...] | None:
        """Significant digits and power of ten of each end that is there; None if one never ends."""
        ends = [self.low] if self.is_point else [self.low, self.high]
        found = [decimal(end) for end in ends if end is not None]
        known = tuple(pair for pair in found if pair is not None)
        return known if len(known) == len(found) else None

    @property
    def sort_key(self) -> tuple[Fraction, int]:
        """Orders by the lower end; of equal ends an upper bound is first, a lower bound last."""
        if self.low is None:
            return (self.high or Fraction(0), -1)
        return (self.low, 1 if self.high is None else 0)

    def interval(self) -> tuple[Fraction | None, Fraction | None]:
        """The numbers that the source may mean, from lowest to highest; None is without end.

        A number or a range is widened by half of its last written place, unless it is exact. What
        is `about` is widened by a twentieth. A bound is a bound and is not widened for rounding.
        """
        bounded = self.low is None or self.high is None
        rounding = Fraction(0) if bounded or self.is_exact else self.step / 2
        low = self.low if self.low is None else self.low - self._slack(self.low, rounding)
        high = self.high if self.high is None else self.high + self._slack(self.high, rounding)
        return low, high

    def _slack(self, end: Fraction, rounding: Fraction) -> Fraction:
        return max(rounding, abs(end) * ABOUT_SHARE) if self.about else rounding

    def meets(self, other: Quantity) -> bool:
        """Whether one number can be both, units included; a number without unit meets any.

        A half is rounded up: 14.8T covers 14.75T and does not cover 14.85T.
        """
        if None not in (self.unit, other.unit) and self.unit != other.unit:
            return False
        low, low_open = max(self._from(), other._from())
        high, high_closed = min(self._until(), other._until())
        return low < high or (low == high and not low_open and high_closed)

    def _from(self) -> tuple[float | Fraction, bool]:
        low, _ = self.interval()
        return (float("-inf"), True) if low is None else (low, self.low_open)

    def _until(self) -> tuple[float | Fraction, bool]:
        _, high = self.interval()
        if high is None:
            return float("inf"), False
        return high, not self.high_open and (self.high == high or self.about)

    def format(self) -> str:
        """The quantity in canonical writing; parsing it with the same unit gives it back."""
        about = "about " if self.about else ""
        low = "" if self.low is None else written(self.low, self.step, 0 if self.is_point else -1)
        plain = bool(low) and "e" not in low  # an exponent of the upper end would go for both
        high = "" if self.high is None else written(self.high, self.step, 1, plain)
        if self.is_point:
            number = about + low
        elif low and high:
            number = f"{about}{low} to {high}"
        elif low:
            number = (">" if self.low_open else "≥") + about + low
        else:
            number = (("<" if self.high_open else "≤") + about + high) if high else "any number"
        if self.unit is None:
            return number
        return number + ("%" if self.unit in PERCENT else f" {self.unit}")

    def __str__(self) -> str:
        return self.format()


def parse_quantity(text: str, unit: str | None = None, also: Sequence[str] = ()) -> Quantity:
    """The quantity that a record's text gives.

    Args:
        text: as the record has it: `14.8T`, `>10K`, `about 15T`, `630B–839B`, `2 × 10^-6`, `two`,
            `2.788M H800 hours`.
        unit: the aspect's unit; None takes the unit from the words after the number.
        also: other names of the unit.

    Raises:
        QuantityError: the text is no quantity, or its words do not end in the unit.
    """
    return _parsed(text.strip(), unit, tuple(also))


@lru_cache(maxsize=8192)
def _parsed(text: str, unit: str | None, also: tuple[str, ...]) -> Quantity:
    return Quantity(text, *words_of(text, unit, also))
