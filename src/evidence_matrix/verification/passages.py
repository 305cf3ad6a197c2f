"""Where a fragment stands in folded text: whole, and with nothing but spacing left out."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

_KEPT = re.compile(
    r"(?<=[0-9])\W+(?=[0-9])"
    r"|[^\W_]+"
    r"|[%‰<>~≈≤≥±+×^$€£¥≠]"
    r"|\.(?=[0-9])"
    # A hyphen after a letter belongs to a name, GPT-4; after a digit and an e, to an exponent.
    r"|(?:(?<![^\W\d_])|(?<=[0-9][eE]))-(?=[0-9])"
)
_TIGHT = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class Compact:
    """Letters, digits and the signs that carry meaning, run by run, and where each run was.

    Between two digits everything but spaces around a sign stays, so 1.48, 1,48 and 1 48 differ.
    """

    text: str
    starts: tuple[int, ...]
    sources: tuple[int, ...]

    def source_of(self, offset: int) -> int:
        """The offset in the folded text of an offset in this one."""
        run = bisect_right(self.starts, offset) - 1
        return self.sources[run] + offset - self.starts[run]


def compact(folded: str, start: int = 0, end: int | None = None) -> Compact:
    """The compact form of a stretch of folded text."""
    parts: list[str] = []
    starts: list[int] = []
    sources: list[int] = []
    length = 0
    for found in _KEPT.finditer(folded, start, len(folded) if end is None else end):
        run = found[0]
        if len(run) > 1 and not run[0].isalnum() and "." not in run and "," not in run:
            run = _TIGHT.sub("", run) or " "
        parts.append(run)
        starts.append(length)
        sources.append(found.start())
        length += len(run)
    return Compact("".join(parts), tuple(starts), tuple(sources))


_ALONE = re.compile(r"(?<![\w.,-])[$€£]?[0-9][0-9.,]*-$")
_BOUND_BEFORE = re.compile(
    r"(?:(?:[<~≈≤≥±^]|(?<![-=])>)\s?|(?:^|[\s(\[])[-+]|[0-9][.,]|\.|[0-9][eE][-+])$"
)
_MORE_AFTER = re.compile(r"[.,][0-9]|\s?[%‰]|\+|\^|[~-][0-9]|[万亿千百兆]|[eE][-+]?[0-9]")
_WIDE = 0x2E80
_DATE_BEFORE = re.compile(r"\b[0-9]{4}-[0-9]{2}-[0-9]{2}$")
_TIME_AFTER = re.compile(r"T[0-9]{2}:")
_LOST_SPACE_AFTER = re.compile(
    r"(?:to|and|or|for|with|of|on|as|by|the|from|over|during|using|where|while|then|until|per)\b"
)
_LOST_SPACE = re.compile(r"(?!thousand|million|billion|trillion|percent)[^\W\d_]{3}", re.IGNORECASE)


def _joined(left: str, right: str) -> bool:
    """Whether two neighboring characters belong to one word or one number."""
    if not (left.isalnum() or left == "_") or not (right.isalnum() or right == "_"):
        return False
    if left.isdigit() and right.isdigit():
        return True
    return ord(left) < _WIDE and ord(right) < _WIDE


def is_whole(folded: str, start: int, end: int) -> bool:
    """Whether a stretch begins and ends between words, not inside a longer word or number.

    A number is longer where a sign, a bound, a decimal part, a percent sign, an exponent or the
    other end of its range stands next to it: `14` in `14.8`, `10` in `~10%`, `0.5` in `-0.5`.
    """
    first, last = folded[start], folded[end - 1]
    if start:
        # A PDF glues the mark of a footnote, or a number, to the word that follows: 1The, 5for.
        glued = folded[start - 1].isdigit() and _LOST_SPACE.match(folded, start)
        if _joined(folded[start - 1], first) and not glued:
            return False
        if first.isdigit() or (first in ".," and folded[start + 1 : start + 2].isdigit()):
            before = folded[max(0, start - 24) : start]
            if _BOUND_BEFORE.search(before) or (first in ".," and before[-1].isdigit()):
                return False
            if _ALONE.search(before):
                return False
    if end < len(folded):
        if last.isdigit() and _LOST_SPACE_AFTER.match(folded, end):
            return True
        if _joined(last, folded[end]):
            return bool(
                _TIME_AFTER.match(folded, end)
                and _DATE_BEFORE.search(folded[max(0, end - 11) : end])
            )
        if last.isdigit():
            more = _MORE_AFTER.match(folded, end)
            if more and not (more[0][0] == "-" and _named(folded, end)):
                return False
    return True


def _named(folded: str, end: int) -> bool:
    """Whether the digits before a hyphen belong to a name, as in GPT-4-0613."""
    at = end
    while at and (folded[at - 1].isdigit() or folded[at - 1] in ".,"):
        at -= 1
    return at > 0 and (folded[at - 1].isalpha() or folded[at - 1] in "-_")


def occurrences(folded: str, fragment: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where a folded fragment stands whole and begins between two offsets, spaces included."""
    size = len(fragment)
    limit = min(len(folded), end + size)
    at = folded.find(fragment, start, limit) if size else -1
    while 0 <= at < end:
        if is_whole(folded, at, at + size):
            yield at, at + size
        at = folded.find(fragment, at + 1, limit)


_LOST_RAISE = re.compile(r"(?:(?<=[×x*·]10)|(?<=[×x*·] 10))\^(?=[0-9])|(?<=10)\^(?=-[0-9])")


def without_raising(fragment: str) -> str:
    """A fragment as a PDF gives it, where 2 × 10^-6 has lost its raised exponent.

    Only where it cannot be taken for another number: after a multiplication, or a minus sign.
    """
    return _LOST_RAISE.sub("", fragment)


def loose_occurrences(
    folded: str, stretch: Compact, fragment: str, end: int
) -> Iterator[tuple[int, int]]:
    """Where a folded fragment stands whole when only letters, digits and signs are compared."""
    wanted = compact(fragment).text
    at = stretch.text.find(wanted) if wanted else -1
    while at >= 0:
        begin = stretch.source_of(at)
        after = stretch.source_of(at + len(wanted) - 1) + 1
        if begin >= end:
            return
        if is_whole(folded, begin, after):
            yield begin, after
        at = stretch.text.find(wanted, at + 1)


def word_starts(folded: str, stretch: Compact, wanted: str) -> Iterator[int]:
    """Where a term in compact form begins, at the start of a word, however the word goes on."""
    at = stretch.text.find(wanted) if wanted else -1
    while at >= 0:
        begin = stretch.source_of(at)
        if not begin or not _joined(folded[begin - 1], folded[begin]):
            yield begin
        at = stretch.text.find(wanted, at + len(wanted))
