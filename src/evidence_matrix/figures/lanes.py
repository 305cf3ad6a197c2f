"""Lanes: an axis of time on which labels do not meet, as the timeline's template takes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from evidence_matrix.figures.drawing import text_width
from evidence_matrix.pages.composer import View

TYPE = 13  # pixels, as the stylesheet sets labels
GAP = 12  # pixels between two labels, and between two marks of one day
PER_MONTH = 23  # pixels of the axis at which it is drawn; zooming makes more
NARROWEST = 900
REPEAT = 600  # pixels after which the title of a lane stands again
FIRST_REPEAT = 340  # pixels from the last day: a phone's view, which opens at the end
PAPER = 655  # pixels between the margins of a sheet of paper
LEFT = 12  # pixels before the first day, so that its mark is whole


@dataclass(frozen=True, slots=True)
class Flag:
    """A mark on a lane and its label.

    Attributes:
        at: the day it stands at.
        text: its label; flags of one day and text share one label.
        when: ISO day from which it holds.
        words: what it says in full.
        unsure: whether the day is a bound, or known to the month or year alone.
    """

    at: date
    kind: str
    text: str
    href: str
    when: str
    words: str
    unsure: bool = False


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis of time from one day to another, `width` pixels long."""

    start: date
    end: date
    width: float

    @classmethod
    def spanning(cls, start: date, end: date) -> Axis:
        """An axis that is long enough for its months."""
        months = (end - start).days / 30.44
        return cls(start, end, max(NARROWEST, round(months * PER_MONTH)))

    def x(self, day: date) -> float:
        """Pixels from the left at which a day stands."""
        share = (day - self.start).days / max(1, (self.end - self.start).days)
        return LEFT + share * (self.width - 2 * LEFT)

    def percent(self, x: float) -> float:
        """A place as a share of the width."""
        return round(100 * x / self.width, 2)

    def ticks(self) -> list[View]:
        """A line at each quarter, the year's name at its first; short names of months between."""
        ticks = []
        year, month = self.start.year, self.start.month
        while date(year, month, 1) <= self.end:
            day = date(year, month, 1)
            text = str(year) if month == 1 else f"{day:%b}"
            ticks.append({"x": self.percent(self.x(day)), "text": text, "year": month == 1})
            year, month = (year + 1, 1) if month == 10 else (year, month + 3)
        if ticks and not ticks[0]["year"]:
            ticks[0]["text"] = f"{ticks[0]['text']} {self.start.year}"
        ticks[-1]["text"] = ""
        return ticks


def timeline(
    timeline_id: str,
    title: str,
    summary: str,
    kinds: Mapping[str, str],
    lanes: Sequence[tuple[str, Sequence[Flag]]],
    span: tuple[date, date],
    drawn: date,
) -> View:
    """What the timeline's template takes; empty lanes are left out.

    Args:
        timeline_id: unique on the page.
        title: what is drawn, for those who do not see it.
        summary: the caption.
        kinds: title by kind of mark, in the order of the key.
        lanes: title and flags of each lane.
        span: first and last day of the axis.
        drawn: the day of the record.
    """
    axis = Axis.spanning(*span)
    used = {flag.kind for _, flags in lanes for flag in flags}
    return {
        "id": timeline_id,
        "title": title,
        "summary": summary,
        "width": round(axis.width),
        "paper": round(min(1, PAPER / axis.width), 3),
        "repeats": list(range(FIRST_REPEAT, round(axis.width) - REPEAT // 2, REPEAT)),
        "drawn": drawn.isoformat(),
        "kinds": [{"kind": k, "title": words} for k, words in kinds.items() if k in used],
        "ticks": axis.ticks(),
        "lanes": [_lane(title, flags, axis) for title, flags in lanes if flags],
    }


def _lane(title: str, flags: Sequence[Flag], axis: Axis) -> View:
    """A lane with its labels in as many levels as keep them apart.

    Labels are given levels from the left, the lowest that is free. Flags are listed from the
    right, so that a label is drawn over the stems of later ones.
    """
    ends: list[float] = []
    events = []
    beside: dict[tuple[date, str], tuple[int, bool]] = {}
    taken: dict[date, int] = {}
    for flag in sorted(flags, key=lambda one: one.at):
        place = taken.get(flag.at, 0)
        taken[flag.at] = place + 1
        x = axis.x(flag.at) + place * GAP
        label = (flag.at, flag.text)
        first = label not in beside
        if first:
            width = text_width(flag.text, TYPE)
            turned = x + width > axis.width
            left = x - width if turned else x - 6
            level = next((i for i, end in enumerate(ends) if end + GAP <= left), len(ends))
            if level == len(ends):
                ends.append(0)
            ends[level] = left + width + (6 if turned else 0)
            beside[label] = (level, turned)
        level, turned = beside[label]
        events.append(
            {
                "kind": flag.kind,
                "x": axis.percent(x),
                "row": level,
                "end": turned,
                "text": flag.text if first else "",
                "when": flag.when,
                "href": flag.href,
                "words": flag.words,
                "unsure": flag.unsure,
            }
        )
    return {"title": title, "rows": max(1, len(ends)), "events": events[::-1]}
