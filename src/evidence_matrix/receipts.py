"""Receipts: what `verify` saw in the bytes of a source, and the state it gives to evidence."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evidence_matrix.evidence import Artifact, Evidence, Fragment
from evidence_matrix.labels import State

if TYPE_CHECKING:
    from evidence_matrix.matrix import Claim, Matrix, Source

FOLDER = "sources/receipts"
TEXT_VERSION = 1
"""Version of the rules by which text is read. It counts up when `text` reads something else."""

OFFICIAL = "official bytes"
COPY = "byte copy"
TRANSCRIPTION = "transcription"
EXCERPT = "excerpt"
PROVENANCES = (OFFICIAL, COPY, TRANSCRIPTION, EXCERPT)

Seen = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was seen in one source.

    Attributes:
        source: key of the source.
        sha256: hash of the bytes that were read; for a page, of its text.
        provenance: official bytes, byte copy, transcription or excerpt.
        text: version of the rules by which the text was read.
        pages: number of pages of a PDF; 1 for other texts, 0 for a package.
        whole: whether the text is the whole document.
        evidence: by digest of a fragment, its state and the page or line where it stands.
        expressions: by digest of an expression, its state and the value it gave.
        searches: by term, the number of hits by page or line.
        seal: eight hex digits that no longer fit when the head or the searches are edited.
        fault: what is wrong with the file, or None.
    """

    source: str
    sha256: str
    media: str
    provenance: str
    text: int
    pages: int
    whole: bool
    evidence: Mapping[str, Seen] = field(default_factory=dict)
    expressions: Mapping[str, Seen] = field(default_factory=dict)
    searches: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    seal: str = ""
    fault: str | None = None

    @property
    def is_bytes(self) -> bool:
        """Whether the text is that of the document itself, not a transcription or an excerpt."""
        return self.provenance in (OFFICIAL, COPY)


@lru_cache(maxsize=1 << 16)
def _short(parts: tuple[str | None, ...], size: int) -> str:
    text = "\0".join([part or "" for part in parts])
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:size]


def digest_of(piece: Evidence, value: str | None, hash_of_bytes: str) -> str:
    """What binds an entry of a receipt to its evidence: 20 hex digits that any change changes.

    For a fragment: source, bytes, place and words. For an expression: source, bytes, file,
    expression and the value that the claim gives.
    """
    if isinstance(piece, Fragment):
        parts = (piece.at, piece.quote, piece.row, piece.head)
    else:
        parts = (piece.path, piece.read, value, "expression")
    return _short((piece.source, piece.via, hash_of_bytes, *parts), 20)


def seal_of(digest: str, seen: Seen, receipt: Receipt) -> str:
    """Eight hex digits that no longer fit when an entry, or what it was read in, is edited."""
    place = seen.get("page") or seen.get("line")
    also = " ".join(map(str, seen.get("also", ())))
    rest = (seen.get("value"), seen.get("kind"), seen.get("why"), str(place or ""), also)
    return _short((digest, seen.get("state"), *rest, *_head(receipt)), 8)


def _head(receipt: Receipt) -> tuple[str, ...]:
    kind = (receipt.source, receipt.sha256, receipt.media, receipt.provenance)
    return (*kind, str(receipt.text), str(receipt.pages), str(receipt.whole))


def sealed(receipt: Receipt) -> Receipt:
    """A receipt whose entries have the seals that fit them."""

    def seal(entries: Mapping[str, Seen]) -> dict[str, Seen]:
        return {key: {**seen, "seal": seal_of(key, seen, receipt)} for key, seen in entries.items()}

    evidence, expressions = seal(receipt.evidence), seal(receipt.expressions)
    searches = json.dumps(receipt.searches, sort_keys=True)
    whole = _short((searches, *_head(receipt)), 8)
    return replace(receipt, evidence=evidence, expressions=expressions, seal=whole)


def written(receipt: Receipt) -> str:
    """The canonical file of a receipt: sorted keys, an entry a line, a newline at the end."""
    content: dict[str, Any] = {
        "evidence": receipt.evidence,
        "expressions": receipt.expressions,
        "media": receipt.media,
        "pages": receipt.pages,
        "provenance": receipt.provenance,
        "seal": receipt.seal,
        "searches": receipt.searches,
        "sha256": receipt.sha256,
        "source": receipt.source,
        "text": receipt.text,
        "whole": "yes" if receipt.whole else "no",
    }
    return "{\n" + ",\n".join(_lines(content)) + "\n}\n"


def _lines(content: Mapping[str, Any]) -> Iterator[str]:
    for key in sorted(content):
        value = content[key]
        if isinstance(value, Mapping) and value:
            entries = (f"    {_json(name)}: {_json(value[name])}" for name in sorted(value))
            yield f"  {_json(key)}: {{\n" + ",\n".join(entries) + "\n  }"
        else:
            yield f"  {_json(key)}: {_json(value)}"


_json = json.JSONEncoder(sort_keys=True, ensure_ascii=False).encode


def write_receipt(root: Path, receipt: Receipt) -> Path:
    """Writes a receipt below a root folder; the file changes only where what was seen did."""
    path = root / FOLDER / f"{receipt.source}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = written(receipt)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8", newline="\n")
    return path


def read_receipts(root: Path) -> dict[str, Receipt]:
    """The receipts below a root folder by source key; a broken one says so in `fault`."""
    return {path.stem: _read(path) for path in sorted((root / FOLDER).glob("*.json"))}


def _read(path: Path) -> Receipt:
    try:
        content = json.loads(path.read_bytes())
        receipt = Receipt(
            source=content["source"],
            sha256=content["sha256"],
            media=content["media"],
            provenance=content["provenance"],
            text=content["text"],
            pages=content["pages"],
            whole=content["whole"] == "yes",
            evidence=content["evidence"],
            expressions=content["expressions"],
            searches=content["searches"],
            seal=content["seal"],
        )
        for entries in (receipt.evidence, receipt.expressions, receipt.searches):
            for seen in entries.values():
                seen.keys()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        fault = f"is no receipt: {_fault(error)}"
        return Receipt(path.stem, "", "", "", 0, 0, False, fault=fault)
    if receipt.source != path.stem:
        return Receipt(path.stem, "", "", "", 0, 0, False, fault=f"is that of {receipt.source}")
    return receipt


def _fault(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"it has no field {error}"
    if isinstance(error, json.JSONDecodeError):
        return f"it is no JSON from line {error.lineno}, column {error.colno}"
    is_json = isinstance(error, TypeError | AttributeError)
    return "its fields are not those of a receipt" if is_json else "it is no JSON"


def faults_of(receipt: Receipt, root: Path, matrix: Matrix) -> Iterator[tuple[str, str]]:
    """What does not fit in a receipt: (what is wrong, what to do)."""
    again = f"run `evidence-matrix verify --source {receipt.source}`"
    if receipt.fault:
        yield f"the receipt {receipt.fault}", f"delete it and {again}"
        return
    source = matrix.sources.get(receipt.source)
    if source is None:
        if matrix.is_unread(receipt.source):
            return
        yield "the receipt is of a source that no bibliography has", "delete the receipt"
        return
    pinned = source.record.sha256
    if pinned and pinned != receipt.sha256 and not _has_other_bytes(receipt):
        yield f"the receipt is of bytes {receipt.sha256[:12]}…, pinned is {pinned[:12]}…", again
    if receipt.text != TEXT_VERSION:
        yield f"the receipt is of text version {receipt.text}, now it is {TEXT_VERSION}", again
    if receipt.whole and source.record.whole == "no":
        yield "the receipt says that the text is whole, the bibliography that it is not", again
    path = root / FOLDER / f"{receipt.source}.json"
    if path.read_text(encoding="utf-8") != written(sealed(receipt)):
        yield "the receipt was edited: a seal or the form does not fit", f"delete it and {again}"


def _has_other_bytes(receipt: Receipt) -> bool:
    """Whether it was seen that the bytes are not the pinned ones: then nothing is matched."""
    seen = [*receipt.evidence.values(), *receipt.expressions.values()]
    return bool(seen) and all(entry.get("state") != State.MATCHED for entry in seen)


def entry_for(piece: Evidence, value: str | None, receipt: Receipt | None) -> Seen | None:
    """What a receipt says of a piece of evidence, or None where it says nothing that fits."""
    if receipt is None or receipt.fault or receipt.text != TEXT_VERSION:
        return None
    entries = receipt.expressions if isinstance(piece, Artifact) else receipt.evidence
    digest = digest_of(piece, value, receipt.sha256)
    seen = entries.get(digest)
    if seen is None or seen.get("seal") != seal_of(digest, seen, receipt):
        return None
    return seen


def state_of(piece: Evidence, claim: Claim, matrix: Matrix) -> State:
    """How far a piece of evidence of a claim was checked against bytes.

    Matched only where a receipt of the pinned bytes has the very words at the very place. With a
    base revision, what the base has not is pending.
    """
    key = piece.read_in
    source = matrix.sources.get(key)
    if source is None:
        return State.NOT_REACHED
    receipt = matrix.receipts.get(key)
    seen = None if receipt is None else entry_for(piece, claim.value, receipt)
    state = state_from(seen, piece, source, receipt)
    if matrix.base is not None and seen is not None and state not in _UNSEEN:
        before = entry_for(piece, claim.value, matrix.base.receipts.get(key))
        if before != seen:
            return State.PENDING
    return state


def state_from(
    seen: Seen | None, piece: Evidence, source: Source, receipt: Receipt | None
) -> State:
    """The state that an entry of a receipt gives; None is an entry that is not there."""
    if seen is None or receipt is None:
        return State.NOT_REACHED if source.is_pinned else State.UNPINNED
    state = State(seen["state"]) if seen.get("state") in _STATES else State.NOT_REACHED
    if not state.is_checked:
        return state
    pinned = source.record.sha256
    if pinned and pinned != receipt.sha256 and state is not State.OTHER_BYTES:
        return State.NOT_REACHED
    if piece.via or not receipt.is_bytes or source.record.kind == "transcription":
        return State.SECONDHAND
    return state if source.is_pinned else State.UNPINNED


_UNSEEN = (State.NOT_REACHED, State.FAILED)
_STATES = frozenset(state.value for state in State)


def hits_of(source: str, term: str, matrix: Matrix) -> Mapping[str, int] | None:
    """The hits of a term by page or line of a source, or None where it was not searched."""
    receipt = matrix.receipts.get(source)
    record = matrix.sources.get(source)
    if receipt is None or record is None or receipt.fault or receipt.text != TEXT_VERSION:
        return None
    if record.record.sha256 not in (None, receipt.sha256):
        return None
    return receipt.searches.get(term)


def is_whole(source: str, matrix: Matrix) -> bool:
    """Whether the text that was searched is the whole document, its hash the pinned one."""
    receipt = matrix.receipts.get(source)
    record = matrix.sources.get(source)
    if receipt is None or record is None or receipt.fault or not receipt.is_bytes:
        return False
    pinned = record.record.sha256
    return receipt.whole and record.record.whole == "yes" and pinned == receipt.sha256
