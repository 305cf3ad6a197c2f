"""The longest output is longer than the context.

## Why
What a model writes stands in its window.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  context.window:
    label: D
    value: 8K
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "a window of 8K tokens"}
    public: 2025-06
    checked: 2026-07-19
  context.output:
    label: D
    value: 64K
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "writes up to 64K tokens"}
    public: 2025-06
    checked: 2026-07-19
```

## Good
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  context.window:
    label: D
    value: 8K
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "a window of 8K tokens"}
    public: 2025-06
    checked: 2026-07-19
  context.output:
    label: D
    value: 4K
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "writes 4K tokens"}
    public: 2025-06
    checked: 2026-07-19
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Matrix, part_above_whole
from evidence_matrix.rules import Scope

CODE = "EM405"
SCOPE = Scope.MATRIX


def check(matrix: Matrix, _: Matrix) -> Iterator[Finding]:
    for small, large in part_above_whole(matrix, "context.output", "context.window"):
        yield small.finding(
            CODE,
            f"{small.id} is {small.value}, above {large.id} with {large.value}",
            "one of them is wrong, or counts something else and needs a scope",
            "value",
        )
