"""A source key is in no bibliography.

## Why
A citation that leads nowhere is none.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.total:
    label: D
    value: 14.8B
    evidence:
      - {source: egret-2-cards, at: "line 3", quote: "Wren has 14.8B parameters"}
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

from evidence_matrix.findings import Finding, shown
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.records import UnknownClaim
from evidence_matrix.rules import Scope
from evidence_matrix.syntax.spelling import nearest

CODE = "EM205"
SCOPE = Scope.CLAIM


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    for index, piece in enumerate(claim.evidence):
        for name in ("source", "via"):
            key = getattr(piece, name)
            if key is not None and not _is_known(key, matrix):
                yield _finding(claim, key, matrix, "evidence", index, name)
    if isinstance(claim.record, UnknownClaim):
        for index, key in enumerate(claim.record.looked_in):
            if not _is_known(key, matrix):
                yield _finding(claim, key, matrix, "looked_in", index)
        for index, key in enumerate(claim.record.next):
            if not _is_known(key, matrix) and key not in matrix.wanted:
                yield _finding(claim, key, matrix, "next", index)


def _is_known(key: str, matrix: Matrix) -> bool:
    return key in matrix.sources or matrix.is_unread(key)


def _finding(claim: Claim, key: str, matrix: Matrix, *path: str | int) -> Finding:
    near = nearest(key, matrix.sources)
    return claim.finding(
        CODE,
        f"there is no source {shown(key)!r}",
        f"write `{near}`" if near else "add an entry with this key to sources/",
        *path,
    )
