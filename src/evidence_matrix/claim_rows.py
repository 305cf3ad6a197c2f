"""Plain rows: what every export says of a claim, a source and a dispute; numbers stay exact."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, NotRequired

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

from evidence_matrix.dates import PartialDate
from evidence_matrix.evidence import Artifact, Fragment
from evidence_matrix.labels import Label, State
from evidence_matrix.matrix import Claim, Entry, Matrix, Source
from evidence_matrix.quantity import Quantity
from evidence_matrix.receipts import state_of
from evidence_matrix.records import DisputeRecord, InferredClaim, ReproducedClaim, UnknownClaim

_closed = with_config(ConfigDict(extra="forbid"))
ClaimId = Annotated[str, Field(description="subject/aspect, /scope and @reading where they are")]
Exact = Annotated[
    str | None, Field(description="digits, a decimal that ends, a fraction; or a day")
]
Day = Annotated[
    str | None, Field(description="a day, month or year; `by` before the latest it may be")
]


@_closed
class PieceRow(TypedDict):
    """A piece of evidence: a fragment (`quote`), or the expression that reads an artifact."""

    source: str
    via: Annotated[str | None, Field(description="the transcription that was read instead")]
    at: Annotated[str | None, Field(description="the locator: page, section, table, line")]
    quote: NotRequired[Annotated[str | None, Field(description="at most twelve words")]]
    row: NotRequired[str | None]
    head: NotRequired[str | None]
    read: NotRequired[str | None]
    path: NotRequired[str | None]
    state: State
    url: str | None


@_closed
class DisputeRow(TypedDict):
    """Claims that differ, and why."""

    claims: list[ClaimId]
    kind: str
    reason: str
    on: str


@_closed
class EarlierRow(TypedDict):
    """What the answer was before."""

    label: Label
    value: str | list[str] | None
    public: Day
    until: Day


@_closed
class SearchRow(TypedDict):
    """For U: which words were looked for in which sources."""

    looked_for: list[str]
    looked_in: list[str]
    reason: str
    next: list[str]


@_closed
class InferenceRow(TypedDict):
    """For I: what it is worked out from, and how."""

    premises: dict[str, ClaimId]
    formula: str | None
    assumes: list[str]
    because: str | None


@_closed
class RunRow(TypedDict):
    """For R: the run, and where in its output the value stands."""

    id: str | None
    file: str | None
    at: str | None


@_closed
class ClaimRow(TypedDict):
    """A claim with everything that its record says, and what the program worked out."""

    id: ClaimId
    lab: str
    subject: str
    subject_name: str
    aspect: str
    aspect_title: str
    scope: str | None
    reading: str | None
    label: Label
    value: Annotated[str | list[str] | None, Field(description="as written; null for U")]
    low: Exact
    high: Exact
    low_open: bool | None
    high_open: bool | None
    about: bool | None
    step: Annotated[Exact, Field(description="the last digit that was written")]
    unit: str | None
    means: str | None
    statement: str | None
    note: str | None
    public: Day
    checked: Day
    withdrawn: str | None
    protocol: dict[str, str | None] | None
    evidence: list[PieceRow]
    disputes: list[DisputeRow]
    earlier: list[EarlierRow]
    search: NotRequired[SearchRow]
    inference: NotRequired[InferenceRow]
    run: NotRequired[RunRow]


@_closed
class SourceRow(TypedDict):
    """A source with its pins."""

    title: str
    author: list[str]
    lab: list[str]
    kind: str
    date: Day
    url: str | None
    version: str | None
    retrieved: Day
    sha256: str | None
    media: str | None
    licence: str | None
    copy: str | None
    of: str | None
    note: str | None


def claim_rows(matrix: Matrix) -> Iterator[ClaimRow]:
    """Every claim of the matrix, in the order of the files."""
    for claim in matrix.claims.values():
        yield claim_row(claim, matrix)


def claim_row(claim: Claim, matrix: Matrix) -> ClaimRow:
    """A claim with everything that its record says, and what the program worked out."""
    record = claim.record
    subject = matrix.subjects[claim.subject]
    aspect = matrix.aspects.get(claim.aspect)
    public = matrix.public_of(claim)
    low, high = _bounds(claim)
    number = claim.parsed if isinstance(claim.parsed, Quantity) else None
    row: ClaimRow = {
        "id": claim.id,
        "lab": claim.lab,
        "subject": claim.subject,
        "subject_name": subject.name,
        "aspect": claim.aspect,
        "aspect_title": aspect.record.title if aspect else claim.aspect,
        "scope": claim.scope,
        "reading": claim.reading,
        "label": claim.label,
        "value": claim.value,
        "low": low,
        "high": high,
        "low_open": number.low_open if number else None,
        "high_open": number.high_open if number else None,
        "about": number.about if number else None,
        "step": exact(number.step) if number else None,
        "unit": aspect.record.unit if aspect else None,
        "means": record.means,
        "statement": record.statement,
        "note": record.note,
        "public": public.format() if public else None,
        "checked": record.checked.format() if record.checked else None,
        "withdrawn": record.withdrawn.reason if record.withdrawn else None,
        "protocol": record.protocol.model_dump() if record.protocol else None,
        "evidence": [_piece(piece, claim, matrix) for piece in claim.evidence],
        "disputes": [dispute_row(d) for d in matrix.disputes_of_claim.get(claim.id, ())],
        "earlier": [
            {
                "label": Label(before.label),
                "value": getattr(before, "value", None),
                "public": before.public.format() if before.public else None,
                "until": before.until.format() if before.until else None,
            }
            for before in record.earlier
        ],
    }
    if isinstance(record, UnknownClaim):
        row["search"] = {
            "looked_for": list(record.looked_for),
            "looked_in": list(record.looked_in),
            "reason": record.reason,
            "next": list(record.next),
        }
    if isinstance(record, InferredClaim):
        row["inference"] = {
            "premises": dict(record.premises),
            "formula": record.formula,
            "assumes": list(record.assumes),
            "because": record.because,
        }
    if isinstance(record, ReproducedClaim):
        row["run"] = {
            "id": record.run,
            "file": record.read.file if record.read else None,
            "at": record.read.at if record.read else None,
        }
    return row


def dispute_row(dispute: Entry[DisputeRecord]) -> DisputeRow:
    """A dispute with the claims it links, as plain text."""
    record = dispute.record
    return {
        "claims": list(record.claims),
        "kind": record.kind,
        "reason": record.reason,
        "on": record.on.format(),
    }


def source_row(source: Source) -> SourceRow:
    """A source with its pins, as plain text."""
    record = source.record
    return {
        "title": record.title,
        "author": list(record.author),
        "lab": list(record.lab),
        "kind": record.kind,
        "date": record.date.format() if record.date else None,
        "url": record.url,
        "version": record.version,
        "retrieved": record.retrieved.format() if record.retrieved else None,
        "sha256": record.sha256,
        "media": record.media,
        "licence": record.licence,
        "copy": record.copy_of_bytes,
        "of": record.of,
        "note": record.note,
    }


def _bounds(claim: Claim) -> tuple[str | None, str | None]:
    parsed = claim.parsed
    if isinstance(parsed, PartialDate):
        return None if parsed.by else parsed.earliest.isoformat(), parsed.latest.isoformat()
    return (exact(parsed.low), exact(parsed.high)) if isinstance(parsed, Quantity) else (None, None)


def exact(number: Fraction | None) -> str | None:
    """A number as text that loses nothing: digits, a decimal that ends, or a fraction."""
    if number is None:
        return None
    if number.denominator == 1:
        return str(number.numerator)
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return f"{number.numerator}/{number.denominator}"
    places = 0
    while (number * 10**places).denominator != 1:
        places += 1
    digits = str(abs(number.numerator * 10**places // number.denominator)).rjust(places + 1, "0")
    sign = "-" if number < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def _piece(piece: Fragment | Artifact, claim: Claim, matrix: Matrix) -> PieceRow:
    source = matrix.sources.get(piece.source)
    row: PieceRow = {
        "source": piece.source,
        "via": piece.via,
        "at": piece.at,
        "state": state_of(piece, claim, matrix),
        "url": source.record.url if source else None,
    }
    if isinstance(piece, Fragment):
        row |= {"quote": piece.quote, "row": piece.row, "head": piece.head}
    else:
        row |= {"read": piece.read, "path": piece.path}
    return row
