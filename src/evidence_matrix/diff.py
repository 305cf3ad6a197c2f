"""The difference of two matrices in the words of the record: what is new, gone, or answers anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.pages.composer import value_text


@dataclass(frozen=True, slots=True)
class Change:
    """One claim that differs between two matrices.

    Attributes:
        kind: added, gone, moved, withdrawn, label, value, evidence, checked or words.
    """

    id: str
    kind: str
    before: str
    after: str


def changes(old: Matrix, new: Matrix) -> Iterator[Change]:
    """Every claim that differs, in the order of ids; the strongest difference of each."""
    for claim_id in sorted({*old.claims, *new.claims}):
        before, after = old.claims.get(claim_id), new.claims.get(claim_id)
        if before is None and after is not None:
            yield Change(claim_id, "added", "", _said(after))
        elif after is None and before is not None:
            moved = new.moved.get(claim_id)
            yield Change(
                claim_id, "moved" if moved else "gone", _said(before), moved.record if moved else ""
            )
        elif before is not None and after is not None and before.record != after.record:
            yield _changed(before, after)


def summary(found: list[Change]) -> str:
    """The numbers in one line: `+3 claims, 1 label changed, 2 read again`."""
    words = {
        "added": "added",
        "gone": "gone",
        "moved": "moved",
        "withdrawn": "withdrawn",
        "label": "with another label",
        "value": "with another value",
        "evidence": "with other evidence",
        "checked": "read again",
        "words": "in other words",
    }
    numbers = Counter(change.kind for change in found)
    parts = [f"{numbers[kind]} {text}" for kind, text in words.items() if numbers[kind]]
    return ", ".join(parts) or "no claim differs"


def _changed(before: Claim, after: Claim) -> Change:
    old, new = before.record, after.record
    if old.withdrawn is None and new.withdrawn is not None:
        return Change(after.id, "withdrawn", _said(before), new.withdrawn.reason)
    if old.label != new.label:
        kind = "label"
    elif before.value != after.value:
        kind = "value"
    elif before.evidence != after.evidence:
        kind = "evidence"
    elif old.model_copy(update={"checked": new.checked}) == new:
        kind = "checked"
        return Change(after.id, kind, str(old.checked), str(new.checked))
    else:
        kind = "words"
    return Change(after.id, kind, _said(before), _said(after))


def _said(claim: Claim) -> str:
    return f"{claim.label} {value_text(claim.record)}"
