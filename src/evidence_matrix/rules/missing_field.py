"""A record lacks a field that it cannot do without.

## Why
Half a record cannot be judged: a claim without a label has no evidence to be measured against.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.total:
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
"""

from __future__ import annotations

from evidence_matrix.rules import Scope

CODE = "EM011"
SCOPE = Scope.LOAD
