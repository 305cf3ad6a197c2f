from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from evidence_matrix.evidence import Artifact, Fragment
from evidence_matrix.matrix import Claim, Matrix, Source
from evidence_matrix.store import load
from evidence_matrix.verification.library import Library
from evidence_matrix.verification.mirror import Held
from evidence_matrix.verification.sighting import Piece, Seen, media_of, see
from tests.bytes_at_hand import CARD, CONFIG, FILES, hash_of, lay_records
from tests.verification.test_packages import WHEEL, WHEEL_NAME


@pytest.fixture
def matrix(tmp_path: Path) -> Matrix:
    return load(lay_records(tmp_path / "root"), date(2026, 7, 20)).matrix


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library(tmp_path / "cache") as shelf:
        yield shelf


def like(source: Source, **changes: object) -> Source:
    return replace(source, record=source.record.model_copy(update=changes))


def seen(matrix: Matrix, library: Library, held: Held, piece: Piece, **changes: object) -> Seen:
    """What bytes held as the card's say to one piece of a claim of the value 61."""
    source = like(matrix.sources["egret-2-card"], sha256=hash_of(held.data), **changes)
    claim: Claim = matrix.claims["heron-1/experts.routed"]
    claim = replace(claim, record=claim.record.model_copy(update={"value": "61"}), parsed=None)
    return see(source, held, [(piece, claim)], ["layers"], library)


CARD_HELD = Held(CARD, "text/markdown", "README.md", "official bytes")
WHEEL_HELD = Held(WHEEL, "application/zip", WHEEL_NAME, "official bytes")


def artifact(read: str, path: str | None = None) -> Artifact:
    return Artifact(source="egret-2-card", read=read, path=path)


def test_an_entry_has_the_line_of_a_text(matrix: Matrix, library: Library) -> None:
    piece = Fragment(source="egret-2-card", at="line 4", quote="starts from heron-1")
    found = seen(matrix, library, CARD_HELD, piece)
    (entry,) = found.receipt.evidence.values()
    assert (entry["state"], entry["line"]) == ("matched", 4)
    assert found.receipt.searches == {"layers": {}}


def test_a_class_default_of_a_package_says_so(matrix: Matrix, library: Library) -> None:
    piece = artifact("Config.layers", "heron_kit/config.py")
    found = seen(matrix, library, WHEEL_HELD, piece, kind="package")
    (entry,) = found.receipt.expressions.values()
    assert (entry["state"], entry["value"], entry["kind"]) == ("matched", "61", "class default")
    assert found.receipt.pages == 0


@pytest.mark.parametrize(
    ("piece", "why"),
    [
        (artifact("Config.layers"), "a package holds many files"),
        (artifact("Config.layer", "heron_kit/config.py"), "the file sets no `Config.layer`"),
        (artifact("Config.layers", "heron_kit/gone.py"), "the package has no file"),
        (artifact("Config.layers", "../config.py"), "`../config.py` is no path inside a package"),
        (Fragment(source="egret-2-card", at="line 1", quote="a"), "a package holds many files"),
    ],
)
def test_what_a_package_does_not_give_says_why(
    matrix: Matrix, library: Library, piece: Piece, why: str
) -> None:
    (sighting,) = seen(matrix, library, WHEEL_HELD, piece, kind="package").sightings
    assert sighting.entry["state"] == "failed"
    assert sighting.entry["why"].startswith(why)
    assert sighting.hint


def test_a_path_in_what_is_no_package_is_refused(matrix: Matrix, library: Library) -> None:
    held = Held(CONFIG, "application/json", "config.json", "official bytes")
    (sighting,) = seen(matrix, library, held, artifact("$.a", "config.json")).sightings
    assert sighting.entry["why"] == "only a package has files with a path"


def test_another_value_fails_with_the_value_that_the_file_gives(
    matrix: Matrix, library: Library
) -> None:
    held = Held(CONFIG, "application/json", "config.json", "official bytes")
    (sighting,) = seen(matrix, library, held, artifact("$.n_routed_experts")).sightings
    assert sighting.entry["state"] == "failed"
    assert sighting.entry["why"] == "`$.n_routed_experts` gives 64, the claim says 61"
    assert sighting.hint == "write value: 64"


@pytest.mark.parametrize("provenance", ["transcription", "excerpt"])
def test_pages_of_the_original_are_not_asked_of_a_transcription_by_line(
    matrix: Matrix, library: Library, provenance: str
) -> None:
    piece = Fragment(source="egret-2-card", at="p. 12", quote="starts from heron-1")
    held = replace(CARD_HELD, provenance=provenance)
    assert seen(matrix, library, held, piece).sightings[0].entry["line"] == 4
    assert seen(matrix, library, CARD_HELD, piece).sightings[0].entry["state"] == "failed"


@pytest.mark.parametrize(
    ("provenance", "said", "whole"),
    [
        ("official bytes", "yes", True),
        ("official bytes", "no", False),
        ("transcription", "yes", True),
        ("excerpt", "yes", False),
    ],
)
def test_an_excerpt_is_never_the_whole_text(
    matrix: Matrix, library: Library, provenance: str, said: str, whole: bool
) -> None:
    piece = Fragment(source="egret-2-card", at="line 4", quote="starts from heron-1")
    held = replace(CARD_HELD, provenance=provenance)
    assert seen(matrix, library, held, piece, whole=said).receipt.whole is whole


@pytest.mark.parametrize(
    ("given", "held", "name", "url", "media"),
    [
        ("text/markdown", None, "a", None, "text/markdown"),
        (None, "application/json", "a", None, "application/json"),
        (None, None, "config.yaml", None, "application/yaml"),
        ("text/plain", None, "model.py", None, "text/x-python"),
        ("text/plain", None, "page.html", None, "text/plain"),
        (None, None, "blob", "https://example.org/a/report.pdf?download=1", "application/pdf"),
        (None, None, "blob", "https://example.org/a", "text/plain"),
    ],
)
def test_the_media_type_is_the_one_given_or_that_of_the_suffix(
    matrix: Matrix, given: str | None, held: str | None, name: str, url: str | None, media: str
) -> None:
    source = like(matrix.sources["egret-2-card"], media=given, url=url)
    assert media_of(source, Held(b"", held, name, "official bytes")) == media


def test_the_pages_of_a_pdf_are_counted(matrix: Matrix, library: Library) -> None:
    file = FILES["heron-1-report"]
    held = Held(file.data, file.media, file.name, "official bytes")
    piece = Fragment(source="egret-2-card", at="p. 7", quote="Egret 2 with 14.8B")
    receipt = seen(matrix, library, held, piece).receipt
    assert (receipt.pages, receipt.media) == (7, "application/pdf")
