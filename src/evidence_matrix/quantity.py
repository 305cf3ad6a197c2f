"""A quantity as a source writes it: exact, rounded, bounded, a range or about, with its unit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from evidence_matrix.hedges import Hedge, following, leading
from evidence_matrix.numerals import (
    MINUS,
    NUMBER,
    SPELLED,
    Numeral,
    decimal,
    numeral,
    spelled,
)
from evidence_matrix.units import CURRENCY, PERCENT, all_names, currency_names, ends_in

LONGEST = 120
ABOUT_SHARE = Fraction(1, 20)  # "about" is taken to mean within 5%; no source says how near it is
_NO_NUMBER = re.compile(r"[-+−]?(nan|inf(inity)?|∞)", re.IGNORECASE)
_BETWEEN = re.compile(r"(between|from)\s+", re.IGNORECASE)
_JOINER = re.compile(r"(\s?%|\s?[×x](?=\s?[-–—~∼]|\sto\b))?(?:\s*[-–—−~∼]\s*|\s+to\s+|(\s+and\s+))")
_TIMES = re.compile(r"\s?(?:×|x(?![A-Za-z0-9]))(?!\s?[0-9])|\stimes\b|-fold\b")
_SIGN = re.compile(rf"[{MINUS}]\s?(?=[0-9.])")
_ASSIGNMENT = re.compile(r"[^\W\d_]{1,12}\s?=\s?")
_LETTERS = (("T", 12), ("B", 9), ("M", 6), ("K", 3))


class QuantityError(ValueError):
    """A text that is no quantity.

    Attributes:
        hint: what to write instead.
        column_offset: characters from the start of the value to what is wrong.
        is_unit: whether the number is right and only its unit is not the aspect's.

    """

    def __init__(
        self, message: str, hint: str, column_offset: int = 0, is_unit: bool = False
    ) -> None:
        super().__init__(message)
        self.hint = hint
        self.column_offset = column_offset
        self.is_unit = is_unit


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
        if self.low is None and self.high is None:
            number = "any number"
        elif self.is_point and self.low is not None:
            number = about + written(self.low, self.step)
        elif self.high is None and self.low is not None:
            number = (">" if self.low_open else "≥") + about + written(self.low, self.step)
        elif self.low is None and self.high is not None:
            number = ("<" if self.high_open else "≤") + about + written(self.high, self.step)
        elif self.low is not None and self.high is not None:
            number = f"{about}{written(self.low, self.step)} to {written(self.high, self.step)}"
        if self.unit is None:
            return number
        return number + ("%" if self.unit in PERCENT else f" {self.unit}")

    def __str__(self) -> str:
        return self.format()


def written(number: Fraction, step: Fraction) -> str:
    """A number with its last digit at the place of `step`; all of its digits where `step` is 0."""
    pair, place = decimal(number), decimal(step)
    if pair is None:
        return f"{float(number):.6g}…"
    digits, power = pair
    last = min(power, 0) if not step else place[1] if place else power
    sign, digits = ("-" if digits < 0 else ""), abs(digits)
    digits = digits * 10 ** (power - last) if power >= last else digits
    last = last if power >= last else power
    if last < -12 or (last > 0 and not any(last <= scale for _, scale in _LETTERS)):
        return f"{sign}{_pointed(digits, len(str(digits)) - 1)}e{last + len(str(digits)) - 1}"
    for letter, scale in _LETTERS:
        if 0 < last <= scale and digits * 10**last >= 10**scale:
            return f"{sign}{_pointed(digits, scale - last)}{letter}"
    if last > 0:
        return f"{sign}{_pointed(digits, len(str(digits)) - 1)}e{last + len(str(digits)) - 1}"
    if last < -4 and digits:
        return f"{sign}{_pointed(digits, len(str(digits)) - 1)}e{last + len(str(digits)) - 1}"
    whole = _pointed(digits, -last)
    head, dot, tail = whole.partition(".")
    return sign + (f"{int(head):,}" if len(head) > 4 else head) + dot + tail


def _pointed(digits: int, places: int) -> str:
    """The digits with a decimal point before the last `places` of them."""
    if not places:
        return str(digits)
    plain = str(digits).rjust(places + 1, "0")
    return f"{plain[:-places]}.{plain[-places:]}"


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
    return _Reading(text.strip(), unit, tuple(also)).quantity()


class _Reading:
    """One pass over a value, from its hedges over its numbers to its unit."""

    def __init__(self, text: str, unit: str | None, also: tuple[str, ...]) -> None:
        self.text = text
        self.unit = unit
        self.also = also
        self.at = 0
        self.hedge = Hedge()

    def quantity(self) -> Quantity:
        self._refuse_at_sight()
        between = self._lead()
        currency = self._currency()
        first, low = self._number()
        percent, high = False, low
        last = first
        joiner = None if first.vague else self._joiner(bool(between))
        if joiner is not None:
            percent = "%" in (joiner[1] or "")
            self.at = joiner.end()
            self._currency()
            last, high = self._number()
            if last.shift and not first.shift:
                low = low * Fraction(10) ** last.shift
                first = first._replace(place=first.place + last.shift)
            self._refuse_range(low, high)
        elif between:
            raise self._error("a range without its end", "write both ends: `5 to 10`", self.at)
        step = Fraction(10) ** min(first.place, last.place)
        self._follow(is_range=joiner is not None)
        unit = self._unit(currency, percent)
        if first.vague:
            return Quantity(self.text, low, None, False, False, True, step, unit)
        side, strict, about = self.hedge
        return Quantity(
            self.text,
            None if side < 0 else low,
            None if side > 0 else high,
            side > 0 and strict,
            side < 0 and strict,
            about,
            step,
            unit,
        )

    def _error(self, message: str, hint: str, at: int = 0) -> QuantityError:
        return QuantityError(message, hint, at)

    def _shown(self, at: int = 0) -> str:
        rest = self.text[at : at + 41]
        return rest if len(rest) <= 40 else rest[:39] + "…"

    def _refuse_at_sight(self) -> None:
        if not self.text:
            raise self._error("the value is empty", "write a number, as in `14.8T` or `about 15T`")
        if len(self.text) > LONGEST:
            raise self._error(
                f"`{self._shown()}` is {len(self.text)} characters long, too long for a quantity",
                "write one number with its unit; round it or use a scale: `14.8T`",
            )
        if _NO_NUMBER.fullmatch(self.text):
            raise self._error(
                f"`{self.text}` is not a number",
                "write the number that the source gives; a claim without one has label U",
            )
        assigned = _ASSIGNMENT.match(self.text)
        if assigned:
            raise self._error(
                f"`{self._shown()}` names a symbol before the number",
                f"write `{self._shown(assigned.end())}` and put the symbol into `means`",
            )

    def _lead(self) -> re.Match[str] | None:
        while True:
            found = leading(self.text, self.at)
            if found is None:
                break
            hedge, end = found
            both = self.hedge.joined(hedge)
            if both is None:
                raise self._error(
                    f"`{self._shown()}` has an upper and a lower bound before one number",
                    "write a range as `5 to 10`",
                    self.at,
                )
            self.hedge, self.at = both, end
        between = _BETWEEN.match(self.text, self.at)
        if between:
            self.at = between.end()
        return between

    def _currency(self) -> str | None:
        sign = CURRENCY.match(self.text, self.at)
        if sign is None:
            return None
        self.at = sign.end()
        return sign[1]

    def _number(self) -> tuple[Numeral, Fraction]:
        sign = _SIGN.match(self.text, self.at)
        at = sign.end() if sign else self.at
        match = NUMBER.match(self.text, at)
        found = numeral(match) if match else None
        if match and found is None:
            raise self._error(
                f"`{self._shown(at)}` is a date",
                "write one number; a date belongs in an aspect of kind date",
            )
        if match is None and (words := SPELLED.match(self.text, at)):
            found = spelled(words)
        if found is None:
            raise self._error(*_no_number(self._shown(at), self.text), at)
        if match and (match["ten_lost"] or match["times_flat"]):
            power = f"10^-{match['ten_lost']}" if match["ten_lost"] else f"10^{match['times_flat']}"
            lead = "" if match["ten_lost"] else f"{match['whole']}.{match['part']} × "
            if not (match["ten_lost"] and "\u2212" in match[0]):
                raise self._error(
                    f"`{match[0]}` may be a power of ten that lost its sign",
                    f"write `{lead}{power}` for the power; for a range put the lower end first",
                    at,
                )
        if found.unsure:
            raise self._error(
                f"`{self._shown(at)}`: small `{self.text[found.end - 1]}` may be a scale or a unit",
                f"write `{self.text[at : found.end].upper()}` for the scale, or the unit in words",
                at,
            )
        self.at = found.end
        return found, -found.value if sign else found.value

    def _joiner(self, between: bool) -> re.Match[str] | None:
        joiner = _JOINER.match(self.text, self.at)
        if joiner is None or (joiner[2] and not between):
            return None
        after = CURRENCY.match(self.text, joiner.end())
        at = after.end() if after else joiner.end()
        sign = _SIGN.match(self.text, at)
        at = sign.end() if sign else at
        return joiner if NUMBER.match(self.text, at) or SPELLED.match(self.text, at) else None

    def _refuse_range(self, low: Fraction, high: Fraction) -> None:
        if low < high and not self.hedge.side:
            return
        if self.hedge.side:
            raise self._error(
                f"`{self._shown()}` is a bound on a range", "write the bound or the range, not both"
            )
        raise self._error(
            f"the range `{self._shown()}` does not go up",
            "put the lower end first; a ramp from one number to another is two claims with scopes",
        )

    def _follow(self, is_range: bool) -> None:
        hedge, end = following(self.text, self.at)
        if not hedge.side:
            return
        both = self.hedge.joined(hedge)
        if both is None or is_range:
            raise self._error(
                f"`{self._shown()}` has a bound beside another bound or a range",
                "write one of them",
                self.at,
            )
        self.hedge, self.at = both, end

    def _unit(self, currency: str | None, percent: bool) -> str | None:
        times = _TIMES.match(self.text, self.at)
        at = times.end() if times else self.at
        rest = self.text[at:].strip().lstrip("-").lstrip()
        if percent and not rest.startswith("%"):
            rest = f"% {rest}".strip()
        self._refuse_second_number(rest, at)
        names = all_names(self.unit, self.also) if self.unit else ()
        said = currency_names(currency) if currency else ()
        if said and (ends_in(rest, said) or not rest):
            if self.unit is None:
                return said[0]
            rest = said[0]
        if not rest:
            return self.unit
        if self.unit is None:
            if len(rest.split()) <= 3:
                return rest
            raise self._error(
                f"`{rest}` is too long for a unit", "keep the unit and move the rest to `means`", at
            )
        if ends_in(rest, names):
            return self.unit
        raise QuantityError(
            f"`{rest}` does not end in the unit of this aspect, {self.unit}",
            f"end it in one of {', '.join(dict.fromkeys((self.unit, *self.also)))}, "
            "or leave the unit out and move the words to `means`",
            at,
            is_unit=True,
        )

    def _refuse_second_number(self, rest: str, at: int) -> None:
        if "±" in rest:
            raise self._error(
                f"`{self._shown()}` gives a spread",
                "write the number alone and put the spread into `means`, or write a range",
                at,
            )
        if re.search(r"(?:^|[^A-Za-z0-9_])[0-9]|[=(→]|->", rest) is None:
            return
        raise self._error(
            f"`{self._shown()}` holds more than one number",
            "write one number; several are several claims with scopes, another writing or a "
            "comparison goes into `means`, a sum or a product is an inference with a formula",
            at,
        )


def _no_number(shown: str, text: str) -> tuple[str, str]:
    if re.search("[0-9]{41}", text):
        return "more than 40 digits in a row", "round it, or use a scale or an exponent: `2.5e25`"
    if re.search("[0-9]", text) is None:
        return (
            f"`{shown}` has no number in it",
            "write a number; words without a number belong in an aspect of kind text or term",
        )
    return (
        f"`{shown}` does not start with a number",
        "write the number first, then its unit: `14.8T tokens`; the rest belongs in `means`",
    )
