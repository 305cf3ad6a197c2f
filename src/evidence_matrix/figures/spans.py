"""Spans: a part and its whole on a scale of powers of ten; a longer line is a smaller part."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix, Subject
from evidence_matrix.notation.numerals import written
from evidence_matrix.pages.cells import chosen
from evidence_matrix.pages.composer import View
from evidence_matrix.quantity import Quantity
from evidence_matrix.records import TableRecord

EDGE = 2.0  # percent of the track left free at both ends, so that marks are whole


@dataclass(frozen=True, slots=True)
class Span:
    """A subject's whole and part, of one scope; without a scope that both share, unjoined.

    Attributes:
        wholes: claims of the whole; one where the span is joined.
        parts: claims of the part; one where the span is joined.
        shares: claims of the part as a share of the whole.
        joined: whether whole and part measure the same thing.
    """

    subject: Subject
    wholes: tuple[Claim, ...]
    parts: tuple[Claim, ...]
    shares: tuple[Claim, ...]
    joined: bool

    @property
    def scope(self) -> str:
        """What is measured, where it is not the whole subject."""
        scope = self.wholes[0].scope if self.joined else None
        return self.subject.record.scopes.get(scope, scope) if scope else ""


def spans(matrix: Matrix, table: TableRecord) -> list[Span]:
    """The spans of all subjects, the smallest part first; those that cannot be joined are last.

    The first column of the table takes the whole, the second the part, the third the share.
    """
    found = [
        span
        for subject in matrix.subjects.values()
        if not table.kinds or subject.record.kind in table.kinds
        for span in _spans(matrix, table, subject)
    ]
    return sorted(found, key=lambda span: (not span.joined, ratio(span)))


def _spans(matrix: Matrix, table: TableRecord, subject: Subject) -> list[Span]:
    claims = matrix.claims_of_subject[subject.id]
    whole, part, share = (
        [c for c in chosen(matrix, column, claims) if c.label is not Label.U and not c.reading]
        for column in table.columns[:3]
    )
    wholes = {c.scope: c for c in whole if amount(c)}
    parts = {c.scope: c for c in part if amount(c)}
    both = [scope for scope in wholes if scope in parts]
    joined = [
        Span(
            subject,
            (wholes.pop(scope),),
            (parts.pop(scope),),
            tuple(c for c in share if c.scope == scope),
            True,
        )
        for scope in both
    ]
    if not joined and wholes and parts:
        left = Span(subject, tuple(wholes.values()), tuple(parts.values()), tuple(share), False)
        return [left]
    return joined


def amount(claim: Claim) -> Fraction:
    """The number that a claim is drawn at: an exact one or the bound it gives; 0 for none."""
    number = claim.parsed
    if not isinstance(number, Quantity):
        return Fraction(0)
    return number.low or number.high or Fraction(0)


def ratio(span: Span) -> Fraction:
    """The part over the whole."""
    return amount(span.parts[0]) / amount(span.wholes[0])


@dataclass(frozen=True, slots=True)
class Scale:
    """Powers of ten from one to another along a track."""

    first: int
    last: int

    @classmethod
    def over(cls, amounts: Sequence[Fraction]) -> Scale:
        """The scale that holds all amounts."""
        if not amounts:
            return cls(0, 1)
        first = math.floor(math.log10(min(amounts)))
        last = math.ceil(math.log10(max(amounts)))
        return cls(first, max(last, first + 1))

    def x(self, number: Fraction) -> float:
        """Where a number stands, in percent of the track."""
        share = (math.log10(number) - self.first) / (self.last - self.first)
        return round(EDGE + share * (100 - 2 * EDGE), 2)

    def ticks(self) -> list[View]:
        """A tick at each power of ten."""
        powers = range(self.first, self.last + 1)
        return [
            {
                "x": self.x(Fraction(10) ** power),
                "text": written(Fraction(10) ** power, Fraction(1000) ** (power // 3)),
            }
            for power in powers
        ]
