"""A claim is U and yet has a value.

## Why
Unknown means looked for and not found. A number beside it is either a disclosure, which needs its
source, or a guess, which is an inference with premises.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  cost.training:
    label: U
    value: $5M
    looked_for: [cost]
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

CODE = "EM110"
SCOPE = Scope.LOAD
