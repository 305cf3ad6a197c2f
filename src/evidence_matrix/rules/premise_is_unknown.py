"""An inference rests on a claim that is U.

## Why
Nothing follows from what is not known.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  cost.training:
    label: I
    premises: {cost: heron-1/cost.training}
    formula: cost * 2
    value: $5M
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

from evidence_matrix.findings import Finding
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.records import InferredClaim
from evidence_matrix.rules import Scope

CODE = "EM117"
SCOPE = Scope.CLAIM
LABELS = frozenset({Label.I})


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    if not isinstance(claim.record, InferredClaim):
        return
    for name, premise in claim.record.premises.items():
        other = matrix.claims.get(premise)
        if other is not None and (other.label is Label.U or other.record.withdrawn):
            what = "withdrawn" if other.record.withdrawn else "U"
            yield claim.finding(
                CODE,
                f"the premise {premise} is {what}",
                "drop the inference until the premise has a value",
                "premises",
                name,
            )
