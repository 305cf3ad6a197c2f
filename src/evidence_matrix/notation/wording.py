"""How a record words a quantity: hedges, numbers and unit, and what to write where it is none."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from evidence_matrix.notation.hedges import Hedge, following, leading
from evidence_matrix.notation.numerals import (
    MINUS,
    NUMBER,
    SPELLED,
    Numeral,
    numeral,
    power_of_ten,
    spelled,
)
from evidence_matrix.notation.units import CURRENCY, all_names, currency_names, ends_in

LONGEST = 120
FARTHEST = 60  # powers of ten; FLOPs of a run are near 26, epsilons near -15
_NO_NUMBER = re.compile(r"[-+−]?(nan|inf(inity)?|∞)", re.IGNORECASE)
_BETWEEN = re.compile(r"(between|from)\s+", re.IGNORECASE)
_JOINER = re.compile(r"(\s?%|\s?[×x](?=\s?[-–—~∼]|\sto\b))?(?:\s*[-–—−~∼]\s*|\s+to\s+|(\s+and\s+))")
_TIMES = re.compile(r"\s?(?:×|x(?![A-Za-z0-9]))(?!\s?[0-9])|\stimes\b|-fold\b")
_SIGN = re.compile(rf"[{MINUS}]\s?(?=[0-9.])")
_PERCENT = re.compile(r"\s?%|\s(?:percent|per cent)\b", re.IGNORECASE)
_SPREAD = re.compile(r"\s*(?:±|\+/-|\\pm)")
_ANOTHER = re.compile(
    r"(?:^|[^A-Za-z0-9_.])\.?[0-9]|^[x×*]|[=→]|->|\b(?:and|or|to|by|in|of)\s(?:"
    + SPELLED.pattern
    + ")",
    re.IGNORECASE,
)
_UNIT = re.compile(r"%|(?![KMBT]\b)(?:[^\W\d_]|°)[\w/·^*%°-]*(?: [\w/·^*%°-]+){0,2}")
_ASSIGNMENT = re.compile(r"[^\W\d_]{1,12}\s?=\s?")


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


class Words(NamedTuple):
    """What a record's words say of a quantity; the fields are those of a Quantity in order."""

    low: Fraction | None
    high: Fraction | None
    low_open: bool
    high_open: bool
    about: bool
    step: Fraction
    unit: str | None


def words_of(text: str, unit: str | None, also: tuple[str, ...]) -> Words:
    """What a stripped text says; see `quantity.parse_quantity`.

    Raises:
        QuantityError: the text is no quantity, or its words do not end in the unit.
    """
    return _Pass(text, unit, also).words()


class _Pass:
    """One pass over a value, from its hedges over its numbers to its unit."""

    def __init__(self, text: str, unit: str | None, also: tuple[str, ...]) -> None:
        self.text = text
        self.unit = unit
        self.also = also
        self.at = 0
        self.hedge = Hedge()

    def words(self) -> Words:
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
                low = low * power_of_ten(last.shift)
                first = first._replace(place=first.place + last.shift)
            self._refuse_range(low, high)
        elif between:
            raise self._error("a range without its end", "write both ends: `5 to 10`", self.at)
        place = min(first.place, last.place)
        if max(abs(place), abs(last.power)) > FARTHEST:
            raise self._error(
                f"`{self._shown()}` is farther from 1 than any quantity",
                f"write a number between 10^-{FARTHEST} and 10^{FARTHEST}",
            )
        percent = self._percent(joined=percent, is_range=joiner is not None)
        unit = self._unit(currency, percent)
        step = power_of_ten(place)
        if first.vague:
            return Words(low, None, False, False, True, step, unit)
        side, strict, about = self.hedge
        return Words(
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
                f"`{self._shown()}` is a bound on a range",
                "write the bound or the range, not both",
            )
        raise self._error(
            f"the range `{self._shown()}` does not go up",
            "put the lower end first; a ramp from one number to another is two claims with scopes",
        )

    def _percent(self, joined: bool, is_range: bool) -> bool:
        """Whether a percent sign or word follows; passes it and a bound after it."""
        sign = _PERCENT.match(self.text, self.at)
        self.at = sign.end() if sign else self.at
        self._follow(is_range)
        return joined or sign is not None

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
        self.at = times.end() if times else self.at
        rest = self.text[self.at :]
        self._refuse_second_number(rest)
        rest = rest.strip().removeprefix("-").strip()
        if percent:
            rest = f"% {rest}".strip()
        known = currency_names(currency) if currency else ()
        if not rest and not known:
            return self.unit
        if known and not rest.endswith(known):
            rest = f"{rest} {known[0]}".strip()
        if self.unit is None:
            return self._own_unit(known[0] if known else rest)
        if ends_in(rest, all_names(self.unit, self.also)):
            return self.unit
        raise QuantityError(
            f"`{rest}` does not end in the unit of this aspect, {self.unit}",
            f"end it in one of {', '.join(dict.fromkeys((self.unit, *self.also)))}, "
            "or leave the unit out and move the words to `means`",
            self.at,
            is_unit=True,
        )

    def _own_unit(self, rest: str) -> str:
        """The unit that a value brings along where the aspect has none."""
        if _UNIT.fullmatch(rest):
            return rest
        raise self._error(
            f"`{rest}` after the number is no unit",
            "keep one to three words that name the unit and move the rest to `means`",
            self.at,
        )

    def _refuse_second_number(self, rest: str) -> None:
        if not rest:
            return
        if _SPREAD.match(rest):
            raise self._error(
                f"`{self._shown()}` gives a spread",
                "write the number alone and put the spread into `means`, or write a range",
                self.at,
            )
        if re.match("[,_'’.][0-9]", rest):
            raise self._error(
                f"`{self._shown()}`: `{rest[0]}` is no decimal point, and as a separator it stands "
                "wrong",
                "write thousands as `1,000,000` and decimals as `1.5`",
                self.at,
            )
        if re.match("[eE][-+]?[0-9]", rest):
            raise self._error(
                f"`{self._shown()}` has an exponent that is too long", "write `2.5e25`", self.at
            )
        if _ANOTHER.search(rest):
            raise self._error(
                f"`{self._shown()}` holds more than one number",
                "write one number; several are several claims with scopes, another writing or a "
                "comparison goes into `means`, a sum or a product is an inference with a formula",
                self.at,
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
