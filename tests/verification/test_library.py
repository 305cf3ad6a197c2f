from __future__ import annotations

from pathlib import Path

import pytest

from evidence_matrix.verification import library
from evidence_matrix.verification.documents import Hit
from evidence_matrix.verification.extraction import HTML, ExtractionError, Reader
from evidence_matrix.verification.library import Library, hash_of_text
from tests.bytes_at_hand import CARD, REPORT, hash_of


class CountingReader(Reader):
    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def read(self, data: bytes, media: str) -> list[str]:
        self.count += 1
        return super().read(data, media)


@pytest.mark.parametrize(
    ("data", "media"), [(REPORT, "application/pdf"), (CARD, "text/markdown"), (b"<p>a", HTML)]
)
def test_a_document_is_extracted_once_and_comes_back_the_same(
    tmp_path: Path, data: bytes, media: str
) -> None:
    reader = CountingReader()
    with Library(tmp_path, reader) as shelf:
        first = shelf.read(data, media, hash_of(data))
        again = shelf.read(data, media, hash_of(data))
    assert reader.count == 1
    assert again == first


def test_the_same_bytes_of_another_media_type_are_another_document(tmp_path: Path) -> None:
    with Library(tmp_path) as shelf:
        assert shelf.read(CARD, "text/markdown", hash_of(CARD)).markup is not None
        assert shelf.read(CARD, "text/plain", hash_of(CARD)).markup is None


def test_text_of_another_version_is_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Library(tmp_path) as shelf:
        shelf.read(CARD, "text/markdown", hash_of(CARD))
        monkeypatch.setattr(library, "TEXT_VERSION", 99)
        assert shelf.kept(hash_of(CARD), "text/markdown") is None


@pytest.mark.parametrize("content", ["", "{}", '{"text": [1, 2, 3], "markup": null}', "[]"])
def test_broken_kept_text_is_read_anew(tmp_path: Path, content: str) -> None:
    with Library(tmp_path) as shelf:
        shelf.read(CARD, "text/markdown", hash_of(CARD))
        (kept,) = (tmp_path / "text").iterdir()
        kept.write_text(content)
        document = shelf.read(CARD, "text/markdown", hash_of(CARD))
    assert isinstance(document.find("starts from heron-1", "line 4"), Hit)


def test_bytes_that_cannot_be_read_are_not_kept(tmp_path: Path) -> None:
    with Library(tmp_path) as shelf, pytest.raises(ExtractionError):
        shelf.read(b"nothing", "application/pdf", hash_of(b"nothing"))
    assert not (tmp_path / "text").exists()


def test_the_hash_of_a_text_is_that_of_what_is_read(tmp_path: Path) -> None:
    with Library(tmp_path) as shelf:
        one, two, three = (
            shelf.read(data, HTML, hash_of(data))
            for data in (b"<p>same words", b"<div>same\n words</div><!-- x -->", b"<p>other words")
        )
    assert hash_of_text(one) == hash_of_text(two) != hash_of_text(three)
