"""Faults of a record's shape: the right code, at the line of the key, with the nearest name."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pydantic import BaseModel

from evidence_matrix import records
from evidence_matrix.evidence import Artifact, Fragment
from evidence_matrix.loading import faults
from evidence_matrix.records import (
    ConfirmedClaim,
    DisclosedClaim,
    InferredClaim,
    ReproducedClaim,
    SourceRecord,
    SubjectRecord,
    UnknownClaim,
)
from evidence_matrix.store import Loaded

Load = Callable[[dict[str, str]], Loaded]
FILE = "claims/acme/wren.yaml"
HEAD = "subject: {name: Wren, kind: model}\nclaims:\n  params.total:\n"


def fault(loaded: Load, claim: str) -> tuple[str, int, str, str]:
    """The one finding of a claim: code, line, message and hint."""
    found = loaded({FILE: HEAD + claim}).findings
    assert len(found) == 1, [f"{f.code} {f.line} {f.message}" for f in found]
    return found[0].code, found[0].line, found[0].message, found[0].hint


@pytest.mark.parametrize(
    ("claim", "line", "near"),
    [
        ("    label: D\n    valeu: 14.8B\n    value: 14.8B\n", 5, "write `value`"),
        (
            "    label: D\n    value: 14.8B\n    evidence:\n"
            "      - {source: egret-2-card, at: line 3}\n"
            "      - source: egret-2-card\n        qoute: has 14.8B parameters\n",
            9,
            "write `quote`",
        ),
        (
            "    label: C\n    value: 14.8B\n    evidence:\n"
            "      - {source: heron-1-config, read: $.n, pth: a}\n",
            7,
            "write `path`",
        ),
        (
            "    label: D\n    value: 14.8B\n    protocol: {by: a, harnes: b, harness: b, "
            "effort: c, samples: d, tools: e}\n",
            6,
            "write `harness`",
        ),
        (
            "    label: D\n    value: 14.8B\n    earlier:\n"
            "      - {label: D, value: 12B, evidence: [{source: egret-2-card, rwo: a}]}\n",
            7,
            "write `row`",
        ),
        (
            "    label: U\n    reason: absent\n    hits:\n"
            "      - {source: a, term: b, count: '1', judged: c, judgd: c}\n",
            7,
            "write `judged`",
        ),
        (
            "    label: D\n    value: 14.8B\n"
            "    withdrawn: {on: 2026-01-01, reason: a, reson: b}\n",
            6,
            "write `reason`",
        ),
    ],
)
def test_a_misspelled_field_gets_the_nearest_name_of_its_own_mapping(
    loaded: Load, claim: str, line: int, near: str
) -> None:
    code, at, _, hint = fault(loaded, claim)
    assert (code, at, hint) == ("EM010", line, near)


MODELS = (
    Fragment,
    Artifact,
    DisclosedClaim,
    ConfirmedClaim,
    ReproducedClaim,
    InferredClaim,
    UnknownClaim,
    SubjectRecord,
    SourceRecord,
)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_no_record_has_a_field_that_only_the_program_knows(model: type) -> None:
    """A field that is not described is one that contributors are offered by mistake."""
    assert "kind" not in model.model_fields or model in (SubjectRecord, SourceRecord)


def test_a_field_of_a_source_is_offered_under_the_name_it_is_written_with(loaded: Load) -> None:
    text = "@misc{wren-card, title = {W}, lab = {acme}, kind = {blog}, coppy = {a}}\n"
    found = loaded({"sources/more.bib": text}).findings
    assert [(f.code, f.hint) for f in found] == [("EM010", "write `copy`")]


@pytest.mark.parametrize("field", ["value", "evidence", "formula", "premises", "run", "read"])
@pytest.mark.parametrize("nested", [False, True])
def test_an_unknown_with_what_only_a_value_has_is_told_so(
    loaded: Load, field: str, nested: bool
) -> None:
    unknown = f"label: U, reason: absent, {field}: a"
    inner = f"      - {{{unknown}}}\n"
    claim = f"    {{{unknown}}}\n"
    if nested:
        claim = f"    label: D\n    value: 14.8B\n    earlier:\n{inner}"
    code, _, message, hint = fault(loaded, claim)
    assert code == "EM110"
    assert field in message
    assert "premises" in hint


@pytest.mark.parametrize("label", ["DC", "D/I", "D, C", "[D]+[I]", "d|u"])
def test_several_labels_in_one_are_told_apart_from_an_unknown_one(loaded: Load, label: str) -> None:
    assert fault(loaded, f'    label: "{label}"\n    value: 14.8B\n')[0] == "EM101"


@pytest.mark.parametrize(
    ("label", "offer"), [("d", "write D"), (" U ", "write U"), ("verified", "write one of")]
)
def test_a_label_that_is_none_is_told_with_the_legend(loaded: Load, label: str, offer: str) -> None:
    code, line, _, hint = fault(loaded, f'    label: "{label}"\n    value: 14.8B\n')
    assert (code, line) == ("EM100", 4)
    assert offer in hint


def test_no_label_is_told_with_the_legend(loaded: Load) -> None:
    code, line, message, hint = fault(loaded, "    value: 14.8B\n")
    assert (code, line) == ("EM011", 3)
    assert "no label" in message
    assert "U (unknown" in hint


def test_a_premise_named_like_a_label_is_found_at_its_own_key(loaded: Load) -> None:
    claim = (
        "    label: I\n    value: 1\n    premises:\n      A: heron-1/params.total\n      C: [a]\n"
    )
    code, line, message, _ = fault(loaded, claim)
    assert (code, line) == ("EM012", 8)
    assert "`C` holds a list" in message


@pytest.mark.parametrize(
    ("claim", "line", "says"),
    [
        ("    label: D\n    value: {a: b}\n", 5, "`value` holds a mapping"),
        ("    label: D\n    value: 1\n    evidence: words\n", 6, "`evidence` holds text"),
        ("    label: D\n    value: 1\n    evidence: [words]\n", 6, "holds text"),
        ("    label: U\n    reason: because\n", 5, "`reason` is 'because'"),
        ("    label: D\n    value: 1\n    public: soon\n", 6, "`public`"),
        ("    label: D\n    value: 1\n    means: [a]\n", 6, "`means` holds a list"),
    ],
)
def test_a_field_of_another_shape_is_told_at_its_line(
    loaded: Load, claim: str, line: int, says: str
) -> None:
    _, at, message, _ = fault(loaded, claim)
    assert at == line
    assert says in message


def test_a_text_cut_at_its_comma_is_told_to_be_quoted(loaded: Load) -> None:
    claim = (
        "    label: D\n    value: 14.8B\n    evidence:\n"
        "      - {source: egret-2-card, at: line 3, quote: has 14.8B parameters, in all}\n"
    )
    *_, message, hint = fault(loaded, claim)
    assert message == "there is no field `in all` here"
    assert hint.endswith("put a text that has a comma in it in quotes")


def test_no_hint_is_a_regular_expression() -> None:
    """Every field that has a form is told in words what it is."""
    models = [model for model in vars(records).values() if isinstance(model, type)]
    formed = {
        name
        for model in models
        if issubclass(model, BaseModel)
        for name, field in model.model_fields.items()
        if "pattern=" in f"{field.annotation} {field.metadata}"
    }
    assert formed == {"sha256", "most"}
    assert formed <= set(faults._FORMS)


def test_a_hash_that_is_none_is_told_how_to_get_one(loaded: Load) -> None:
    text = "@misc{wren-report, title = {W}, lab = {acme}, kind = {report},\n  sha256 = {abc}}\n"
    (found,) = loaded({"sources/wren.bib": text}).findings
    assert (found.code, found.line) == ("EM012", 2)
    assert found.hint == "write the 64 hex digits that `sha256sum FILE` prints"
