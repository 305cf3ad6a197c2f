"""The difference of two matrices: what is told of each claim, and how many of each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evidence_matrix.dates import parse_date
from evidence_matrix.diff import Change, changes, summary
from evidence_matrix.matrix import Claim, Entry, Matrix
from evidence_matrix.records import DisclosedClaim, InferredClaim, Withdrawal
from evidence_matrix.syntax.places import Place

ID = "heron-1/params.total"


def changed(matrix: Matrix, record: Any) -> Matrix:
    old = matrix.claims[ID]
    new: Claim = replace(old, record=record, label=type(old.label)(record.label))
    new = replace(new, evidence=getattr(record, "evidence", ()))
    return replace(matrix, claims={**matrix.claims, ID: new})


def only(old: Matrix, new: Matrix) -> Change:
    (change,) = changes(old, new)
    return change


def test_nothing_differs_from_itself(tiny_matrix: Matrix) -> None:
    assert not list(changes(tiny_matrix, tiny_matrix))
    assert summary([]) == "no claim differs"


@pytest.mark.parametrize(
    ("update", "kind"),
    [
        ({"value": "97B"}, "value"),
        ({"evidence": ()}, "evidence"),
        ({"checked": parse_date("2026-07-20")}, "checked"),
        ({"note": "a caveat"}, "words"),
        ({"checked": parse_date("2026-07-20"), "note": "a caveat"}, "words"),
        ({"value": "97B", "evidence": ()}, "value"),
        ({"withdrawn": Withdrawal(on=parse_date("2026-07-20"), reason="misread")}, "withdrawn"),
    ],
)
def test_the_strongest_difference_is_told(
    tiny_matrix: Matrix, update: dict[str, Any], kind: str
) -> None:
    record = tiny_matrix.claims[ID].record
    assert isinstance(record, DisclosedClaim)
    change = only(tiny_matrix, changed(tiny_matrix, record.model_copy(update=update)))
    assert (change.id, change.kind) == (ID, kind)


def test_another_label_is_told_before_another_value(tiny_matrix: Matrix) -> None:
    record = InferredClaim(label="I", value="97B")
    change = only(tiny_matrix, changed(tiny_matrix, record))
    assert (change.kind, change.before, change.after) == ("label", "D 96B", "I 97B")


def test_added_gone_and_moved_are_told(tiny_matrix: Matrix) -> None:
    claims = {key: claim for key, claim in tiny_matrix.claims.items() if key != ID}
    less = replace(tiny_matrix, claims=claims, moved={})
    assert only(less, tiny_matrix) == Change(ID, "added", "", "D 96B")
    assert only(tiny_matrix, less) == Change(ID, "gone", "D 96B", "")
    entry = Entry(ID, "heron-1/params.total@abstract", "claims/moved.yaml", {}, Place(1, 1))
    moved = replace(less, moved={ID: entry})
    assert only(tiny_matrix, moved).after == "heron-1/params.total@abstract"


def test_the_summary_counts_each_kind() -> None:
    found = [Change(str(n), kind, "", "") for n, kind in enumerate(["added", "added", "label"])]
    assert summary(found) == "2 added, 1 with another label"
