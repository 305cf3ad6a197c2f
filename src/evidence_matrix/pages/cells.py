"""Cells of matrix tables and figures: which rows there are, and which claims stand where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from evidence_matrix.coverage import claims_about
from evidence_matrix.dates import PartialDate
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix, Subject
from evidence_matrix.quantity import Quantity
from evidence_matrix.records import ColumnRecord, TableRecord

MODELS = ("model", "family")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: the lab or the subject it is about, and the subjects whose claims it holds.

    Attributes:
        lab: id of the lab.
        head: the subject named in front; None where the row is a lab's.
        subjects: subjects whose claims stand in it, the head first.
    """

    lab: str
    head: Subject | None
    subjects: tuple[Subject, ...]


def rows(matrix: Matrix, table: TableRecord) -> list[Row]:
    """The rows of a table, in its order."""
    if table.rows_are == "labs":
        return [_lab(matrix, table, lab) for lab in table.rows or matrix.labs]
    if table.rows_are == "latest":
        labs = [lab for lab in (table.rows or matrix.labs) if _of_lab(matrix, table, lab)]
        return [_latest(matrix, table, lab) for lab in labs]
    subjects = [matrix.subjects[name] for name in table.rows if name in matrix.subjects]
    if not table.rows:
        subjects = [s for s in matrix.subjects.values() if _answers(matrix, table, s)]
    found = [Row(subject.lab, subject, (subject,)) for subject in subjects]
    return ordered(matrix, table, found)


def ordered(matrix: Matrix, table: TableRecord, found: list[Row]) -> list[Row]:
    """Rows in the order that the table asks for."""
    labs = list(matrix.labs)
    dates = {
        row.head.id: day_of(matrix, row.head, table.dated_by)
        for row in found
        if row.head is not None
    }

    def newest(row: Row) -> int:
        day = dates.get(row.head.id) if row.head else None
        return -(day.latest if day else date.min).toordinal()

    if table.order == "listed":
        return found
    if table.order == "newest":
        return sorted(found, key=newest)

    def by_lab(row: Row) -> tuple[int, int]:
        return labs.index(row.lab) if row.lab in labs else len(labs), newest(row)

    return sorted(found, key=by_lab)


def _of_lab(matrix: Matrix, table: TableRecord, lab: str) -> list[Subject]:
    return [
        subject
        for subject in matrix.subjects.values()
        if subject.lab == lab and (not table.kinds or subject.record.kind in table.kinds)
    ]


def _answers(matrix: Matrix, table: TableRecord, subject: Subject) -> bool:
    if table.kinds and subject.record.kind not in table.kinds:
        return False
    claims = matrix.claims_of_subject[subject.id]
    return any(chosen(matrix, column, claims) for column in table.columns)


def _lab(matrix: Matrix, table: TableRecord, lab: str) -> Row:
    return Row(lab, None, tuple(_of_lab(matrix, table, lab)))


def _latest(matrix: Matrix, table: TableRecord, lab: str) -> Row:
    """The subject of a lab that came last, with its members; members do not count by themselves."""
    best: tuple[PartialDate, tuple[Subject, ...]] | None = None
    for subject in _of_lab(matrix, table, lab):
        if subject.record.part_of in matrix.subjects:
            continue
        group = (subject, *matrix.members.get(subject.id, ()))
        days = [day for one in group if (day := day_of(matrix, one, table.dated_by)) is not None]
        first = min(days, key=lambda day: day.sort_key, default=None)
        if first is not None and (best is None or first.sort_key > best[0].sort_key):
            best = (first, group)
    return Row(lab, best[1][0], best[1]) if best else Row(lab, None, ())


def day_of(matrix: Matrix, subject: Subject, aspects: Sequence[str]) -> PartialDate | None:
    """When a subject came: the earliest date that a claim of one of the aspects gives for it.

    Without such a date it is there by the day of the first claim that the world could know.
    """
    claims = matrix.claims_of_subject[subject.id]
    dated = [c.parsed for c in claims if c.aspect in aspects and isinstance(c.parsed, PartialDate)]
    if dated:
        return min(dated, key=lambda day: day.sort_key)
    public = [day for claim in claims if (day := matrix.public_of(claim)) is not None]
    first = min(public, key=lambda day: day.sort_key, default=None)
    return replace(first, by=True) if first is not None else None


def cell(matrix: Matrix, table: TableRecord, column: ColumnRecord, row: Row) -> list[Claim]:
    """The claims of a cell, the head's first; the earliest alone where the column says so."""
    claims: dict[str, Claim] = {}
    for subject in row.subjects:
        about = claims_about(matrix, subject) if row.head is subject else None
        for claim in about if about is not None else matrix.claims_of_subject[subject.id]:
            claims.setdefault(claim.id, claim)
    found = chosen(matrix, column, claims.values())
    if column.show != "first":
        return found

    def age(claim: Claim) -> tuple[date, date]:
        day = day_of(matrix, matrix.subjects[claim.subject], table.dated_by)
        return day.sort_key if day else (date.max, date.max)

    return sorted((c for c in found if c.label is not Label.U), key=age)[:1]


def chosen(matrix: Matrix, column: ColumnRecord, claims: Iterable[Claim]) -> list[Claim]:
    """The claims that a column takes, in the order of its aspects."""
    found = [claim for claim in claims if _fits(matrix, column, claim)]
    if column.aspects:
        found.sort(key=lambda claim: column.aspects.index(claim.aspect))
    return found


def _fits(matrix: Matrix, column: ColumnRecord, claim: Claim) -> bool:
    if column.aspects and claim.aspect not in column.aspects:
        return False
    if column.scopes and (claim.scope or "") not in column.scopes:
        return False
    if column.labels and claim.label.value not in column.labels:
        return False
    if column.core == "yes":
        aspect = matrix.aspects.get(claim.aspect)
        if aspect is None or aspect.record.core != "yes":
            return False
    if column.terms and not any(_names(matrix, term, claim) for term in column.terms):
        return False
    if column.words and not (
        isinstance(claim.parsed, Quantity) or any(_holds(word, claim) for word in column.words)
    ):
        return False
    least = column.at_least
    if least is None:
        return True
    number = claim.parsed
    if not isinstance(number, Quantity) or number.low is None or least.low is None:
        return False
    return number.low >= least.low


def _names(matrix: Matrix, term_id: str, claim: Claim) -> bool:
    """Whether the value of a claim names a controlled term, under any of its names."""
    if claim.value is None or term_id not in matrix.terms:
        return False
    record = matrix.terms[term_id].record
    names = (record.name, record.expansion, *record.aliases)
    return any(
        name and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", claim.value, re.IGNORECASE)
        for name in names
    )


def _holds(word: str, claim: Claim) -> bool:
    dated = isinstance(claim.parsed, PartialDate)
    text = (claim.record.means if dated else claim.value) or ""
    return bool(re.search(rf"(?<!\w){re.escape(word)}", text, re.IGNORECASE))


@dataclass(frozen=True, slots=True)
class Share:
    """How many subjects disclose something, of those it is asked of.

    Attributes:
        known: a claim with a value, by each subject that has one.
        searched: subjects where it was searched for and not found.
        asked: all subjects with claims, but those to which it does not apply.
    """

    known: Mapping[str, Claim]
    searched: int
    asked: int


def share(matrix: Matrix, column: ColumnRecord, row: Row) -> Share:
    """How many models and families of a row disclose what the column takes."""
    known: dict[str, Claim] = {}
    searched = asked = 0
    for subject in row.subjects:
        if subject.record.kind not in MODELS or not matrix.claims_of_subject[subject.id]:
            continue
        if column.aspects and set(column.aspects) <= set(subject.record.not_applicable):
            continue
        asked += 1
        found = chosen(matrix, column, claims_about(matrix, subject))
        answers = [claim for claim in found if claim.label is not Label.U]
        if answers:
            known[subject.id] = answers[0]
        elif found:
            searched += 1
    return Share(known, searched, asked)
