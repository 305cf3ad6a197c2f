"""A claim is U where another reading has a value.

## Why
What one source answers is not unknown. The U is from before the answer, and belongs to `earlier`.

## Bad
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
  cost.training@card:
    label: D
    value: $5M
    evidence:
      - {source: egret-2-card, at: "line 8", quote: "training Wren cost $5M"}
    public: 2025-06
    checked: 2026-07-19
```

## Good
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  cost.training:
    label: D
    value: $5M
    evidence:
      - {source: egret-2-card, at: "line 8", quote: "training Wren cost $5M"}
    public: 2025-06
    checked: 2026-07-19
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Matrix
from evidence_matrix.rules import Scope

CODE = "EM113"
SCOPE = Scope.MATRIX


def check(matrix: Matrix, _: Matrix) -> Iterator[Finding]:
    for readings in matrix.readings.values():
        if len(readings) < 2:
            continue
        known = [claim for claim in readings if claim.label is not Label.U]
        for claim in readings:
            if claim.label is Label.U and known:
                yield claim.finding(
                    CODE,
                    f"U, and {known[0].id} says {known[0].value}",
                    f"put this answer below `earlier` of {known[0].id}, with `until`",
                    "label",
                )
