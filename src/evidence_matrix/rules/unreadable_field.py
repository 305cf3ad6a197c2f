"""A field holds another shape than it can.

## Why
Text where a list belongs, or a list where text belongs, is read by no view as its author meant
it.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  cost.training:
    label: U
    looked_for: cost
    looked_in: [egret-2-card]
    reason: not verifiable
    next: [heron-1-cost-note]
    checked: 2026-07-19
```

## Good
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  cost.training:
    label: U
    looked_for: [cost]
    looked_in: [egret-2-card]
    reason: not verifiable
    next: [heron-1-cost-note]
    checked: 2026-07-19
```
"""

from __future__ import annotations

from evidence_matrix.rules import Scope

CODE = "EM012"
SCOPE = Scope.LOAD
