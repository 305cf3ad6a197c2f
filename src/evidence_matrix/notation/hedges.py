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


NONE = Hedge()
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
    r"\s?%?(?:\s?(?P<plus>\+)|\s(?P<more>or more|and more|or above|and above|or higher)\b"
    r"|\s(?P<less>or less|or fewer|or below|or lower)\b)"
)
_LONGEST_FIRST = sorted(HEDGES, key=len, reverse=True)
_LEADING = re.compile(
    "(?:{})\\s*|(?:{})(?![A-Za-z])\\s*".format(
        *(
            "|".join(re.escape(one) for one in _LONGEST_FIRST if one[-1].isalpha() is is_word)
            for is_word in (False, True)
        )
    ),
    re.IGNORECASE,
)
_SIGNS = tuple(phrase for phrase in HEDGES if not any(char.isalpha() for char in phrase))
_REACH = 40
_BRACKETS = "([*_\u201c\"'"
_OPENERS = _BRACKETS + "$€£¥{`-−– \u00a0\u2009\t\n"
_ARTICLES = frozenset({"a", "an", "the"})
_LAST_WORDS = frozenset(phrase.split()[-1] for phrase in HEDGES)
_SPANS = re.compile(  # `averaged over 64 samples`, `decayed to 1e-6 over 15K steps`: no bounds
    r"^(?:averag|decay|anneal|warm-?up)|[0-9]$|^(?:mean|rate|self-consistency)$"
)


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
        return NONE, end
    return Hedge(-1 if match["less"] else 1), match.end()


def before(text: str, start: int) -> tuple[Hedge, int]:
    """The hedge right before a number that starts at `start`, and where it begins."""
    hedge, at = NONE, start
    while True:
        tail = text[max(0, at - _REACH) : at].rstrip(_OPENERS)
        found = _at_end(tail)
        both = hedge.joined(found[0]) if found else None
        if found is None or both is None:
            return hedge, at
        hedge, at = both, at - min(at, _REACH) + found[1]


def _at_end(tail: str) -> tuple[Hedge, int] | None:
    """The longest hedge that `tail` ends with, and where it begins in it."""
    if tail.endswith(_SIGNS):
        sign = max((sign for sign in _SIGNS if tail.endswith(sign)), key=len)
        return HEDGES[sign], len(tail) - len(sign)
    last = tail[tail.rfind(" ") + 1 :].lower().lstrip(_BRACKETS)
    if last not in _ARTICLES and last not in _LAST_WORDS and last.isalpha():
        return None
    words = tail.lower().split()[-5:]
    if words and words[-1] in _ARTICLES:
        tail = tail[: -len(words.pop())].rstrip()
    if not words or words[-1].lstrip(_BRACKETS) not in _LAST_WORDS:
        return None
    for size in range(min(4, len(words)), 0, -1):
        phrase = " ".join(words[-size:]).lstrip(_BRACKETS)
        hedge = HEDGES.get(phrase)
        if hedge is None:
            continue
        if phrase == "over" and len(words) > 1 and _SPANS.search(words[-2]):
            return None
        spaced = r"\s+".join(map(re.escape, phrase.split()))
        begin = re.search(f"{spaced}$", tail, re.IGNORECASE)
        return (hedge, begin.start()) if begin else None
    return None
