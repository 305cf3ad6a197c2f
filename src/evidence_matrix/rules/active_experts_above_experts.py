"""More experts are active than there are.

## Why
A router chooses among the experts of a layer.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  experts.routed:
    label: D
    value: 64
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "64 routed experts"}
    public: 2025-06
    checked: 2026-07-19
  experts.active:
    label: D
    value: 80
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "80 active experts"}
    public: 2025-06
    checked: 2026-07-19
```

## Good
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  experts.routed:
    label: D
    value: 64
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "64 routed experts"}
    public: 2025-06
    checked: 2026-07-19
  experts.active:
    label: D
    value: 8
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "8 active experts"}
    public: 2025-06
    checked: 2026-07-19
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Matrix, part_above_whole
from evidence_matrix.rules import Scope

CODE = "EM406"
SCOPE = Scope.MATRIX


def check(matrix: Matrix, _: Matrix) -> Iterator[Finding]:
    for small, large in part_above_whole(matrix, "experts.active", "experts.routed"):
        yield small.finding(
            CODE,
            f"{small.id} is {small.value}, above {large.id} with {large.value}",
            "one of them is wrong, or counts something else and needs a scope",
            "value",
        )
