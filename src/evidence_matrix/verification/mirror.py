"""A mirror: a folder of sources' bytes with an index that says what each file is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from evidence_matrix.findings import shown
from evidence_matrix.matrix import Source
from evidence_matrix.receipts import COPY, EXCERPT, OFFICIAL, TRANSCRIPTION

INDEX = "index.jsonl"
MOST_BYTES = 256 * 1024 * 1024

_PROVENANCES = {
    "official bytes": OFFICIAL,
    "byte copy in a third-party repository": COPY,
    "third-party transcription": TRANSCRIPTION,
    "excerpt": EXCERPT,
}


@dataclass(frozen=True)
class Held:
    """Bytes of a source, what they are and where they came from.

    Attributes:
        name: name of the file, whose suffix helps to tell its media type.
        provenance: official bytes, byte copy, transcription or excerpt.
    """

    data: bytes
    media: str | None
    name: str
    provenance: str

    @cached_property
    def sha256(self) -> str:
        """Hash of the bytes, 64 hex digits."""
        return sha256(self.data).hexdigest()


@dataclass(frozen=True, slots=True)
class Absent:
    """Why there are no bytes of a source."""

    reason: str


class Place(Protocol):
    """Where bytes of sources can be had."""

    def get(self, source: Source) -> Held | Absent:
        """The bytes of a source, or why there are none."""


class MirrorError(Exception):
    """A folder that is no mirror; says why."""


@dataclass(frozen=True, slots=True)
class Mirror:
    """A folder of bytes, and by key what its index says of each."""

    folder: Path
    entries: Mapping[str, Mapping[str, Any]]

    @classmethod
    def open(cls, folder: Path) -> Mirror:
        """The mirror in a folder.

        Raises:
            MirrorError: there is no index, or a line of it is no JSON object with a key.
        """
        index = folder / INDEX
        if not index.is_file():
            raise MirrorError(f"{folder} has no {INDEX}, so it is no mirror")
        try:
            lines = index.read_text(encoding="utf-8").split("\n")
        except UnicodeDecodeError as error:
            raise MirrorError(f"{index} is not UTF-8 at byte {error.start}") from None
        entries = {}
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                entry = json.loads(line)
                entries[str(entry["key"])] = entry
            except (ValueError, KeyError, TypeError):
                raise MirrorError(
                    f"{index}:{number}: is no JSON object with the field key"
                ) from None
        return cls(folder, entries)

    def get(self, source: Source) -> Held | Absent:
        """The bytes that the mirror holds of a source, compared with the index's own hash."""
        entry = self.entries.get(source.key)
        if entry is None:
            return Absent("the mirror does not have it")
        file, provenance = entry.get("file"), _PROVENANCES.get(str(entry.get("provenance")))
        if not file or provenance is None:
            return Absent("the mirror has its address and no bytes")
        try:
            return self._held(entry, str(file), provenance)
        except (OSError, ValueError) as error:
            said = getattr(error, "strerror", None) or str(error)
            return Absent(f"the mirror's file {shown(str(file))} cannot be read: {said}")

    def _held(self, entry: Mapping[str, Any], file: str, provenance: str) -> Held | Absent:
        path = (self.folder / file).resolve()
        if not path.is_relative_to(self.folder.resolve()):
            return Absent(f"the mirror names a file outside of it: {shown(file)}")
        if not path.is_file():
            return Absent(f"the mirror's file {shown(file)} is not there")
        if path.stat().st_size > MOST_BYTES:
            return Absent(f"the mirror's file {file} has more than {MOST_BYTES:,} bytes")
        if entry.get("reachable") == "excerpt":
            provenance = EXCERPT
        media = entry.get("media_type")
        held = Held(path.read_bytes(), str(media) if media else None, path.name, provenance)
        if held.sha256 != entry.get("sha256"):
            return Absent(f"the mirror's file {file} is not the one that its index names")
        return held
