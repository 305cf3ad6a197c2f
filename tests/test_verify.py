from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from evidence_matrix.findings import Severity
from evidence_matrix.labels import State
from evidence_matrix.matrix import Matrix, Source
from evidence_matrix.receipts import FOLDER, state_of
from evidence_matrix.store import load
from evidence_matrix.verification.mirror import Absent, Held, MirrorError
from evidence_matrix.verify import Verification, verify
from tests.bytes_at_hand import FILES, REPORT, File, hash_of, lay_mirror, lay_records, other


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return lay_records(tmp_path / "root")


def matrix_of(root: Path) -> Matrix:
    return load(root, date(2026, 7, 20)).matrix


def verified(
    root: Path, tmp_path: Path, files: Mapping[str, File] = FILES, **how: object
) -> Verification:
    mirror = tmp_path / "mirror"
    shutil.rmtree(mirror, ignore_errors=True)
    lay_mirror(mirror, files)
    return verify(matrix_of(root), mirror, **how)  # type: ignore[arg-type]


def receipts_of(root: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in (root / FOLDER).glob("*.json")}


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def states(root: Path, claim_id: str) -> list[State]:
    matrix = matrix_of(root)
    claim = matrix.claims[claim_id]
    return [state_of(piece, claim, matrix) for piece in claim.evidence]


def test_every_piece_whose_bytes_are_at_hand_is_matched(root: Path, tmp_path: Path) -> None:
    found = verified(root, tmp_path)
    assert found.findings == ()
    assert found.states[State.MATCHED] == 9
    assert found.states[State.FAILED] == 0
    assert found.read == 3
    assert states(root, "egret-2/params.total") == [State.MATCHED, State.MATCHED]
    assert states(root, "heron-1/experts.routed") == [State.MATCHED]


def test_what_the_mirror_does_not_have_is_counted_with_its_reason(
    root: Path, tmp_path: Path
) -> None:
    found = verified(root, tmp_path)
    assert found.absent == {"heron-1-post": "the mirror does not have it"}
    assert "1 not reached" in found.summary()
    assert "9 matched" in found.summary()


def test_receipts_are_the_same_bytes_when_made_again(root: Path, tmp_path: Path) -> None:
    verified(root, tmp_path)
    first = receipts_of(root)
    for path in (root / FOLDER).glob("*.json"):
        path.unlink()
    verified(root, tmp_path)
    assert receipts_of(root) == first
    verified(root, tmp_path, again=True)
    assert receipts_of(root) == first


def test_unchanged_sources_are_not_read(root: Path, tmp_path: Path) -> None:
    verified(root, tmp_path)

    class Closed:
        def __init__(self) -> None:
            self.asked: list[str] = []

        def get(self, source: Source) -> Held | Absent:
            self.asked.append(source.key)
            return Absent("closed")

    closed = Closed()
    found = verify(matrix_of(root), place=closed)
    assert found.unchanged == 3
    assert closed.asked == ["heron-1-post"]
    assert found.states[State.MATCHED] == 9


@pytest.mark.parametrize(
    ("old", "new"),
    [('"text": 1', '"text": 0'), ('"activated": {"1": 1}', '"activated": {}')],
)
def test_a_receipt_that_does_not_fit_is_made_again(tmp_path: Path, old: str, new: str) -> None:
    post = File("post.html", b"<p>activated</p>", "text/html")
    root = lay_records(tmp_path / "root")
    pin = f"version = {{v1}}, sha256 = {{{hash_of(post.data)}}}"
    edit(root / "sources/heron-lab.bib", "retrieved = {2026-07-19}", pin)
    files = {**FILES, "heron-1-post": post}
    verified(root, tmp_path, files)
    before = receipts_of(root)
    edit(root / FOLDER / "heron-1-post.json", old, new)
    verified(root, tmp_path, files)
    assert receipts_of(root) == before


def test_text_that_was_read_before_is_not_extracted_again(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verified(root, tmp_path)

    def broken(*_: object) -> list[str]:
        raise AssertionError("extracted again")

    monkeypatch.setattr("evidence_matrix.verification.extraction.Reader.read", broken)
    assert verified(root, tmp_path, again=True).states[State.MATCHED] == 9


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('quote: "96B total parameters"', 'quote: "69B total parameters"'),
        ('at: "p. 1, Abstract", quote: "96B', 'at: "p. 2, Abstract", quote: "96B'),
        ('row: "Heron-1 total parameters"', 'row: "Heron-2 total parameters"'),
        ('quote: "96B total parameters"', 'quote: "6B total parameters"'),
        ("value: 64\n", "value: 65\n"),
        ('read: "$.n_active_experts"', 'read: "$.n_activ_experts"'),
    ],
)
def test_an_edited_claim_is_unchecked_at_once_and_fails_when_looked_at(
    root: Path, tmp_path: Path, old: str, new: str
) -> None:
    verified(root, tmp_path)
    edit(root / "claims/heron-lab/heron-1.yaml", old, new)
    matrix = matrix_of(root)
    unchecked = [
        piece
        for claim in matrix.claims.values()
        for piece in claim.evidence
        if state_of(piece, claim, matrix) is State.NOT_REACHED
    ]
    assert len(unchecked) == 1
    found = verified(root, tmp_path)
    assert found.states[State.FAILED] == 1
    assert [finding.code for finding in found.findings] == ["EM212"]
    assert found.failed
    assert found.findings[0].file == "claims/heron-lab/heron-1.yaml"
    again = verified(root, tmp_path)
    assert again.findings == found.findings, "what failed is looked at until it is mended"


def test_a_miss_names_the_page_where_the_fragment_stands(root: Path, tmp_path: Path) -> None:
    edit(root / "claims/heron-lab/heron-1.yaml", "p. 4, sec. 2", "p. 5, sec. 2")
    found = verified(root, tmp_path)
    assert found.findings[0].hint == "it stands on p. 4"


def test_a_miss_names_another_source_where_the_fragment_stands(root: Path, tmp_path: Path) -> None:
    edit(root / "claims/acme/egret-2.yaml", "starts from heron-1", "with the vision encoder")
    found = verified(root, tmp_path)
    assert found.findings[0].hint.startswith("it stands in heron-1-report, p. 4; ")


def test_a_miss_shows_the_nearest_passage(root: Path, tmp_path: Path) -> None:
    edit(root / "claims/acme/egret-2.yaml", "starts from heron-1", "starts from heron-7")
    found = verified(root, tmp_path)
    assert found.findings[0].hint == "nearest is “starts from heron-1.” on line 4"


@pytest.mark.parametrize(
    ("provenance", "reachable", "state"),
    [
        ("official bytes", "bytes", State.MATCHED),
        ("byte copy in a third-party repository", "bytes", State.MATCHED),
        ("third-party transcription", "bytes", State.SECONDHAND),
        ("excerpt", "excerpt", State.SECONDHAND),
        ("third-party transcription", "excerpt", State.SECONDHAND),
        ("none", "no", State.NOT_REACHED),
        ("found on a forum", "bytes", State.NOT_REACHED),
    ],
)
def test_only_official_bytes_and_byte_copies_are_matched(
    root: Path, tmp_path: Path, provenance: str, reachable: str, state: State
) -> None:
    files = other("egret-2-card", provenance=provenance, reachable=reachable)
    verified(root, tmp_path, files)
    assert states(root, "egret-2/lineage.base") == [state]


def test_not_reached_never_overwrites_a_match(root: Path, tmp_path: Path) -> None:
    verified(root, tmp_path)
    before = receipts_of(root)
    files = {key: file for key, file in FILES.items() if key != "heron-1-report"}
    found = verified(root, tmp_path, files, again=True)
    assert receipts_of(root) == before
    assert found.states[State.MATCHED] == 9


def test_other_bytes_never_overwrite_a_match(root: Path, tmp_path: Path) -> None:
    verified(root, tmp_path)
    before = receipts_of(root)
    found = verified(root, tmp_path, other("egret-2-card", data=b"replaced"), again=True)
    assert receipts_of(root) == before
    assert {finding.code for finding in found.findings} == {"EM311", "EM212"}


def test_other_bytes_with_the_same_words_are_told_apart(root: Path, tmp_path: Path) -> None:
    changed = FILES["egret-2-card"].data + b"\nA line more.\n"
    found = verified(root, tmp_path, other("egret-2-card", data=changed))
    assert [finding.code for finding in found.findings] == ["EM311"]
    assert found.findings[0].file == "sources/acme.bib"
    assert states(root, "egret-2/lineage.base") == [State.OTHER_BYTES]


def test_other_bytes_without_the_words_fail(root: Path, tmp_path: Path) -> None:
    found = verified(root, tmp_path, other("egret-2-card", data=b"# Egret 3\n"))
    assert states(root, "egret-2/lineage.base") == [State.FAILED]
    assert found.failed


def test_a_page_is_pinned_by_its_text_whatever_its_bytes(tmp_path: Path) -> None:
    pages = {
        "heron-1-post": File("post.html", b"<p>Heron-1 is here.</p><!-- 1 -->", "text/html"),
    }
    root = lay_records(
        tmp_path / "root",
        {
            "claims/heron-lab/heron-0.yaml": "subject: {name: Heron-0, kind: model}\n"
            "claims:\n  data.sources:\n    label: D\n    value: here\n    evidence:\n"
            '      - {source: heron-1-post, at: "line 1", quote: "Heron-1 is here"}\n'
            "    public: 2025-01-30\n    checked: 2026-07-19\n",
        },
    )
    found = verified(root, tmp_path, pages)
    assert states(root, "heron-0/data.sources") == [State.UNPINNED]
    seen = matrix_of(root).receipts["heron-1-post"].sha256
    edit(root / "sources/heron-lab.bib", "retrieved = {2026-07-19}", f"sha256 = {{{seen}}}")
    changed = {"heron-1-post": replace(pages["heron-1-post"], data=b"<p>Heron-1 is  here.</p>")}
    found = verified(root, tmp_path, changed)
    assert found.findings == ()
    assert states(root, "heron-0/data.sources") == [State.MATCHED]
    moved = replace(pages["heron-1-post"], data=b"<p>Heron-1 is here. Or not.</p>")
    found = verified(root, tmp_path, {"heron-1-post": moved}, again=True)
    assert [finding.severity for finding in found.findings] == [Severity.WARNING]
    assert not found.failed


def test_terms_are_searched_and_their_hits_recorded_by_page(tmp_path: Path) -> None:
    root = lay_records(
        tmp_path / "root",
        {
            "claims/heron-lab/heron-0.yaml": "subject: {name: Heron-0, kind: model}\n"
            "claims:\n  tokens.pretrain:\n    label: U\n"
            "    looked_for: [total parameter, dropout]\n    looked_in: [heron-1-report]\n"
            "    reason: absent\n    checked: 2026-07-19\n",
        },
    )
    verified(root, tmp_path)
    searches = matrix_of(root).receipts["heron-1-report"].searches
    assert searches == {"total parameter": {"1": 1, "3": 1}, "dropout": {}}


def test_an_earlier_answer_is_verified_too(tmp_path: Path) -> None:
    files = {**FILES, "heron-1-post": File("post.html", b"<p>activated</p>", "text/html")}
    root = lay_records(tmp_path / "root")
    verified(root, tmp_path, files)
    assert matrix_of(root).receipts["heron-1-post"].searches["activated"] == {"1": 1}


def test_only_the_source_asked_for_is_looked_at(root: Path, tmp_path: Path) -> None:
    found = verified(root, tmp_path, source="heron-1-config")
    assert (found.read, found.states[State.MATCHED]) == (1, 2)
    assert list(receipts_of(root)) == ["heron-1-config.json"]


def test_reaching_nothing_is_a_failure(root: Path, tmp_path: Path) -> None:
    found = verified(root, tmp_path, {})
    assert [finding.code for finding in found.findings] == ["EM413"]
    assert found.failed


def test_a_file_that_cannot_be_read_is_told_at_its_source(root: Path, tmp_path: Path) -> None:
    found = verified(root, tmp_path, other("heron-1-report", data=b"<html>log in</html>"))
    assert [finding.code for finding in found.findings] == ["EM312"]
    assert "cannot be opened as a PDF" in found.findings[0].message
    assert "heron-1-report.json" not in receipts_of(root)


def test_a_fragment_on_several_pages_is_noted(root: Path, tmp_path: Path) -> None:
    edit(root / "claims/acme/egret-2.yaml", "Egret 2 has 14.8B parameters", "14.8B parameters")
    twice = REPORT.replace(b"Nothing of interest.", b"And 14.8B parameters.")
    edit(root / "claims/acme/egret-2.yaml", "Egret 2 with 14.8B parameters", "14.8B parameters")
    edit(root / "sources/heron-lab.bib", hash_of(REPORT), hash_of(twice))
    found = verified(root, tmp_path, other("heron-1-report", data=twice))
    assert found.repeated == 1
    entries = matrix_of(root).receipts["heron-1-report"].evidence.values()
    assert [entry["also"] for entry in entries if "also" in entry] == [[2]]


def test_a_folder_that_is_no_mirror_is_refused(root: Path, tmp_path: Path) -> None:
    with pytest.raises(MirrorError, match=r"has no index\.jsonl"):
        verify(matrix_of(root), tmp_path)
