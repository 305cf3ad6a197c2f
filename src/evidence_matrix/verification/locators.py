"""Locators: the page or lines at which a fragment must stand, and words that help a reader."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_PLACE = re.compile(
    r"\s*(?P<kind>pp?\.|pages?|lines?|ll?\.)\s*"
    r"(?P<first>[0-9]{1,6})(?:\s*[-–—]\s*(?P<last>[0-9]{1,6}))?(?![0-9])",
    re.IGNORECASE,
)
_SECTION = re.compile(r"(?:\bsec(?:tion)?\.?|\bapp(?:endix)?\.?|§)\s*([A-Z]?[0-9.]*[A-Z0-9])", re.I)
_TABLE = re.compile(r"\b(Table|Figure|Fig\.)\s*([A-Z]?\.?[0-9]+)", re.I)


@dataclass(frozen=True, slots=True)
class Locator:
    """A place in a source.

    Attributes:
        pages: first and last page of the file, counted from 1; enforced.
        lines: first and last line of the file, counted from 1; enforced.
        section: number of the section or appendix named, if any; for the reader.
        table: `Table n` or `Figure n` named, if any; for the reader.
    """

    pages: tuple[int, int] | None = None
    lines: tuple[int, int] | None = None
    section: str | None = None
    table: str | None = None

    def __str__(self) -> str:
        if self.pages:
            return _named("on p.", "on pp.", *self.pages)
        return _named("on line", "on lines", *self.lines) if self.lines else "anywhere"


def _named(one: str, several: str, first: int, last: int) -> str:
    return f"{one} {first}" if first == last else f"{several} {first}-{last}"


@lru_cache(maxsize=4096)
def parse(at: str | None) -> Locator:
    """The place that a locator names: `p. 4, sec. 2.1`, `lines 12-14`, `Table 1`.

    Page or line come first; a range that runs backwards names no place.
    """
    written = at or ""
    section = _SECTION.search(written)
    table = _TABLE.search(written)
    rest = (section[1] if section else None, f"{table[1]} {table[2]}" if table else None)
    place = _PLACE.match(written)
    if not place:
        return Locator(None, None, *rest)
    first = int(place["first"])
    span = (first, int(place["last"] or first))
    if not 1 <= span[0] <= span[1]:
        return Locator(None, None, *rest)
    if place["kind"].lower().startswith("p"):
        return Locator(span, None, *rest)
    return Locator(None, span, *rest)
