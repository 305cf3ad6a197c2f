"""A premise names a claim that does not exist.

## Why
An inference from nothing is a guess.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.active_share:
    label: I
    premises: {active: heron-1/params.activ, total: heron-1/params.total}
    formula: active / total
    value: 8.3%
    checked: 2026-07-19
```

## Good
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.active_share:
    label: I
    premises: {active: heron-1/params.active, total: heron-1/params.total}
    formula: active / total
    value: 8.3%
    checked: 2026-07-19
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding, shown
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.records import InferredClaim
from evidence_matrix.rules import Scope
from evidence_matrix.syntax.spelling import nearest

CODE = "EM115"
SCOPE = Scope.CLAIM
LABELS = frozenset({Label.I})


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    if not isinstance(claim.record, InferredClaim):
        return
    for name, premise in claim.record.premises.items():
        if premise not in matrix.claims and not matrix.is_unread(premise):
            near = matrix.moved[premise].record if premise in matrix.moved else None
            near = near or nearest(premise, matrix.claims)
            yield claim.finding(
                CODE,
                f"the premise {shown(premise)!r} is no claim",
                f"write {near}" if near else "write the id of a claim: subject/aspect",
                "premises",
                name,
            )
