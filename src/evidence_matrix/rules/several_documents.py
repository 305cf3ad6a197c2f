"""A file holds several YAML documents.

## Why
Loaders that read the first one drop the others without a word.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
---
subject: {name: Egret 3, kind: model}
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

CODE = "EM006"
SCOPE = Scope.LOAD
