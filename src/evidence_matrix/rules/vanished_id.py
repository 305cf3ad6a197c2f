"""An id that was published is gone.

## Why
Others link to it and cite it. A place keeps its id when its answer changes; a new name goes into
claims/moved.yaml, and a mistake of ours is withdrawn.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.active:
    label: D
    value: 14.8B
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "Wren uses 14.8B parameters"}
    public: 2025-06
    checked: 2026-07-19
```

```yaml
# base: claims/acme/wren.yaml
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

```yaml
# base: claims/acme/wren.yaml
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

from evidence_matrix.findings import Finding, Severity
from evidence_matrix.matrix import Matrix
from evidence_matrix.rules import Scope

CODE = "EM403"
SCOPE = Scope.MATRIX


def check(matrix: Matrix, _: Matrix) -> Iterator[Finding]:
    if matrix.base is None:
        return
    for claim_id, claim in matrix.base.claims.items():
        if claim_id in matrix.claims or claim_id in matrix.moved or matrix.is_unread(claim_id):
            continue
        yield Finding(
            CODE,
            Severity.ERROR,
            claim.file,
            1,
            1,
            f"{claim_id} was published and is gone",
            f"put it back, add `{claim_id}: new id` to claims/moved.yaml, or keep it with "
            "`withdrawn: {on, reason}`",
        )
