"""Events: dated claims, of which kind, about what, and how sure of the day."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from evidence_matrix.dates import PartialDate
from evidence_matrix.matrix import Claim, Matrix, Subject
from evidence_matrix.pages.cells import chosen
from evidence_matrix.records import ColumnRecord, TableRecord

SHORT = 22  # letters of a scope's meaning that a label has room for


@dataclass(frozen=True, slots=True)
class Event:
    """One dated claim.

    Attributes:
        day: the date that the claim gives, as far as it is known.
        kind: how the table heads this kind of event.
        mark: its shape on an axis of time.
        disputed: whether a dispute links the claim.
    """

    claim: Claim
    day: PartialDate
    kind: str
    mark: str
    disputed: bool

    @property
    def unsure(self) -> bool:
        """Whether the date is a bound, or known to the month or the year alone."""
        return self.day.by or self.day.day is None

    @property
    def at(self) -> date:
        """Where it stands on an axis of time."""
        return place_of(self.day)


def place_of(day: PartialDate) -> date:
    """Where a date stands on an axis: the day, the middle of a month or a year, or the bound."""
    if day.by:
        return day.latest
    return day.earliest + timedelta(days=(day.latest - day.earliest).days // 2)


def events(matrix: Matrix, table: TableRecord, subjects: Iterable[Subject]) -> list[Event]:
    """The events of these subjects in the kinds that the table has, newest first."""
    found: dict[str, Event] = {}
    for subject in subjects:
        claims = matrix.claims_of_subject[subject.id]
        for column in table.columns:
            for claim in chosen(matrix, column, claims):
                if isinstance(claim.parsed, PartialDate):
                    found.setdefault(claim.id, _event(matrix, column, claim, claim.parsed))
    return sorted(found.values(), key=lambda one: (one.at, one.claim.id), reverse=True)


def _event(matrix: Matrix, column: ColumnRecord, claim: Claim, day: PartialDate) -> Event:
    disputed = bool(matrix.disputes_of_claim.get(claim.id))
    return Event(claim, day, column.title, column.mark, disputed)


def name_of(matrix: Matrix, event: Event) -> str:
    """What an event is of, in a few words: the subject, and its scope where there is one."""
    subject = matrix.subjects[event.claim.subject]
    scope = event.claim.scope
    if not scope:
        return subject.name
    meaning = subject.record.scopes.get(scope, scope)
    if meaning.casefold().startswith(subject.name[:4].casefold()):
        return meaning
    return f"{subject.name}, {meaning if len(meaning) <= SHORT else scope}"


def quarters(found: Iterable[date]) -> tuple[date, date]:
    """The first and the last day of an axis that holds all days, in whole quarters."""
    first, *_, last = sorted([*found] * 2)
    start = date(first.year, 3 * ((first.month - 1) // 3) + 1, 1)
    quarter = (last.month - 1) // 3 + 1
    end = date(last.year + 1, 1, 1) if quarter == 4 else date(last.year, 3 * quarter + 1, 1)
    return start, end
