"""A library: the documents of a run, each read once and its text kept by the hash of its bytes."""

from __future__ import annotations

import json
import os
import re
import tempfile
from hashlib import sha256
from pathlib import Path
from types import TracebackType

from evidence_matrix.receipts import TEXT_VERSION
from evidence_matrix.text import Folded
from evidence_matrix.verification.documents import Document, document_of
from evidence_matrix.verification.extraction import Reader

CACHE = Path(".cache", "evidence-matrix")


class Library:
    """Documents by the hash of their bytes: kept text first, else read in a child process."""

    def __init__(self, folder: Path, reader: Reader | None = None) -> None:
        self._folder = folder / "text"
        self._reader = reader or Reader()

    def __enter__(self) -> Library:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._reader.close()

    def read(self, data: bytes, media: str, hash_of_bytes: str) -> Document:
        """The document of bytes.

        Raises:
            ExtractionError: the bytes are not what their media type says.
        """
        kept = self.kept(hash_of_bytes, media)
        if kept is not None:
            return kept
        document = document_of(self._reader.read(data, media), media)
        self._keep(document, hash_of_bytes)
        return document

    def kept(self, hash_of_bytes: str, media: str) -> Document | None:
        """The document of bytes that were read before, or None."""
        try:
            content = json.loads(self._path(hash_of_bytes, media).read_bytes())
            text, markup = _folded(content["text"]), content["markup"]
            return Document(media, text, _folded(markup) if markup else None)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _path(self, hash_of_bytes: str, media: str) -> Path:
        kind = re.sub(r"[^a-z0-9]+", "-", media.lower())
        return self._folder / f"{hash_of_bytes}-{TEXT_VERSION}-{kind}.json"

    def _keep(self, document: Document, hash_of_bytes: str) -> None:
        path = self._path(hash_of_bytes, document.media)
        path.parent.mkdir(parents=True, exist_ok=True)
        markup = document.markup
        content = {
            "markup": _parts(markup) if markup else None,
            "text": _parts(document.folded),
        }
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(content, file)
        os.replace(name, path)


def _parts(folded: Folded) -> list[object]:
    return [folded.text, folded.lines, folded.pages]


def _folded(parts: list[object]) -> Folded:
    text, lines, pages = parts
    if not (isinstance(text, str) and isinstance(lines, list) and isinstance(pages, list)):
        raise TypeError(parts)
    return Folded(text, tuple(lines), tuple(pages))


def hash_of_text(document: Document) -> str:
    """Hash of the folded text: what pins a page whose bytes change with every visit."""
    return sha256(document.folded.text.encode("utf-8", "surrogatepass")).hexdigest()
