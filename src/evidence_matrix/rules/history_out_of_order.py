"""Earlier answers overlap, or do not say until when they held.

## Why
What could be known on a day is the first answer that held on it. Two answers for one day would
make the past depend on their order.

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

    earlier:
      - {label: U, looked_for: [parameters], looked_in: [egret-2-card], reason: not verifiable, next: [heron-1-cost-note], public: 2025-01, until: 2025-07-01, checked: 2025-02-01}
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

    earlier:
      - {label: U, looked_for: [parameters], looked_in: [egret-2-card], reason: not verifiable, next: [heron-1-cost-note], public: 2025-01, until: 2025-05-31, checked: 2025-02-01}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.rules import Scope

CODE = "EM122"
SCOPE = Scope.CLAIM


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    record = claim.record
    if record.until is not None:
        yield claim.finding(
            CODE,
            "the present answer has an `until`",
            "give `until` to answers below `earlier`; a mistake of ours is `withdrawn`",
            "until",
        )
    later = matrix.public_of(claim)
    for index, before in enumerate(record.earlier):
        path = ("earlier", index)
        if before.until is None:
            yield claim.finding(
                CODE, "an earlier answer without `until`", "add the last day it held", *path
            )
        elif later is not None and before.until.latest >= later.earliest:
            yield claim.finding(
                CODE,
                f"an earlier answer holds until {before.until}, and the next is public on {later}",
                "end it the day before the next answer; write the newest first",
                *path,
                "until",
            )
        later = before.public or before.checked
