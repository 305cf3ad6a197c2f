"""The words and signs around a number that make it a bound or an approximation."""

from __future__ import annotations

import re
from typing import NamedTuple


class Hedge(NamedTuple):
    """What stands around a number.

    Attributes:
        side: 1 where the number is a lower bound, -1 an upper bound, 0 neither.
        strict: whether the bound itself is left out.
        about: whether the number is approximate.

    """

    side: int = 0
    strict: bool = False
    about: bool = False

    def joined(self, other: Hedge) -> Hedge | None:
        """Both together, as in `at least about`; None where they contradict each other."""
        if self.side and other.side and self.side != other.side:
            return None
        strict = self.strict if self.side else other.strict
        return Hedge(self.side or other.side, strict, self.about or other.about)


_PHRASES = {
    Hedge(1, True): "over|more than|above|exceeding|exceeds|exceed|exceeded|beyond|greater than|"
    "higher than|larger than|upwards of|>|\\>",
    Hedge(1): "at least|no less than|no fewer than|not less than|a minimum of|minimum of|≥|>=|⩾",
    Hedge(-1, True): "under|less than|fewer than|below|lower than|smaller than|<|\\<",
    Hedge(-1): "up to|at most|no more than|not more than|a maximum of|maximum of|as many as|"
    "as much as|within|≤|<=|⩽",
    Hedge(0, False, True): "about|approximately|approximate|approx.|approx|around|roughly|nearly|"
    "almost|circa|ca.|close to|on the order of|in the order of|an estimated|estimated|some|~|∼|≈|≃|"
    "\\~|\\sim|\\approx",
}
HEDGES = {phrase: hedge for hedge, phrases in _PHRASES.items() for phrase in phrases.split("|")}
AFTER = re.compile(
    r"\s?(?P<plus>\+)|\s(?P<more>or more|and more|or above|and above|or higher)\b"
    r"|\s(?P<less>or less|or fewer|or below|or lower)\b"
)
_LEADING = re.compile(
    "|".join(
        re.escape(phrase) + (r"(?![A-Za-z])\s*" if phrase[-1].isalpha() else r"\s*")
        for phrase in sorted(HEDGES, key=len, reverse=True)
    ),
    re.IGNORECASE,
)
_SIGNS = tuple(phrase for phrase in HEDGES if not any(char.isalpha() for char in phrase))
_FILLERS = frozenset({"a", "an", "the", "total", "of"})


def leading(text: str, start: int) -> tuple[Hedge, int] | None:
    """The hedge with which `text` goes on at `start`, and where it ends."""
    match = _LEADING.match(text, start)
    if match is None:
        return None
    return HEDGES[match[0].strip().lower()], match.end()


def following(text: str, end: int) -> tuple[Hedge, int]:
    """The hedge right after a number, as in `10K+` or `100 or more`, and where it ends."""
    match = AFTER.match(text, end)
    if match is None:
        return Hedge(), end
    return Hedge(-1 if match["less"] else 1), match.end()


def before(text: str, start: int) -> Hedge:
    """The hedge right before a number that starts at `start`, read backwards word by word."""
    hedge = Hedge()
    rest = text[max(0, start - 48) : start].rstrip("$€£¥([*_`-−– \u00a0\u2009")
    while rest:
        sign = next((sign for sign in _SIGNS if rest.endswith(sign)), None)
        if sign is not None:
            found, rest = HEDGES[sign], rest[: -len(sign)].rstrip()
        else:
            words = rest.rsplit(None, 4)[-4:]
            size = next(
                (n for n in (4, 3, 2, 1) if " ".join(words[-n:]).lower().lstrip("([*") in HEDGES), 0
            )
            if not size:
                return hedge
            found = HEDGES[" ".join(words[-size:]).lower().lstrip("([*")]
            rest = rest.rsplit(None, size)[0] if len(rest.split()) > size else ""
        both = hedge.joined(found)
        if both is None:
            return hedge
        hedge = both
    return hedge
