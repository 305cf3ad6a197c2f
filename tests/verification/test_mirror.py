from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from evidence_matrix.matrix import Source
from evidence_matrix.store import load
from evidence_matrix.verification import mirror
from evidence_matrix.verification.mirror import Absent, Held, Mirror, MirrorError
from tests.bytes_at_hand import CARD, lay_mirror, lay_records, other


@pytest.fixture
def card(tmp_path: Path) -> Source:
    return load(lay_records(tmp_path / "root"), date(2026, 7, 20)).matrix.sources["egret-2-card"]


def reindexed(folder: Path, **changes: object) -> Mirror:
    """The mirror with changed fields of the card's line in its index."""
    entries = [json.loads(line) for line in (folder / "index.jsonl").read_text().splitlines()]
    lines = [
        json.dumps({**entry, **(changes if entry["key"] == "egret-2-card" else {})})
        for entry in entries
    ]
    (folder / "index.jsonl").write_text("\n".join(lines))
    return Mirror.open(folder)


def reason(got: Held | Absent) -> str:
    assert isinstance(got, Absent)
    return got.reason


def test_a_mirror_gives_bytes_with_what_they_are(tmp_path: Path, card: Source) -> None:
    held = Mirror.open(lay_mirror(tmp_path / "mirror")).get(card)
    assert held == Held(CARD, "text/markdown", "README.md", "official bytes")


@pytest.mark.parametrize(
    ("said", "reachable", "provenance"),
    [
        ("official bytes", "bytes", "official bytes"),
        ("byte copy in a third-party repository", "bytes", "byte copy"),
        ("third-party transcription", "bytes", "transcription"),
        ("third-party transcription", "excerpt", "excerpt"),
        ("excerpt", "excerpt", "excerpt"),
    ],
)
def test_provenance_is_one_of_four(
    tmp_path: Path, card: Source, said: str, reachable: str, provenance: str
) -> None:
    files = other("egret-2-card", provenance=said, reachable=reachable)
    held = Mirror.open(lay_mirror(tmp_path / "mirror", files)).get(card)
    assert isinstance(held, Held)
    assert held.provenance == provenance


def test_a_file_that_is_not_the_one_its_index_names_is_not_read(
    tmp_path: Path, card: Source
) -> None:
    lay_mirror(tmp_path / "mirror")
    changed = reindexed(tmp_path / "mirror", sha256="0" * 64)
    assert "is not the one that its index names" in reason(changed.get(card))


@pytest.mark.parametrize("file", ["\0", "a" * 5000, "a/" * 3000, ["a"], {"b": 1}, "\udcff"])
def test_a_file_of_an_odd_name_is_absent(tmp_path: Path, card: Source, file: object) -> None:
    lay_mirror(tmp_path / "mirror")
    said = reason(reindexed(tmp_path / "mirror", file=file).get(card))
    assert said.startswith("the mirror's file ")
    assert len(said) < 300


@pytest.mark.parametrize("file", ["../secret.md", "/etc/passwd", "egret-2-card/../../secret.md"])
def test_no_path_leaves_the_mirror(tmp_path: Path, card: Source, file: str) -> None:
    (tmp_path / "secret.md").write_text("secret")
    lay_mirror(tmp_path / "mirror")
    assert "outside of it" in reason(reindexed(tmp_path / "mirror", file=file).get(card))


def test_no_link_leaves_the_mirror(tmp_path: Path, card: Source) -> None:
    (tmp_path / "secret.md").write_bytes(CARD)
    folder = lay_mirror(tmp_path / "mirror")
    (folder / "egret-2-card" / "README.md").unlink()
    (folder / "egret-2-card" / "README.md").symlink_to(tmp_path / "secret.md")
    assert "outside of it" in reason(Mirror.open(folder).get(card))


def test_what_is_not_there_says_why(
    tmp_path: Path, card: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = lay_mirror(tmp_path / "mirror")
    assert "no bytes" in reason(reindexed(folder, file=None).get(card))
    gone = reindexed(folder, file="egret-2-card/gone.md").get(card)
    assert reason(gone) == "the mirror's file egret-2-card/gone.md is not there"
    monkeypatch.setattr(mirror, "MOST_BYTES", 10)
    large = reindexed(folder, file="egret-2-card/README.md").get(card)
    assert reason(large).endswith("has more than 10 bytes")


@pytest.mark.parametrize("data", [b"\xff\xfe", '{"key": "ä"}'.encode("latin-1")])
def test_an_index_that_is_not_utf8_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "index.jsonl").write_bytes(data)
    with pytest.raises(MirrorError, match=r"index\.jsonl is not UTF-8 at byte [0-9]+"):
        Mirror.open(tmp_path)


@pytest.mark.parametrize("line", ["not json", "[]", "{}", '"text"'])
def test_a_broken_index_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "index.jsonl").write_text(f'{{"key": "a"}}\n{line}\n')
    with pytest.raises(MirrorError, match=r"index\.jsonl:2: is no JSON object"):
        Mirror.open(tmp_path)
