"""Whether a number stands in a fragment of a source, in any of the ways in which it is written."""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from evidence_matrix.notation.hedges import NONE, Hedge, before, following
from evidence_matrix.notation.numerals import (
    MINUS,
    NUMBER,
    Numeral,
    numeral,
    numerals,
    numerals_with,
)
from evidence_matrix.quantity import Quantity

_DASH = re.compile(r"\s?[%×]?\s?(?:[-–—−~∼]|to\s)\s?[$€£]?(?=[0-9.])")
_BEFORE_END = re.compile(  # `from 3 to 15` may be a ramp, whose ends are two claims
    r"(?:(?:^|[\s(\[$€£~≈>])[0-9][0-9.,]*\s?[%KMBTkx×]?\s?[-–—−~∼]\s?|\bbetween\s.{1,24}\sand\s"
    r"|(?:^|[\s(\[$€£~≈>])[0-9][0-9.,]*\s?[%KMBTkx×]?\sto\s)"
    r"[$€£]?$",
    re.IGNORECASE,
)
_RAMP = re.compile(r"\bfrom\s(?:(?:[^,;]|,(?=[0-9])){1,24}\sto\s|[a-z]+\s)?[$€£]?$", re.IGNORECASE)
_LINK_ENDS = frozenset("-–—−~∼dDoOnN")  # of a dash, and, to, between
_AND = re.compile(rf"\sand\s[$€£]?{NUMBER.pattern}")
_BETWEEN = re.compile(r"\bbetween\s$", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|^[^<>]*[\"/]>")
_SURELY_SPACED = re.compile(
    r"(?<![0-9.,])[0-9]{1,3}(?: [0-9]{3})*(?: 0[0-9]{2})(?: [0-9]{3})*(?![0-9])"
)
_SPACED = re.compile(r"(?<![0-9.,])[0-9]{1,3}(?: [0-9]{3})+(?![0-9])")


class How(Enum):
    """How well a number stands in a fragment, best first."""

    FOUND = "found"
    BOUND_MISSING = "the value has a bound or an about that the fragment does not have"
    BOUND_DROPPED = "the fragment has a bound, a range or an about that the value does not have"
    OTHER_SCALE = "the digits stand there with another scale"
    ABSENT = "absent"


class Standing(NamedTuple):
    """How a number stands in a fragment; true only where it is found as it is claimed.

    Attributes:
        how: which of the ways.
        read: the words of the fragment that were read; empty where the number is absent.
        hedge: the words in `read` that make the number a bound or an approximation.
    """

    how: How
    read: str = ""
    hedge: str = ""

    def __bool__(self) -> bool:
        return self.how is How.FOUND


_ABSENT = Standing(How.ABSENT)
_ORDER = {how: rank for rank, how in enumerate(How)}


def number_in(fragment: str, quantity: Quantity) -> Standing:
    """How the number of `quantity` stands in `fragment`; units are not looked at.

    `14.8T`, `14.8 trillion` and `14,800B` are the same number, and so are `2`, `two` and `2.0`.
    `128K` is 128,000 and never 131,072. Both ends of a range must stand there.
    """
    ends = quantity.decimals
    if not ends:
        return _ABSENT
    if "<" in fragment or "**" in fragment:
        fragment = _TAG.sub(" ", fragment).replace("**", "")
    if " 0" in fragment:
        fragment = _SURELY_SPACED.sub(lambda match: match[0].replace(" ", "\u202f"), fragment)
    best = _ends_in(fragment, quantity, ends)
    if not best and _SPACED.search(fragment):
        joined = _SPACED.sub(lambda match: match[0].replace(" ", "\u202f"), fragment)
        return min(best, _ends_in(joined, quantity, ends), key=lambda one: _ORDER[one.how])
    return best


def _ends_in(fragment: str, quantity: Quantity, ends: tuple[tuple[int, int], ...]) -> Standing:
    best = _ABSENT
    for found in numerals_with(abs(ends[0][0]), fragment):
        standing = _judged(fragment, found, quantity, ends)
        if standing.how is How.FOUND:
            return standing
        if _ORDER[standing.how] < _ORDER[best.how]:
            best = standing
    return best


def _judged(
    fragment: str, found: Numeral, quantity: Quantity, ends: tuple[tuple[int, int], ...]
) -> Standing:
    """How a numeral with the right digits stands for the quantity."""
    if _is_negative(fragment, found.start) != (ends[0][0] < 0) and found.digits:
        return _ABSENT
    partner = _partner(fragment, found)
    power = found.power
    if partner and partner.shift and not found.shift and found.digits:
        power += partner.shift
    unscaled = found.power - found.shift if found.unsure else power
    if ends[0][1] not in (power, unscaled):
        return Standing(How.OTHER_SCALE, fragment[found.start : found.end])
    if len(ends) == 2:
        other = _other_end(fragment, found, partner, ends[1])
        if other.how is not How.FOUND:
            return other
    hedge, start = before(fragment, found.start)
    after, end = following(fragment, found.end)
    if found.vague:
        after = Hedge(1, False, True)
    if after is not NONE:
        hedge = hedge.joined(after) or hedge
    span = None if len(ends) == 2 else _range_around(fragment, found, partner)
    if span:
        start, end = min(start, span[0]), max(end, span[1])
    words = f"{fragment[start : found.start]} {fragment[found.end : end]}".strip()
    read = fragment[start:end].strip(" ([")
    return Standing(_compared(quantity, hedge, span is not None), read, words)


def _compared(quantity: Quantity, hedge: Hedge, ranged: bool) -> How:
    side = 1 if quantity.high is None else -1 if quantity.low is None else 0
    if ranged or (hedge.side and hedge.side != side) or (hedge.about and not quantity.about):
        return How.BOUND_DROPPED
    if (side and hedge.side != side) or (quantity.about and not hedge.about):
        return How.BOUND_MISSING
    return How.FOUND


def _is_negative(fragment: str, start: int) -> bool:
    if not start or fragment[start - 1] not in MINUS:
        return False
    return start == 1 or not (fragment[start - 2].isalnum() or fragment[start - 2] in "%×)}+")


def _partner(fragment: str, found: Numeral) -> Numeral | None:
    """The upper end, where `found` is the lower end of a range written with a dash or `to`."""
    dash = _DASH.match(fragment, found.end)
    match = NUMBER.match(fragment, dash.end()) if dash else None
    return numeral(match) if match else None


def _range_around(fragment: str, found: Numeral, partner: Numeral | None) -> tuple[int, int] | None:
    """Where the range stands of which the numeral is one end; None for the ends of a ramp."""
    begin = max(0, found.start - 40)
    head = fragment[begin : found.start]
    if partner is None and head.rstrip(" $€£")[-1:] not in _LINK_ENDS:
        return None
    if _RAMP.search(head):
        return None
    if partner is not None and partner.value > found.value:
        return found.start, partner.end
    match = _BEFORE_END.search(head)
    if match:
        return begin + match.start(), found.end
    match = _BETWEEN.search(head)
    upper = _AND.match(fragment, found.end)
    return (begin + match.start(), upper.end() if upper else found.end) if match else None


def _other_end(
    fragment: str, found: Numeral, partner: Numeral | None, end: tuple[int, int]
) -> Standing:
    others = [partner] if partner else [item for item in numerals(fragment) if item != found]
    digits = [
        item
        for item in others
        if item.digits == abs(end[0])
        and (end[0] < 0) == (item != partner and _is_negative(fragment, item.start))
    ]
    if any(item.power == end[1] for item in digits):
        return Standing(How.FOUND)
    if digits:
        return Standing(How.OTHER_SCALE, fragment[digits[0].start : digits[0].end])
    return _ABSENT
