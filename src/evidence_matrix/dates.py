"""A date as far as it is known: a day, a month, a year, or an upper bound on one of these."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass, field
from datetime import date

_WRITTEN = re.compile(r"(by )?([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")
_MONTHS = [
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
]  # fmt: skip
_CLOCK = re.compile(r"(?:(?<=[0-9])T|\b)[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:Z|[-+][0-9:]{4,6})?")
_NAMED = re.compile(r"[a-z]{3,9}")
_BY = re.compile(r"(?:by|until|no later than)\s", re.IGNORECASE)
_SHAPES = "write `2026-07-27`, `2026-07`, `2026`, or `by 2026-07-27` for an upper bound"
_LONGEST = 80


class DateError(ValueError):
    """A text that is no date; `hint` says what to write instead."""

    def __init__(self, message: str, hint: str, column_offset: int = 0) -> None:
        super().__init__(message)
        self.hint = hint
        self.column_offset = column_offset


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date as far as it is known; a month or a year stands for all of its days.

    Attributes:
        text: the date as it was written.
        year: 1 to 9999.
        month: 1 to 12, or None where only the year is known.
        day: day of the month, or None where only the month is known.
        by: whether the date is an upper bound: on that day at the latest.
    """

    text: str = field(compare=False)
    year: int
    month: int | None = None
    day: int | None = None
    by: bool = False

    @property
    def earliest(self) -> date:
        """The first day it can be; for an upper bound the first day there is."""
        if self.by:
            return date.min
        return date(self.year, self.month or 1, self.day or 1)

    @property
    def latest(self) -> date:
        """The last day it can be."""
        month = self.month or 12
        return date(self.year, month, self.day or monthrange(self.year, month)[1])

    @property
    def sort_key(self) -> tuple[date, date]:
        """Orders by the last possible day, and of two that end together the better known last."""
        return (self.latest, self.earliest)

    def meets(self, other: PartialDate) -> bool:
        """Whether one day can be both."""
        return self.earliest <= other.latest and other.earliest <= self.latest

    def surely_before(self, other: PartialDate) -> bool:
        """Whether every day this can be lies before every day the other can be."""
        return self.latest < other.earliest

    def surely_after(self, other: PartialDate) -> bool:
        """Whether every day this can be lies after every day the other can be."""
        return other.surely_before(self)

    def format(self) -> str:
        """The date in the one way in which records write it."""
        parts = [f"{self.year:04d}"]
        parts += [f"{part:02d}" for part in (self.month, self.day) if part is not None]
        return ("by " if self.by else "") + "-".join(parts)

    def __str__(self) -> str:
        return self.format()


def parse_date(text: str) -> PartialDate:
    """The date that a record's text gives.

    Raises:
        DateError: the text is no date, or a day that no calendar has.
    """
    cleaned = text.strip()
    match = _WRITTEN.fullmatch(cleaned)
    if match is None:
        raise DateError(f"`{_shown(cleaned)}` is not a date", _hint(cleaned))
    by, year, month, day = match.groups()
    known = PartialDate(
        cleaned, int(year), int(month) if month else None, int(day) if day else None, bool(by)
    )
    return _checked(known)


def _checked(known: PartialDate) -> PartialDate:
    if known.year == 0:
        raise DateError("there is no year 0000", _SHAPES)
    if known.month is not None and not 1 <= known.month <= 12:
        raise DateError(f"there is no month {known.month:02d}", "write year-month-day")
    if known.day is not None and known.month is not None:
        last = monthrange(known.year, known.month)[1]
        if not 1 <= known.day <= last:
            month = _MONTHS[known.month - 1]
            raise DateError(
                f"there is no {known.day} {month} {known.year}",
                f"{month} {known.year} has the days 01 to {last}; "
                "leave the day out if only the month is known",
            )
    return known


def _shown(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _hint(text: str) -> str:
    """What to write instead, with the reader's own date where it can be recognized."""
    if len(text) > _LONGEST:
        return _SHAPES
    guess = _guess(_CLOCK.sub(" ", _BY.sub("", text)))
    by = "by " if _BY.match(text) else ""
    hint = f"write `{by}{guess}`" if guess else _SHAPES
    if _CLOCK.search(text):
        return f"{hint}; a time of day belongs in `means`, or in an aspect of kind text"
    return hint


def _guess(text: str) -> str | None:
    """The date in our writing, where the text leaves no doubt which numbers are what."""
    numbers = re.findall(r"[0-9]+", text)
    years = [number for number in numbers if len(number) == 4]
    rest = [int(number) for number in numbers if len(number) < 3]
    month = _month_named(text)
    if len(years) != 1 or len(rest) + 1 != len(numbers):
        return None
    if month and len(rest) < 2:
        return "-".join([years[0], f"{month:02d}", *(f"{day:02d}" for day in rest)])
    if not month and rest and len(rest) < 3 and text.strip().startswith(years[0]):
        return "-".join([years[0], *(f"{number:02d}" for number in rest)])
    return None


def _month_named(text: str) -> int | None:
    for word in _NAMED.findall(text.casefold()):
        for number, month in enumerate(_MONTHS, start=1):
            if month.casefold().startswith(word):
                return number
    return None
