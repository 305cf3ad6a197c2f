from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from evidence_matrix.labels import State
from evidence_matrix.matrix import Matrix, Source
from evidence_matrix.receipts import state_of
from evidence_matrix.store import load
from evidence_matrix.verification.extraction import Reader
from evidence_matrix.verification.fetching import Fetched, Fetcher, FetchError
from evidence_matrix.verification.mirror import Absent, Held
from evidence_matrix.verification.network import Network, addresses_of
from evidence_matrix.verify import verify
from tests.bytes_at_hand import CARD, CONFIG, REPORT, lay_records
from tests.tls_server import HOST, Server, redirecting, sending, serving

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def card(tmp_path: Path) -> Source:
    return load(lay_records(tmp_path / "root"), date(2026, 7, 20)).matrix.sources["egret-2-card"]


def like(source: Source, **changes: object) -> Source:
    return replace(source, record=source.record.model_copy(update=changes))


@pytest.mark.parametrize(
    ("url", "version", "fetched"),
    [
        (
            f"https://github.com/acme/egret/blob/{COMMIT}/docs/a b.md",
            COMMIT,
            f"https://raw.githubusercontent.com/acme/egret/{COMMIT}/docs/a b.md",
        ),
        (
            f"https://huggingface.co/acme/egret/blob/{COMMIT}/config.json",
            COMMIT,
            f"https://huggingface.co/acme/egret/resolve/{COMMIT}/config.json",
        ),
        ("https://arxiv.org/abs/2401.01234v2", "v2", "https://arxiv.org/pdf/2401.01234v2"),
        ("https://arxiv.org/abs/2401.01234", "v3", "https://arxiv.org/pdf/2401.01234v3"),
        ("https://arxiv.org/pdf/2401.01234.pdf", None, "https://arxiv.org/pdf/2401.01234"),
        ("https://papers.example.org/a.pdf", None, "https://papers.example.org/a.pdf"),
    ],
)
def test_a_page_about_a_file_becomes_the_file(
    card: Source, url: str, version: str | None, fetched: str
) -> None:
    source = like(card, url=url, version=version)
    assert list(addresses_of(source)) == [(fetched, "official bytes")]


def test_a_copy_comes_after_the_official_address(card: Source) -> None:
    source = like(card, copy_of_bytes=f"mirror/papers@{COMMIT}:2025/egret 2.md")
    assert list(addresses_of(source)) == [
        ("https://papers.example.org/egret-2-card", "official bytes"),
        (
            f"https://raw.githubusercontent.com/mirror/papers/{COMMIT}/2025/egret%202.md",
            "byte copy",
        ),
    ]
    written_down = like(source, kind="transcription")
    assert [kind for _, kind in addresses_of(written_down)] == ["transcription"] * 2


@pytest.mark.parametrize(
    "copy", ["mirror/papers@main:a.md", f"mirror/papers@{COMMIT}:../../a.md", "a.md"]
)
def test_a_copy_without_a_commit_or_with_a_crooked_path_is_no_address(
    card: Source, copy: str
) -> None:
    assert list(addresses_of(like(card, url="http://example.org", copy_of_bytes=copy))) == []


class Canned(Fetcher):
    def fetch(self, url: str) -> Fetched:
        if "raw.githubusercontent.com" in url:
            return Fetched(CARD, "text/plain", url)
        if "gone" in url:
            raise FetchError("answered 404 Not Found")
        return Fetched(b"something else", "text/html", url)


def test_the_address_that_gives_the_pinned_bytes_is_taken(card: Source) -> None:
    source = like(card, copy_of_bytes=f"mirror/papers@{COMMIT}:README.md")
    assert Network(Canned()).get(source) == Held(CARD, None, "README.md", "byte copy")
    gone = like(source, url="https://papers.example.org/gone")
    assert Network(Canned()).get(gone) == Held(CARD, None, "README.md", "byte copy")


def test_other_bytes_are_those_of_the_official_address(card: Source) -> None:
    source = like(card, sha256="0" * 64, copy_of_bytes=f"mirror/papers@{COMMIT}:README.md")
    held = Network(Canned()).get(source)
    assert held == Held(b"something else", "text/html", "egret-2-card", "official bytes")


def test_why_nothing_was_fetched_is_told(card: Source) -> None:
    gone = Network(Canned()).get(like(card, url="https://papers.example.org/gone"))
    assert gone == Absent("papers.example.org: answered 404 Not Found")
    assert Network(Canned()).get(like(card, url=None)) == Absent("no https address is known")


def test_without_a_mirror_bytes_are_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Down(Fetcher):
        def fetch(self, url: str) -> Fetched:
            raise FetchError("is down")

    monkeypatch.setattr("evidence_matrix.verification.network.Fetcher", Down)
    matrix = load(lay_records(tmp_path), date(2026, 7, 20)).matrix
    assert set(verify(matrix).absent.values()) == {f"{HOST}: is down"}


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(HOST) as running:
        running.answers["/heron-1-report"] = sending(REPORT, ("Content-Type", "application/pdf"))
        running.answers["/heron-1-config"] = sending(CONFIG, ("Content-Type", "application/json"))
        running.answers["/heron-1-post"] = sending(b"<p>activated", ("Content-Type", "text/html"))
        running.answers["/egret-2-card"] = sending(CARD, ("Content-Type", "text/markdown"))
        yield running


def on(server: Server, root: Path) -> Matrix:
    """The matrix with every address on the server."""
    for path in (root / "sources").glob("*.bib"):
        text = path.read_text().replace(f"https://{HOST}/", server.url("/"))
        path.write_text(text)
    return load(root, date(2026, 7, 20)).matrix


def states(root: Path, claim_id: str) -> list[State]:
    matrix = load(root, date(2026, 7, 20)).matrix
    claim = matrix.claims[claim_id]
    return [state_of(piece, claim, matrix) for piece in claim.evidence]


def test_claims_are_verified_over_https(server: Server, tmp_path: Path) -> None:
    root = lay_records(tmp_path)
    found = verify(on(server, root), place=Network(server.fetcher()))
    assert found.findings == ()
    assert (found.read, found.states[State.MATCHED], found.absent) == (4, 9, {})
    assert states(root, "egret-2/lineage.base") == [State.MATCHED]


def test_other_bytes_with_the_same_words_are_matched_as_such(
    server: Server, tmp_path: Path
) -> None:
    root = lay_records(tmp_path)
    changed = CARD + b"One line more.\n"
    server.answers["/egret-2-card"] = sending(changed, ("Content-Type", "text/markdown"))
    verify(on(server, root), place=Network(server.fetcher()))
    assert states(root, "egret-2/lineage.base") == [State.OTHER_BYTES]


def test_other_bytes_without_the_words_fail(server: Server, tmp_path: Path) -> None:
    root = lay_records(tmp_path)
    moved = b"# Egret 3\n\nMoved.\n"
    server.answers["/egret-2-card"] = sending(moved, ("Content-Type", "text/markdown"))
    found = verify(on(server, root), place=Network(server.fetcher()))
    assert states(root, "egret-2/lineage.base") == [State.FAILED]
    assert found.failed


def test_what_cannot_be_fetched_is_not_reached_and_keeps_its_match(
    server: Server, tmp_path: Path
) -> None:
    root = lay_records(tmp_path)
    matrix = on(server, root)
    verify(matrix, place=Network(server.fetcher()))
    server.answers["/egret-2-card"] = redirecting("https://user@example.org/")
    again = load(root, date(2026, 7, 20)).matrix
    found = verify(again, place=Network(server.fetcher()), again=True)
    assert found.absent == {"egret-2-card": f"{HOST}: the address holds a user name"}
    assert states(root, "egret-2/lineage.base") == [State.MATCHED]


@pytest.mark.parametrize("path", ["/heron-1-report", "/heron-1-post"])
def test_a_document_that_hangs_its_reader_is_stopped(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    def reader() -> Reader:
        hangs = (sys.executable, "-c", "import time; time.sleep(60)")
        return Reader(seconds=0.3, command=hangs)

    monkeypatch.setattr("evidence_matrix.verification.library.Reader", reader)
    key = path.strip("/")
    found = verify(on(server, lay_records(tmp_path)), source=key, place=Network(server.fetcher()))
    assert "EM312" in {finding.code for finding in found.findings}
    assert "took longer than 0.3 s to read and was stopped" in found.findings[0].message
