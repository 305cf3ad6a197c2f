"""A scope is not declared in the subject's head.

## Why
A scope says that another thing is measured. Its meaning must stand somewhere, or two people will
measure two things under one name.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.total/large:
    label: D
    value: 14.8B
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "Wren has 14.8B parameters"}
    public: 2025-06
    checked: 2026-07-19
```

## Good
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model, scopes: {large: the large variant}}
claims:
  params.total/large:
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
from evidence_matrix.syntax.spelling import nearest

CODE = "EM104"
SCOPE = Scope.CLAIM


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    if claim.scope is None:
        return
    declared = matrix.subjects[claim.subject].record.scopes
    if claim.scope not in declared:
        near = nearest(claim.scope, declared)
        yield claim.finding(
            CODE,
            f"the scope `{claim.scope}` is not declared by {claim.subject}",
            (f"write `{near}`, or add " if near else "add ")
            + f"`{claim.scope}: what it means` to the subject's `scopes`",
        )
