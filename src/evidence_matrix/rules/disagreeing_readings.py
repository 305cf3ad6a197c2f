"""Two readings of one thing do not meet, and no dispute links them.

## Why
Sources contradict each other and themselves. That is worth knowing, and has to be ruled on or
left open where a reader sees it.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.total:
    label: D
    value: 14.8B
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "Wren has 14.8B parameters"}
    public: 2025-06
    checked: 2026-07-19

  params.total@table:
    label: D
    value: 15.9B
    evidence:
      - {source: egret-2-card, at: "line 30", quote: "15.9B parameters in all"}
    public: 2025-06
    checked: 2026-07-19
```

## Good
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.total:
    label: D
    value: 14.8B
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "Wren has 14.8B parameters"}
    public: 2025-06
    checked: 2026-07-19

  params.total@table:
    label: D
    value: 15B
    evidence:
      - {source: egret-2-card, at: "line 30", quote: "15B parameters in all"}
    public: 2025-06
    checked: 2026-07-19
```
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from evidence_matrix.dates import PartialDate
from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.quantity import Quantity
from evidence_matrix.rules import Scope

CODE = "EM401"
SCOPE = Scope.MATRIX


def check(matrix: Matrix, _: Matrix) -> Iterator[Finding]:
    for readings in matrix.readings.values():
        if len(readings) < 2:
            continue
        for one, other in combinations(readings, 2):
            if one.record.withdrawn or other.record.withdrawn or meet(one, other):
                continue
            ruled = any(
                other.id in dispute.record.claims
                for dispute in matrix.disputes_of_claim.get(one.id, ())
            )
            if not ruled:
                yield other.finding(
                    CODE,
                    f"says {other.value}, and {one.id} says {one.value}",
                    "if both measure the same, add a dispute to claims/disputes.yaml; if not, give "
                    "one of them a scope",
                    "value",
                )


def meet(one: Claim, other: Claim) -> bool:
    """Whether two readings can both be right: their ranges meet, or their words are the same."""
    a, b = one.parsed, other.parsed
    if isinstance(a, Quantity) and isinstance(b, Quantity):
        return a.meets(b)
    if isinstance(a, PartialDate) and isinstance(b, PartialDate):
        return a.meets(b)
    if one.value is None or other.value is None:
        return True
    return one.value.casefold() == other.value.casefold()
