"""Sightings: what one source's bytes say to each piece of evidence, and the receipt of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from evidence_matrix.evidence import Artifact, Fragment
from evidence_matrix.labels import State
from evidence_matrix.matrix import Claim, Source
from evidence_matrix.receipts import (
    EXCERPT,
    TEXT_VERSION,
    TRANSCRIPTION,
    Receipt,
    digest_of,
    sealed,
)
from evidence_matrix.verification import locators
from evidence_matrix.verification.agreement import gives
from evidence_matrix.verification.documents import MEDIA_BY_SUFFIX, Document, Hit, Miss
from evidence_matrix.verification.expressions import ExpressionError, read
from evidence_matrix.verification.extraction import HTML
from evidence_matrix.verification.library import Library, hash_of_text
from evidence_matrix.verification.mirror import Held
from evidence_matrix.verification.packages import PackageError, file_in

MOST_OTHERS = 20
"""Most other pages of a fragment that a receipt lists."""
LONGEST_VALUE = 200

Piece = Fragment | Artifact


@dataclass(frozen=True, slots=True)
class Sighting:
    """What was seen of a piece of evidence: its entry in the receipt, and a hint if it failed."""

    entry: Mapping[str, Any]
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen in a source: a sighting for each piece in order, and the receipt."""

    sightings: Sequence[Sighting]
    receipt: Receipt
    has_other_bytes: bool


def see(
    source: Source,
    held: Held,
    pieces: Sequence[tuple[Piece, Claim]],
    terms: Iterable[str],
    library: Library,
) -> Seen:
    """Looks in the bytes of a source for fragments, expressions and terms.

    Raises:
        ExtractionError: the bytes are not what their media type says.
    """
    media = media_of(source, held)
    is_package = source.record.kind == "package"
    hash_of_bytes = held.sha256
    document = None if is_package else library.read(held.data, media, hash_of_bytes)
    pinned = source.record.sha256
    if document is not None and media == HTML and pinned != hash_of_bytes:
        hash_of_bytes = hash_of_text(document)  # a page is pinned by its text
    other = pinned is not None and pinned != hash_of_bytes
    evidence: dict[str, Mapping[str, Any]] = {}
    expressions: dict[str, Mapping[str, Any]] = {}
    sightings = []
    files = _Files(held, media, is_package)
    for piece, claim in pieces:
        if isinstance(piece, Artifact):
            sighting = _run(piece, claim, files)
            entries = expressions
        else:
            sighting = _look(piece, document, held.provenance)
            entries = evidence
        if other and sighting.entry["state"] == State.MATCHED:
            sighting = Sighting({**sighting.entry, "state": State.OTHER_BYTES.value})
        entries[digest_of(piece, claim.value, hash_of_bytes)] = sighting.entry
        sightings.append(sighting)
    receipt = Receipt(
        source=source.key,
        sha256=hash_of_bytes,
        media=media,
        provenance=held.provenance,
        text=TEXT_VERSION,
        pages=len(document.folded.pages) if document else 0,
        whole=source.record.whole == "yes" and held.provenance != EXCERPT,
        evidence=evidence,
        expressions=expressions,
        searches={term: document.count(term) for term in sorted(terms)} if document else {},
    )
    return Seen(sightings, sealed(receipt), other)


def media_of(source: Source, held: Held) -> str:
    """The media type of a source: as it is given, else by the suffix of its file or address."""
    given = source.record.media or held.media
    if given not in (None, "text/plain"):
        return given
    for name in (held.name, urlsplit(source.record.url or "").path):
        media = MEDIA_BY_SUFFIX.get(PurePosixPath(name).suffix.lower())
        if media is not None and (given is None or media not in _BY_OTHER_MEANS):
            return media
    return given or "text/plain"


_BY_OTHER_MEANS = ("application/pdf", HTML)


def _look(piece: Fragment, document: Document | None, provenance: str) -> Sighting:
    if document is None:
        return _failed("a package holds many files", "write `path` and `read`, and the label C")
    at = piece.at
    if provenance in (EXCERPT, TRANSCRIPTION) and not document.has_pages:
        # The pages of the original are not those of a text that others wrote down.
        at = None if locators.parse(at).pages else at
    found = document.find(piece.quote or "", at, piece.row, piece.head)
    if isinstance(found, Miss):
        return _failed(found.reason, _advice(found))
    place = "page" if document.has_pages else "line"
    entry: dict[str, Any] = {"state": State.MATCHED.value, place: _place(found, place)}
    if found.others:
        entry["also"] = list(found.others[:MOST_OTHERS])
    return Sighting(entry)


def _place(hit: Hit, place: str) -> int:
    return hit.page if place == "page" else hit.line


def _advice(miss: Miss) -> str:
    if miss.elsewhere:
        return f"it stands on {', '.join(miss.elsewhere)}"
    if miss.inside:
        return "take in the whole word or number, with its sign, or end the fragment before it"
    if miss.nearest:
        return f"nearest is “{miss.nearest}” on {miss.nearest_at}"
    return "open the source and copy the words as they stand there"


def _failed(why: str, hint: str, **rest: str) -> Sighting:
    return Sighting({"state": State.FAILED.value, "why": why, **rest}, hint)


class _Files:
    """The files that expressions run on: the source itself, or those inside a package."""

    def __init__(self, held: Held, media: str, is_package: bool) -> None:
        self._held = held
        self._media = media
        self._is_package = is_package
        self._read: dict[str, bytes] = {}

    def get(self, path: str | None) -> tuple[bytes, str] | Sighting:
        if not self._is_package:
            if path:
                return _failed("only a package has files with a path", "leave out `path`")
            return self._held.data, self._media
        if not path:
            return _failed("a package holds many files", "write the `path` of the one meant")
        if path not in self._read:
            try:
                self._read[path] = file_in(self._held.data, path)
            except PackageError as error:
                return _failed(str(error), "list the files of the wheel and copy the path")
        media = MEDIA_BY_SUFFIX.get(PurePosixPath(path).suffix.lower(), "text/plain")
        return self._read[path], media


def _run(piece: Artifact, claim: Claim, files: _Files) -> Sighting:
    got = files.get(piece.path)
    if isinstance(got, Sighting):
        return got
    try:
        reading = read(piece.read or "", *got)
    except ExpressionError as error:
        return _failed(error.message, error.hint or "open the file and correct the expression")
    value = " ".join(reading.value.split())[:LONGEST_VALUE]
    entry = {"state": State.MATCHED.value, "value": value}
    if reading.kind:
        entry["kind"] = reading.kind
    if gives(reading.value, claim.value or "", claim.parsed):
        return Sighting(entry)
    why = f"`{piece.read}` gives {value[:60]}, the claim says {claim.value}"
    return _failed(why, f"write value: {value[:60]}", value=value)
