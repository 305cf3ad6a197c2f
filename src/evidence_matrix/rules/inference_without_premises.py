"""An inference does not say what it follows from.

## Why
An inference is as good as its premises. A number needs a formula too, so that the program can
work it out again; words need their assumptions or their reason.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.active_share:
    label: I
    premises: {active: heron-1/params.active, total: heron-1/params.total}
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

from evidence_matrix.findings import Finding
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.quantity import Quantity
from evidence_matrix.records import InferredClaim
from evidence_matrix.rules import Scope

CODE = "EM114"
SCOPE = Scope.CLAIM
LABELS = frozenset({Label.I})


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    record = claim.record
    if not isinstance(record, InferredClaim):
        return
    if not record.premises:
        yield claim.finding(
            CODE, "I without premises", "add `premises: {name: claim id}` for what it follows from"
        )
    elif isinstance(claim.parsed, Quantity) and not record.formula:
        yield claim.finding(
            CODE,
            "a number is inferred without a formula",
            "add `formula:` over the names of the premises, such as `active / total`",
        )
    elif not record.formula and not record.assumes and not record.because:
        yield claim.finding(
            CODE,
            "I without a formula, assumptions or a reason",
            "add `assumes:` or `because:`",
        )
