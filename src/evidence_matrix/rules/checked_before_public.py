"""A claim was checked before the world could know it.

## Why
Nobody reads a document before it exists: one of the two dates is wrong.

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
    checked: 2025-05-30
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
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.rules import Scope

CODE = "EM107"
SCOPE = Scope.CLAIM


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    public, checked = claim.record.public, claim.record.checked
    if public is None or checked is None or checked.latest >= public.earliest:
        return
    yield claim.finding(
        CODE,
        f"checked on {checked}, before it was public on {public}",
        "write the day the source was read, or the day it came out",
        "checked",
    )
