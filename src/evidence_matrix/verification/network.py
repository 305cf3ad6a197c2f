"""The network as a place for bytes: the addresses of a source, and what is had at each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from urllib.parse import quote, urlsplit

from evidence_matrix.matrix import Source
from evidence_matrix.receipts import COPY, OFFICIAL, TRANSCRIPTION
from evidence_matrix.verification.fetching import Fetcher, FetchError
from evidence_matrix.verification.mirror import Absent, Held

_COPY = re.compile(r"(?P<repo>[\w.-]+/[\w.-]+)@(?P<commit>[0-9a-f]{40}):(?P<path>.+)")
_BLOB = re.compile(r"/(?P<repo>[^/]+/[^/]+)/blob/(?P<commit>[^/]+)/(?P<path>.+)")
_PAPER = re.compile(r"/(?:abs|pdf)/(?P<id>[0-9]{4}\.[0-9]{4,5})(?:v(?P<version>[0-9]+))?(?:\.pdf)?")
_VAGUE = ("application/octet-stream", "binary/octet-stream", "text/plain")


class Network:
    """Bytes of sources over HTTPS: from the official address, else from where a copy is kept."""

    def __init__(self, fetcher: Fetcher | None = None) -> None:
        self._fetcher = fetcher or Fetcher()

    def get(self, source: Source) -> Held | Absent:
        """The bytes of a source; those with the pinned hash where any address gives them."""
        first: Held | None = None
        reasons = []
        for url, provenance in addresses_of(source):
            try:
                got = self._fetcher.fetch(url)
            except FetchError as error:
                reasons.append(f"{urlsplit(url).hostname}: {error}")
                continue
            media = None if got.media in _VAGUE else got.media
            name = PurePosixPath(urlsplit(got.url).path).name
            held = Held(got.data, media, name, provenance)
            if source.record.sha256 in (None, held.sha256):
                return held
            first = first or held
        if first is not None:
            return first
        return Absent("; ".join(reasons) or "no https address is known")


def addresses_of(source: Source) -> Iterator[tuple[str, str]]:
    """Where the file of a source can be fetched, and what it is there, the official one first.

    A page that shows a file of a repository, or the abstract of a paper, becomes the file itself.
    """
    record = source.record
    official = TRANSCRIPTION if record.kind == "transcription" else OFFICIAL
    seen = set()
    if record.url and record.url.startswith("https://"):
        url = _file_address(record.url, record.version)
        seen.add(url)
        yield url, official
    copied = _COPY.fullmatch(record.copy_of_bytes or "")
    if copied and ".." not in copied["path"].split("/"):
        url = _raw(copied["repo"], copied["commit"], copied["path"])
        if url not in seen:
            yield url, TRANSCRIPTION if official == TRANSCRIPTION else COPY


def _raw(repo: str, commit: str, path: str) -> str:
    return f"https://raw.githubusercontent.com/{repo}/{commit}/{quote(path)}"


def _file_address(url: str, version: str | None) -> str:
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.")
    blob = _BLOB.fullmatch(parts.path)
    if host == "github.com" and blob:
        return f"https://raw.githubusercontent.com/{blob['repo']}/{blob['commit']}/{blob['path']}"
    if host == "huggingface.co" and blob:
        return f"https://huggingface.co/{blob['repo']}/resolve/{blob['commit']}/{blob['path']}"
    paper = _PAPER.fullmatch(parts.path)
    if host == "arxiv.org" and paper:
        number = paper["version"] or (version or "").removeprefix("v")
        return f"https://arxiv.org/pdf/{paper['id']}" + (f"v{number}" if number else "")
    return url
