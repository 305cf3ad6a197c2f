"""A dispute or a moved id names a claim that does not exist.

## Why
A ruling about nothing, or a redirect to nowhere, hides that something was lost.

## Bad
```yaml
# claims/moved.yaml
heron-1/size: heron-1/params.totals
```

## Good
```yaml
# claims/moved.yaml
heron-1/size: heron-1/params.total
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Matrix
from evidence_matrix.rules import Scope
from evidence_matrix.syntax.spelling import nearest

CODE = "EM407"
SCOPE = Scope.MATRIX


def check(matrix: Matrix, _: Matrix) -> Iterator[Finding]:
    for dispute in matrix.disputes:
        for index, claim_id in enumerate(dispute.record.claims):
            if claim_id not in matrix.claims and not matrix.is_unread(claim_id):
                yield dispute.finding(CODE, *_words(claim_id, matrix), "claims", index)
        if len(dispute.record.claims) < 2:
            yield dispute.finding(
                CODE, "a dispute of fewer than two claims", "name the claims that differ", "claims"
            )
    for old, entry in matrix.moved.items():
        if entry.record not in matrix.claims and not matrix.is_unread(entry.record):
            yield entry.finding(CODE, *_words(entry.record, matrix))
        if old in matrix.claims:
            yield entry.finding(
                CODE, f"{old} has moved, and yet it is a claim", "remove one of the two"
            )


def _words(claim_id: str, matrix: Matrix) -> tuple[str, str]:
    near = nearest(claim_id, matrix.claims)
    return (
        f"there is no claim {claim_id!r}",
        f"write `{near}`"
        if near
        else "write subject/aspect, with scope and reading if it has them",
    )
