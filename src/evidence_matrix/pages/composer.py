"""The composer of a page: turns claims into what templates show, makes links and numbers notes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from evidence_matrix.evidence import Evidence
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Entry, Matrix
from evidence_matrix.pages import citation
from evidence_matrix.pages.addresses import Addresses
from evidence_matrix.pages.claim_words import (
    ClaimWords,
    View,
    aspect_title,
    iso,
    value_text,
    value_words,
    weakest_state,
)
from evidence_matrix.receipts import hits_of, is_whole
from evidence_matrix.records import (
    DisputeRecord,
    InferredClaim,
    ReproducedClaim,
    UnknownClaim,
)

if TYPE_CHECKING:
    from jinja2 import Environment

    from evidence_matrix.exports import Exported

__all__ = [
    "DISPUTE_TITLES",
    "Composer",
    "View",
    "aspect_title",
    "iso",
    "value_text",
    "value_words",
    "weakest_state",
]

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
        self._words: dict[str, ClaimWords] = {}

    def at(self, here: str) -> Composer:
        """The composer of another page; both share what does not depend on the page."""
        other = Composer(self.matrix, self.addresses, here, self._templates, self.exported)
        other._words = self._words
        return other

    def href(self, target: str) -> str:
        """A link from this page to what `target` names, such as `subject:kimi-k3`."""
        return self.addresses.href(target, self.here)

    @property
    def notes(self) -> list[View]:
        """The claims that were shown with a note, in the order of first mention."""
        return list(self._notes.values())

    def noted(self, claim: Claim, cite: bool = True) -> View:
        """A claim whose chip opens a note on this page; `cite`: with a citation to copy."""
        if claim.id not in self._notes:
            number = len(self._notes) + 1
            self._notes[claim.id] = self.claim(claim, note_number=number, cite=cite)
        return self._notes[claim.id]

    def macro(self, template: str, name: str, *arguments: Any) -> str:
        """The HTML that a macro of a template gives, for text that is put together here."""
        module: Any = self._templates.get_template(template).module
        return str(getattr(module, name)(*arguments))

    def claim(self, claim: Claim, note_number: int = 0, cite: bool = True) -> View:
        """A claim as templates take it; the fields are listed in templates/README.md."""
        words = self._words_of(claim)
        pieces = [
            self._piece(piece, plain)
            for piece, plain in zip(claim.evidence, words.pieces, strict=True)
        ]
        return words.fields | {
            "href": self.href(f"claim:{claim.id}"),
            "note_id": f"note-{note_number}",
            "note_number": note_number,
            "subject_href": self.href(f"subject:{claim.subject}"),
            "evidence": pieces,
            "here": pieces,
            "search": self._search(claim),
            "inference": self._inference(claim),
            "run": self._run(claim),
            "disputes": [
                self._dispute(dispute, claim)
                for dispute in self.matrix.disputes_of_claim.get(claim.id, ())
            ],
            "citation_markdown": words.markdown if cite else "",
            "correction_href": self.href("page:contribute#correct-a-claim"),
        }

    def link(self, claim: Claim) -> View:
        """What a chip that leads to the claim shows; without its evidence, for long tables."""
        return self._words_of(claim).fields | {"href": self.href(f"claim:{claim.id}")}

    def _words_of(self, claim: Claim) -> ClaimWords:
        words = self._words.get(claim.id)
        if words is None or words.claim is not claim:  # an earlier answer has the same id
            words = self._words[claim.id] = ClaimWords(claim, self.matrix)
        return words

    def _piece(self, piece: Evidence, plain: View) -> View:
        """A piece of evidence with the links to our pages of its sources."""
        return plain | {
            "source_href": self.href(f"source:{piece.source}"),
            "via_href": self.href(f"source:{piece.via}") if plain["via_title"] else "",
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
        for name, premise in record.premises.items():
            other = self.matrix.claims.get(premise)
            if other is None:
                continue
            premises.append(
                {
                    "name": name,
                    "title": self.title_of(other),
                    "value_text": value_words(other, self.matrix),
                    "label": other.label.value,
                    "label_name": other.label.in_words,
                    "href": self.href(f"claim:{premise}"),
                }
            )
        return {
            "premises": premises,
            "formula": record.formula or "",
            "steps": self._words_of(claim).steps,
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

    def _dispute(self, dispute: Entry[DisputeRecord], claim: Claim) -> View:
        others = []
        for other_id in dispute.record.claims:
            other = self.matrix.claims.get(other_id)
            if other is not None and other_id != claim.id:
                others.append(
                    {
                        "title": self.title_of(other),
                        "value_text": value_words(other, self.matrix),
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

    def counts(self, claims: Iterable[Claim], query: str | None = "") -> list[View]:
        """Claims by label, each with a link to the explorer, which `query` narrows to them.

        Without a query that would name them (None), the link goes to what the label means.
        """
        numbers = dict.fromkeys(Label, 0)
        for claim in claims:
            numbers[claim.label] += 1
        return [
            {
                "label": label.value,
                "name": label.in_words,
                "number": f"{number:,}",
                "href": self.href(f"label:{label.value}")
                if query is None
                else f"{self.href('page:explore')}?{query}label={label.value}",
            }
            for label, number in numbers.items()
        ]
