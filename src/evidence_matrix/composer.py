"""The composer of a page: turns claims into what templates show, makes links and numbers notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from evidence_matrix import citation, formula
from evidence_matrix.addresses import Addresses
from evidence_matrix.context import left_to_context
from evidence_matrix.dates import PartialDate
from evidence_matrix.evidence import Evidence, Fragment
from evidence_matrix.findings import shown
from evidence_matrix.labels import Label, State
from evidence_matrix.matrix import Claim, ClaimBody, Entry, Matrix
from evidence_matrix.quantity import Quantity
from evidence_matrix.receipts import entry_for, hits_of, is_whole, state_of
from evidence_matrix.records import (
    DisputeRecord,
    InferredClaim,
    ReproducedClaim,
    UnknownClaim,
)

if TYPE_CHECKING:
    from jinja2 import Environment

    from evidence_matrix.exports import Exported

View = dict[str, Any]

NOT_DISCLOSED = "not disclosed"
DISPUTE_TITLES = {
    "rounding": "Rounded.",
    "counting": "Counted in two ways.",
    "variant": "Easily confused.",
    "later": "Answered later.",
    "error": "One source is wrong.",
    "open": "Sources disagree.",
}
REASONS = {
    "absent": "the whole texts were searched, and it is not there",
    "ambiguous": "what the texts say can be read in several ways",
    "contradictory": "the texts contradict each other",
    "not verifiable": "the texts that would say it were not at hand as a whole",
}


class Composer:
    """Composes one page: every link it makes is sure, every claim it shows has one note."""

    def __init__(
        self,
        matrix: Matrix,
        addresses: Addresses,
        here: str,
        templates: Environment,
        exported: Sequence[Exported] = (),
    ) -> None:
        self.matrix = matrix
        self.addresses = addresses
        self.here = here
        self.exported = exported
        self._templates = templates
        self._notes: dict[str, View] = {}

    def href(self, target: str) -> str:
        """A link from this page to what `target` names, such as `subject:kimi-k3`."""
        return self.addresses.href(target, self.here)

    @property
    def notes(self) -> list[View]:
        """The claims that were shown with a note, in the order of first mention."""
        return list(self._notes.values())

    def noted(self, claim: Claim) -> View:
        """A claim whose chip opens a note on this page."""
        if claim.id not in self._notes:
            number = len(self._notes) + 1
            self._notes[claim.id] = self.claim(claim, note_number=number)
        return self._notes[claim.id]

    def macro(self, template: str, name: str, *arguments: Any) -> str:
        """The HTML that a macro of a template gives, for text that is put together here."""
        module: Any = self._templates.get_template(template).module
        return str(getattr(module, name)(*arguments))

    def claim(self, claim: Claim, note_number: int = 0, cite: bool = True) -> View:
        """A claim as templates take it; the fields are listed in templates/README.md."""
        matrix = self.matrix
        record = claim.record
        subject = matrix.subjects[claim.subject]
        pieces = [self.piece(piece, claim) for piece in claim.evidence]
        weakest = weakest_state(claim, matrix)
        public = matrix.public_of(claim)
        scope = claim.scope
        return {
            "id": claim.id,
            "href": self.href(f"claim:{claim.id}"),
            "anchor": claim.key,
            "note_id": f"note-{note_number}",
            "note_number": note_number,
            "subject_name": subject.name,
            "subject_href": self.href(f"subject:{subject.id}"),
            "aspect_title": aspect_title(claim, matrix),
            "scope_text": subject.record.scopes.get(scope, scope) if scope else "",
            "reading_text": claim.reading or "",
            "label": claim.label.value,
            "label_name": claim.label.in_words,
            "value_text": value_text(record),
            "means": record.means or "",
            "statement": record.statement or "",
            "caveat": record.note or "",
            "state": weakest.value if weakest else "",
            "state_note": weakest.meaning if weakest else "",
            "evidence": pieces,
            "here": pieces,
            "search": self._search(claim),
            "inference": self._inference(claim),
            "run": self._run(claim),
            "protocol": _protocol(record),
            "public": iso(public),
            "public_text": public.format() if public else "",
            "checked": iso(record.checked),
            "checked_text": record.checked.format() if record.checked else "",
            "reporter": "",
            "earlier": [self._earlier(before) for before in record.earlier],
            "disputes": [
                self._dispute(dispute, claim)
                for dispute in matrix.disputes_of_claim.get(claim.id, ())
            ],
            "citation_markdown": citation.claim_markdown(claim, matrix) if cite else "",
            "citation_bibtex": self._bibtex(claim) if cite else "",
            "correction_href": self.href("page:contribute#correct-a-claim"),
        }

    def piece(self, piece: Evidence, claim: Claim) -> View:
        """A piece of evidence with the link that opens its place."""
        matrix = self.matrix
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
            "source_href": self.href(f"source:{piece.source}"),
            "locator": piece.at or "",
            "deep_link": citation.deep_link(piece, source) if source and not via else "",
            "via_title": citation.short_title(via) if via else "",
            "via_href": self.href(f"source:{piece.via}") if piece.via and via else "",
            "state": state.value,
            "state_note": "; ".join(
                [str(seen["why"])]
                if state is State.FAILED and seen.get("why")
                else left_to_context(piece, claim, matrix)
            ),
        }

    def _search(self, claim: Claim) -> View | None:
        record = claim.record
        if not isinstance(record, UnknownClaim):
            return None
        sources = []
        hits = []
        for key in record.looked_in:
            source = self.matrix.sources.get(key)
            sources.append(
                {
                    "title": citation.short_title(source) if source else key,
                    "href": self.href(f"source:{key}"),
                    "whole": is_whole(key, self.matrix),
                }
            )
            for term in record.looked_for:
                found = hits_of(key, term, self.matrix)
                if found:
                    judged = next(
                        (h.judged for h in record.hits if h.source == key and h.term == term), ""
                    )
                    count = sum(found.values())
                    hits.append(f"“{term}” {count}×" + (f": {judged}" if judged else ""))
        return {
            "reason_text": f"{record.reason}: {REASONS[record.reason]}",
            "terms": list(record.looked_for),
            "sources": sources,
            "hits_text": "; ".join(hits),
            "next": [self._next(key) for key in record.next],
        }

    def _next(self, key: str) -> View:
        if key in self.matrix.wanted:
            title = self.matrix.wanted[key].record.title
            return {"title": title, "href": self.href(f"wanted:{key}")}
        source = self.matrix.sources.get(key)
        return {
            "title": citation.short_title(source) if source else key,
            "href": self.href(f"source:{key}"),
        }

    def _inference(self, claim: Claim) -> View | None:
        record = claim.record
        if not isinstance(record, InferredClaim):
            return None
        premises = []
        values: dict[str, Quantity] = {}
        for name, premise in record.premises.items():
            other = self.matrix.claims.get(premise)
            if other is None:
                continue
            if isinstance(other.parsed, Quantity):
                values[name] = other.parsed
            premises.append(
                {
                    "name": name,
                    "title": self.title_of(other),
                    "value_text": value_text(other.record),
                    "label": other.label.value,
                    "label_name": other.label.in_words,
                    "href": self.href(f"claim:{premise}"),
                }
            )
        steps: list[str] = []
        if record.formula:
            try:
                written = claim.parsed if isinstance(claim.parsed, Quantity) else None
                steps = list(formula.steps(record.formula, values, written))
            except formula.FormulaError as error:
                steps = [str(error)]
        return {
            "premises": premises,
            "formula": record.formula or "",
            "steps": steps,
            "assumes": list(record.assumes),
            "because": record.because or "",
        }

    def _run(self, claim: Claim) -> View | None:
        record = claim.record
        if not isinstance(record, ReproducedClaim) or record.run is None or record.read is None:
            return None
        return {
            "id": record.run,
            "href": self.href(f"run:{record.run}"),
            "file": record.read.file,
            "at": record.read.at,
        }

    def _earlier(self, before: ClaimBody) -> View:
        return {
            "value_text": value_text(before),
            "label": before.label,
            "label_name": Label(before.label).in_words,
            "public": iso(before.public or before.checked),
            "public_text": str(before.public or before.checked or "?"),
            "until": iso(before.until),
        }

    def _dispute(self, dispute: Entry[DisputeRecord], claim: Claim) -> View:
        others = []
        for other_id in dispute.record.claims:
            other = self.matrix.claims.get(other_id)
            if other is not None and other_id != claim.id:
                others.append(
                    {
                        "title": self.title_of(other),
                        "value_text": value_text(other.record),
                        "label": other.label.value,
                        "label_name": other.label.in_words,
                        "href": self.href(f"claim:{other_id}"),
                    }
                )
        return {
            "kind_text": DISPUTE_TITLES[dispute.record.kind],
            "reason": dispute.record.reason,
            "on": iso(dispute.record.on),
            "others": others,
        }

    def title_of(self, claim: Claim) -> str:
        """Subject, aspect, scope and reading of a claim in a few words."""
        title = citation.in_sentence(aspect_title(claim, self.matrix))
        parts = [self.matrix.subjects[claim.subject].name, title]
        if claim.scope:
            parts.append(claim.scope)
        if claim.reading:
            parts.append(f"as read in {claim.reading}")
        return ", ".join(parts)

    def _bibtex(self, claim: Claim) -> str:
        for piece in claim.evidence:
            source = self.matrix.sources.get(piece.source)
            if source is not None:
                return citation.source_bibtex(source)
        return ""

    @cached_property
    def legend(self) -> list[View]:
        """The five labels for the legend, from their one definition."""
        return [
            {
                "label": label.value,
                "name": label.in_words,
                "sentence": label.meaning,
                "href": self.href(f"label:{label.value}"),
            }
            for label in Label
        ]

    def counts(self, claims: Iterable[Claim], target: str) -> list[View]:
        """Claims by label, each with a link."""
        numbers = dict.fromkeys(Label, 0)
        for claim in claims:
            numbers[claim.label] += 1
        return [
            {
                "label": label.value,
                "name": label.in_words,
                "number": number,
                "href": self.href(target),
            }
            for label, number in numbers.items()
        ]


def aspect_title(claim: Claim, matrix: Matrix) -> str:
    """The title of the claim's aspect."""
    aspect = matrix.aspects.get(claim.aspect)
    return aspect.record.title if aspect else claim.aspect


def value_text(record: ClaimBody) -> str:
    """The value as written; U has none and says so."""
    value = getattr(record, "value", None)
    if value is None:
        return NOT_DISCLOSED
    return ", ".join(value) if isinstance(value, tuple) else shown(value, limit=len(value) or 1)


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
