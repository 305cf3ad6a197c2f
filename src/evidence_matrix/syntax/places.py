"""A place is a line and a column of a file; offsets into its text are turned into places."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple


class Place(NamedTuple):
    """Where something stands in a file; line and column count from 1."""

    line: int
    column: int


class Lines:
    """Turns offsets into a text into places; makes its table when the first is asked for.

    The text must not hold the characters that `characters.decode` does not trust, some of which
    Python takes for line breaks and others do not.
    """

    __slots__ = ("_starts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts: list[int] = []

    def place(self, offset: int) -> Place:
        """The place of the character at `offset`."""
        if not self._starts:
            ended = self._text + "."  # so that the end of the text begins no line of its own
            self._starts = [0, *accumulate(map(len, ended.splitlines(keepends=True)))]
            self._text = ""
        line = bisect_right(self._starts, offset)
        return Place(line, offset - self._starts[line - 1] + 1)


class PlacesByKey(Mapping[str, Place]):
    """The places of the keys, or of the values, of a mapping."""

    __slots__ = ("_lines", "_offsets")

    def __init__(self, lines: Lines, offsets: Mapping[str, int]) -> None:
        self._lines = lines
        self._offsets = offsets

    def __getitem__(self, key: str) -> Place:
        return self._lines.place(self._offsets[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self._offsets)

    def __len__(self) -> int:
        return len(self._offsets)
