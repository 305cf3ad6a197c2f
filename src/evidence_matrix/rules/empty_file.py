"""A file holds no record.

## Why
An empty file is a record that somebody lost, or never wrote. So is a link that leads to no file, or a
folder under the name of one.

## Bad
```yaml
# claims/acme/wren.yaml

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

CODE = "EM008"
SCOPE = Scope.LOAD
