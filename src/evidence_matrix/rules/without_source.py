"""A claim is D or C and names no source.

## Why
Disclosed means that a document says it, and confirmed that a file holds it. Without the document
or the file there is only somebody's word.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.total:
    label: D
    value: 14.8B
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
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.rules import Scope

CODE = "EM201"
SCOPE = Scope.CLAIM
LABELS = frozenset({Label.D, Label.C})


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    if not claim.evidence:
        wanted = (
            '`evidence: [{source: key, at: "p. 1", quote: "…"}]` with a primary source'
            if claim.label is Label.D
            else '`evidence: [{source: key, read: "$.name"}]` with a pinned file'
        )
        yield claim.finding(CODE, f"{claim.label} without a source", f"add {wanted}", "label")
