"""More parameters are active than there are.

## Why
What is used for one token is a part of the whole. Each number can be well formed by itself.

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
  params.active:
    label: D
    value: 120B
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "120B parameters activated"}
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
  params.active:
    label: D
    value: 1.2B
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "1.2B parameters activated"}
    public: 2025-06
    checked: 2026-07-19
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Matrix, part_above_whole
from evidence_matrix.rules import Scope

CODE = "EM404"
SCOPE = Scope.MATRIX


def check(matrix: Matrix, _: Matrix) -> Iterator[Finding]:
    for small, large in part_above_whole(matrix, "params.active", "params.total"):
        yield small.finding(
            CODE,
            f"{small.id} is {small.value}, above {large.id} with {large.value}",
            "one of them is wrong, or counts something else and needs a scope",
            "value",
        )
