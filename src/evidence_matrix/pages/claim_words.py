"""What a page says of a claim wherever it stands: all of a claim's view but its links."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from evidence_matrix import formula
from evidence_matrix.context import left_to_context
from evidence_matrix.dates import PartialDate
from evidence_matrix.evidence import Evidence, Fragment
from evidence_matrix.findings import shown
from evidence_matrix.labels import Label, State
from evidence_matrix.matrix import Claim, ClaimBody, Matrix
from evidence_matrix.pages import citation
from evidence_matrix.quantity import Quantity
from evidence_matrix.receipts import entry_for, state_of
from evidence_matrix.records import InferredClaim, UnknownClaim

View = dict[str, Any]


class ClaimWords:
    """The words about one claim, each worked out once, when the first page asks for it."""

    def __init__(self, claim: Claim, matrix: Matrix) -> None:
        self.claim = claim
        self._matrix = matrix

    @cached_property
    def fields(self) -> View:
        """The fields of a claim's view that are plain text."""
        claim, matrix = self.claim, self._matrix
        record = claim.record
        subject = matrix.subjects[claim.subject]
        weakest = weakest_state(claim, matrix)
        public = matrix.public_of(claim)
        scope = claim.scope
        return {
            "id": claim.id,
            "anchor": claim.key,
            "subject_name": subject.name,
            "aspect_title": aspect_title(claim, matrix),
            "scope_text": subject.record.scopes.get(scope, scope) if scope else "",
            "reading_text": claim.reading or "",
            "label": claim.label.value,
            "label_name": claim.label.in_words,
            "value_text": value_words(claim, matrix),
            "means": record.means or "",
            "statement": record.statement or "",
            "caveat": record.note or "",
            "state": weakest.value if weakest else "",
            "state_note": weakest.meaning if weakest else "",
            "protocol": _protocol(record),
            "public": iso(public),
            "public_text": public.format() if public else "",
            "checked": iso(record.checked),
            "checked_text": record.checked.format() if record.checked else "",
            "reporter": "",
            "earlier": [_earlier(before) for before in record.earlier],
        }

    @cached_property
    def pieces(self) -> tuple[View, ...]:
        """The pieces of evidence, in order, without the links to our own pages."""
        return tuple(self._piece(piece) for piece in self.claim.evidence)

    @cached_property
    def steps(self) -> tuple[str, ...]:
        """The way of an inference from its premises to its value, line by line."""
        record = self.claim.record
        if not isinstance(record, InferredClaim) or not record.formula:
            return ()
        values: dict[str, Quantity] = {}
        for name, premise in record.premises.items():
            other = self._matrix.claims.get(premise)
            if other is not None and isinstance(other.parsed, Quantity):
                values[name] = other.parsed
        written = self.claim.parsed if isinstance(self.claim.parsed, Quantity) else None
        try:
            return tuple(formula.steps(record.formula, values, written))
        except formula.FormulaError as error:
            return (str(error),)

    @cached_property
    def markdown(self) -> str:
        """The claim as a citation in one line of Markdown."""
        return citation.claim_markdown(self.claim, self._matrix)

    def _piece(self, piece: Evidence) -> View:
        claim, matrix = self.claim, self._matrix
        source = matrix.sources.get(piece.source)
        via = matrix.sources.get(piece.via) if piece.via else None
        state = state_of(piece, claim, matrix)
        seen = entry_for(piece, claim.value, matrix.receipts.get(piece.read_in)) or {}
        words: View = {"quote": "", "row": "", "head": "", "read": "", "path": ""}
        if isinstance(piece, Fragment):
            words |= {"quote": piece.quote or "", "row": piece.row or "", "head": piece.head or ""}
        else:
            words |= {"read": piece.read or "", "path": piece.path or ""}
        return words | {
            "source_title": citation.short_title(source) if source else piece.source,
            "locator": piece.at or "",
            "deep_link": citation.place_link(piece, matrix),
            "via_title": citation.short_title(via) if via else "",
            "state": state.value,
            "state_note": "; ".join(
                [str(seen["why"])]
                if state is State.FAILED and seen.get("why")
                else left_to_context(piece, claim, matrix)
            ),
        }


def _earlier(before: ClaimBody) -> View:
    return {
        "value_text": value_text(before),
        "label": before.label,
        "label_name": Label(before.label).in_words,
        "public": iso(before.public or before.checked),
        "public_text": str(before.public or before.checked or "?"),
        "until": iso(before.until),
    }


def aspect_title(claim: Claim, matrix: Matrix) -> str:
    """The title of the claim's aspect."""
    aspect = matrix.aspects.get(claim.aspect)
    return aspect.record.title if aspect else claim.aspect


def value_text(record: ClaimBody) -> str:
    """The value as written; U has none and says so, in words that its reason allows."""
    if isinstance(record, UnknownClaim):
        return record.in_words
    value = record.value
    if value is None:
        return ""
    return ", ".join(value) if isinstance(value, tuple) else shown(value, limit=len(value) or 1)


def value_words(claim: Claim, matrix: Matrix) -> str:
    """The value for readers: as written, but subjects that it refers to by their names."""
    aspect, value = matrix.aspects.get(claim.aspect), claim.value
    if aspect is None or aspect.record.kind != "reference" or value is None:
        return value_text(claim.record)
    ids = value if isinstance(value, tuple) else (value,)
    return ", ".join(matrix.subjects[i].name if i in matrix.subjects else i for i in ids)


def iso(day: PartialDate | None) -> str:
    """A date for `datetime` attributes and sorting; bounds are left out, partial dates stay so."""
    return day.format().removeprefix("by ") if day else ""


_WEAKEST_FIRST = (
    State.FAILED,
    State.NOT_REACHED,
    State.PENDING,
    State.UNPINNED,
    State.SECONDHAND,
    State.OTHER_BYTES,
    State.MATCHED,
)


def weakest_state(claim: Claim, matrix: Matrix) -> State | None:
    """The state of the piece that was checked least; None for a claim without pieces."""
    states = [state_of(piece, claim, matrix) for piece in claim.evidence]
    return min(states, key=_WEAKEST_FIRST.index) if states else None


def _protocol(record: ClaimBody) -> list[tuple[str, str]]:
    if record.protocol is None:
        return []
    fields: Mapping[str, str] = record.protocol.model_dump()
    titles = {"by": "Reported by", "harness": "Harness", "effort": "Effort", "samples": "Samples"}
    return [(titles.get(name, "Tools"), text) for name, text in fields.items()]
