"""A claim is U and does not say what was looked for, or where.

## Why
Not found and not looked for are two things. Without terms and texts the search cannot be made
again.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  cost.training:
    label: U
    looked_in: [egret-2-card]
    reason: not verifiable
    next: [heron-1-cost-note]
    checked: 2026-07-19
```

## Good
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  cost.training:
    label: U
    looked_for: [cost]
    looked_in: [egret-2-card]
    reason: not verifiable
    next: [heron-1-cost-note]
    checked: 2026-07-19
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.records import UnknownClaim
from evidence_matrix.rules import Scope

CODE = "EM111"
SCOPE = Scope.CLAIM
LABELS = frozenset({Label.U})


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    record = claim.record
    if not isinstance(record, UnknownClaim):
        return
    if not record.looked_for:
        yield claim.finding(
            CODE, "U without terms", "add `looked_for:` with the words that were searched"
        )
    if not record.looked_in:
        yield claim.finding(
            CODE,
            "U without a text that was searched",
            "add `looked_in:` with source keys; where nothing was searched, leave the claim out: "
            "empty is not unknown",
        )
