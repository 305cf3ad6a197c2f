"""Plain rows: what every export says of a claim, a source and a dispute; numbers stay exact."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from evidence_matrix.dates import PartialDate
from evidence_matrix.evidence import Artifact, Fragment
from evidence_matrix.matrix import Claim, Entry, Matrix, Source
from evidence_matrix.quantity import Quantity
from evidence_matrix.receipts import state_of
from evidence_matrix.records import DisputeRecord, InferredClaim, ReproducedClaim, UnknownClaim


def claim_rows(matrix: Matrix) -> Iterator[dict[str, Any]]:
    """Every claim of the matrix, in the order of the files."""
    for claim in matrix.claims.values():
        yield claim_row(claim, matrix)


def claim_row(claim: Claim, matrix: Matrix) -> dict[str, Any]:
    """A claim with everything that its record says, and what the program worked out."""
    record = claim.record
    subject = matrix.subjects[claim.subject]
    aspect = matrix.aspects.get(claim.aspect)
    public = matrix.public_of(claim)
    row: dict[str, Any] = {
        "id": claim.id,
        "lab": claim.lab,
        "subject": claim.subject,
        "subject_name": subject.name,
        "aspect": claim.aspect,
        "aspect_title": aspect.record.title if aspect else claim.aspect,
        "scope": claim.scope,
        "reading": claim.reading,
        "label": claim.label.value,
        "value": claim.value,
        **_numbers(claim),
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
                "label": before.label,
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


def dispute_row(dispute: Entry[DisputeRecord]) -> dict[str, Any]:
    """A dispute with the claims it links, as plain text."""
    record = dispute.record
    return {
        "claims": list(record.claims),
        "kind": record.kind,
        "reason": record.reason,
        "on": record.on.format(),
    }


def source_row(source: Source) -> dict[str, Any]:
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


def _numbers(claim: Claim) -> dict[str, Any]:
    parsed = claim.parsed
    if isinstance(parsed, PartialDate):
        low = None if parsed.by else parsed.earliest.isoformat()
        return {"low": low, "high": parsed.latest.isoformat()}
    if not isinstance(parsed, Quantity):
        return {"low": None, "high": None}
    return {
        "low": exact(parsed.low),
        "high": exact(parsed.high),
        "low_open": parsed.low_open,
        "high_open": parsed.high_open,
        "about": parsed.about,
        "step": exact(parsed.step),
    }


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


def _piece(piece: Fragment | Artifact, claim: Claim, matrix: Matrix) -> dict[str, Any]:
    source = matrix.sources.get(piece.source)
    row: dict[str, Any] = {"source": piece.source, "via": piece.via, "at": piece.at}
    if isinstance(piece, Fragment):
        row |= {"quote": piece.quote, "row": piece.row, "head": piece.head}
    else:
        row |= {"read": piece.read, "path": piece.path}
    row["state"] = state_of(piece, claim, matrix).value
    row["url"] = source.record.url if source else None
    return row
