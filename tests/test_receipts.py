from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.evidence import Artifact, Fragment
from evidence_matrix.labels import State
from evidence_matrix.matrix import Matrix
from evidence_matrix.receipts import (
    FOLDER,
    TEXT_VERSION,
    Receipt,
    digest_of,
    entry_for,
    faults_of,
    hits_of,
    is_whole,
    read_receipts,
    sealed,
    state_of,
    write_receipt,
    written,
)
from evidence_matrix.store import load
from tests.bytes_at_hand import FILES, hash_of, lay_records

PIN = hash_of(FILES["heron-1-report"].data)
PIECE = Fragment(source="heron-1-report", at="p. 1, Abstract", quote="96B total parameters")
CLAIM = "heron-1/params.total"


def receipt_of(**changes: object) -> Receipt:
    digest = digest_of(PIECE, None, PIN)
    receipt = Receipt(
        source="heron-1-report",
        sha256=PIN,
        media="application/pdf",
        provenance="official bytes",
        text=TEXT_VERSION,
        pages=7,
        whole=True,
        evidence={digest: {"state": "matched", "page": 1}},
        searches={"dropout": {}, "layers": {"3": 2}},
    )
    return sealed(replace(receipt, **changes))  # type: ignore[arg-type]


def matrix_with(root: Path, receipt: Receipt | None = None) -> Matrix:
    lay_records(root)
    if receipt is not None:
        write_receipt(root, receipt)
    return load(root, date(2026, 7, 20)).matrix


def state(matrix: Matrix, claim_id: str = CLAIM) -> State:
    claim = matrix.claims[claim_id]
    return state_of(claim.evidence[0], claim, matrix)


def test_a_receipt_is_written_with_sorted_keys_and_an_entry_a_line() -> None:
    text = written(receipt_of())
    assert text.endswith("}\n")
    assert json.loads(text)["searches"] == {"dropout": {}, "layers": {"3": 2}}
    assert '    "dropout": {},\n    "layers": {"3": 2}\n' in text
    assert [line for line in text.splitlines() if line.startswith('  "')] == sorted(
        line for line in text.splitlines() if line.startswith('  "')
    )


def test_a_receipt_comes_back_as_it_was_written(tmp_path: Path) -> None:
    receipt = receipt_of()
    write_receipt(tmp_path, receipt)
    assert read_receipts(tmp_path) == {"heron-1-report": receipt}


def test_a_receipt_that_did_not_change_is_not_written_again(tmp_path: Path) -> None:
    path = write_receipt(tmp_path, receipt_of())
    path.chmod(0o444)
    before = path.stat().st_mtime_ns
    write_receipt(tmp_path, receipt_of())
    assert path.stat().st_mtime_ns == before


FIELDS = ("source", "via", "at", "quote", "row", "head")


@given(st.sampled_from(FIELDS), st.text(max_size=5))
def test_any_change_of_a_fragment_changes_its_digest(field: str, text: str) -> None:
    changed = PIECE.model_copy(update={field: (getattr(PIECE, field) or "") + text + "x"})
    assert digest_of(changed, None, PIN) != digest_of(PIECE, None, PIN)


def test_other_bytes_or_another_value_change_the_digest() -> None:
    assert digest_of(PIECE, None, PIN) != digest_of(PIECE, None, "0" * 64)
    artifact = Artifact(source="heron-1-config", read="$.a")
    digests = {
        digest_of(artifact, "64", PIN),
        digest_of(artifact, "65", PIN),
        digest_of(artifact.model_copy(update={"read": "$.b"}), "64", PIN),
        digest_of(artifact.model_copy(update={"path": "a.py"}), "64", PIN),
    }
    assert len(digests) == 4
    assert digest_of(PIECE, "64", PIN) == digest_of(PIECE, "65", PIN)


def test_evidence_with_a_fitting_receipt_is_matched(tmp_path: Path) -> None:
    matrix = matrix_with(tmp_path, receipt_of())
    assert state(matrix) is State.MATCHED
    seen = entry_for(PIECE, "96B", matrix.receipts["heron-1-report"])
    assert seen is not None
    assert seen["page"] == 1


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"provenance": "byte copy"}, State.MATCHED),
        ({"provenance": "transcription"}, State.SECONDHAND),
        ({"provenance": "excerpt"}, State.SECONDHAND),
        ({"sha256": "0" * 64}, State.NOT_REACHED),
        ({"text": TEXT_VERSION + 1}, State.NOT_REACHED),
        ({"evidence": {}}, State.NOT_REACHED),
    ],
)
def test_the_state_follows_what_the_receipt_is_of(
    tmp_path: Path, changes: dict[str, object], expected: State
) -> None:
    assert state(matrix_with(tmp_path, receipt_of(**changes))) is expected


@pytest.mark.parametrize("seen", ["failed", "matched, other bytes"])
def test_what_was_seen_is_told_as_it_was_seen(tmp_path: Path, seen: str) -> None:
    evidence = {digest_of(PIECE, None, PIN): {"state": seen, "page": 1}}
    assert state(matrix_with(tmp_path, receipt_of(evidence=evidence))) is State(seen)


def test_a_state_that_nobody_knows_checks_nothing(tmp_path: Path) -> None:
    evidence = {digest_of(PIECE, None, PIN): {"state": "certain"}}
    assert state(matrix_with(tmp_path, receipt_of(evidence=evidence))) is State.NOT_REACHED


def test_without_a_receipt_a_pinned_source_is_not_reached(tmp_path: Path) -> None:
    assert state(matrix_with(tmp_path)) is State.NOT_REACHED


def test_evidence_read_in_another_text_is_secondhand(tmp_path: Path) -> None:
    via = PIECE.model_copy(update={"source": "egret-2-card", "via": "heron-1-report"})
    receipt = receipt_of(evidence={digest_of(via, None, PIN): {"state": "matched", "page": 1}})
    matrix = matrix_with(tmp_path, receipt)
    assert state_of(via, matrix.claims[CLAIM], matrix) is State.SECONDHAND


def test_what_the_base_revision_does_not_have_is_pending(tmp_path: Path) -> None:
    matrix = matrix_with(tmp_path / "new", receipt_of())
    without = matrix_with(tmp_path / "old")
    assert state(replace(matrix, base=without)) is State.PENDING
    assert state(replace(matrix, base=matrix)) is State.MATCHED


def edited(tmp_path: Path, old: str, new: str) -> Matrix:
    path = tmp_path / FOLDER / "heron-1-report.json"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return load(tmp_path, date(2026, 7, 20)).matrix


def faults(matrix: Matrix) -> list[str]:
    receipts = matrix.receipts.values()
    return [
        message for receipt in receipts for message, _ in faults_of(receipt, matrix.root, matrix)
    ]


def test_a_receipt_as_verify_writes_it_has_no_fault(tmp_path: Path) -> None:
    assert faults(matrix_with(tmp_path, receipt_of())) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"page": 1', '"page": 2'),
        ('"state": "matched"', '"state": "matched, other bytes"'),
        ('"official bytes"', '"byte copy"'),
        ('"pages": 7', '"pages": 8'),
        ('"layers": {"3": 2}', '"layers": {}'),
        ('"dropout": {}', '"dropout": {"1": 1}'),
        ('  "media"', '"media"'),
        ('"text": 1', '"text": 2'),
        (PIN, "0" * 64),
        ('"whole": "yes"', '"whole": "no"'),
        ('"source": "heron-1-report"', '"source": "heron-1-config"'),
        ('"evidence": {', '"evidence": ['),
        ('"sha256"', '"sha512"'),
        ("{", "["),
    ],
)
def test_an_edited_receipt_does_not_fit(tmp_path: Path, old: str, new: str) -> None:
    matrix_with(tmp_path, receipt_of())
    assert faults(edited(tmp_path, old, new))


def test_an_edited_entry_checks_nothing(tmp_path: Path) -> None:
    failed = {digest_of(PIECE, None, PIN): {"state": "failed", "why": "not there"}}
    matrix_with(tmp_path, receipt_of(evidence=failed))
    assert state(edited(tmp_path, '"failed"', '"matched"')) is State.NOT_REACHED


def test_a_receipt_of_a_source_that_is_gone_does_not_fit(tmp_path: Path) -> None:
    receipt = sealed(replace(receipt_of(), source="heron-9-report"))
    assert faults(matrix_with(tmp_path, receipt)) == [
        "the receipt is of a source that no bibliography has"
    ]


def test_a_receipt_of_other_bytes_fits_only_if_it_says_so(tmp_path: Path) -> None:
    other = "0" * 64
    matched = {digest_of(PIECE, None, other): {"state": "matched", "page": 1}}
    assert faults(matrix_with(tmp_path / "a", receipt_of(sha256=other, evidence=matched)))
    seen = {digest_of(PIECE, None, other): {"state": "matched, other bytes", "page": 1}}
    matrix = matrix_with(tmp_path / "b", receipt_of(sha256=other, evidence=seen))
    assert faults(matrix) == []
    assert state(matrix) is State.OTHER_BYTES


def test_hits_are_those_of_the_pinned_text(tmp_path: Path) -> None:
    matrix = matrix_with(tmp_path / "a", receipt_of())
    assert hits_of("heron-1-report", "layers", matrix) == {"3": 2}
    assert hits_of("heron-1-report", "dropout", matrix) == {}
    assert hits_of("heron-1-report", "never searched", matrix) is None
    assert hits_of("heron-1-post", "layers", matrix) is None
    other = matrix_with(tmp_path / "b", receipt_of(sha256="0" * 64))
    assert hits_of("heron-1-report", "layers", other) is None


@pytest.mark.parametrize(
    ("changes", "whole"),
    [
        ({}, True),
        ({"provenance": "byte copy"}, True),
        ({"provenance": "transcription"}, False),
        ({"whole": False}, False),
        ({"sha256": "0" * 64}, False),
    ],
)
def test_only_official_bytes_with_the_pinned_hash_are_the_whole_text(
    tmp_path: Path, changes: dict[str, object], whole: bool
) -> None:
    matrix = matrix_with(tmp_path, receipt_of(**changes))
    assert is_whole("heron-1-report", matrix) is whole


def test_reading_receipts_needs_no_pdf_library() -> None:
    import subprocess
    import sys

    program = (
        "import sys, evidence_matrix.receipts as r; "
        "print([m for m in ('pypdfium2', 'selectolax', 'rapidfuzz') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is no JSON from line 1, column 1"),
        ("{", "it is no JSON from line 1, column 2"),
        ("[" * 100_000, "it is no JSON"),
        ("[]", "its fields are not those of a receipt"),
        ("null", "its fields are not those of a receipt"),
        ('{"source": 3}', "it has no field 'sha256'"),
    ],
)
def test_a_file_that_is_no_receipt_says_why_in_words(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / FOLDER).mkdir(parents=True)
    (tmp_path / FOLDER / "wren-report.json").write_text(text)
    assert read_receipts(tmp_path)["wren-report"].fault == f"is no receipt: {said}"
