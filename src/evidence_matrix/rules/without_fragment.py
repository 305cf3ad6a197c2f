"""Evidence names a place and not the words that stand there.

## Why
Without its words a place cannot be compared with the source, and the page may have moved.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.total:
    label: D
    value: 14.8B
    evidence:
      - {source: egret-2-card, at: "line 3"}
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

from evidence_matrix.evidence import Fragment
from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.rules import Scope

CODE = "EM203"
SCOPE = Scope.CLAIM


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    for index, piece in enumerate(claim.evidence):
        if isinstance(piece, Fragment) and not (piece.quote or "").strip():
            yield claim.finding(
                CODE,
                f"'{piece.source}' is cited without a fragment",
                "add `quote:` with the shortest run of words that carries the fact",
                "evidence",
                index,
            )
