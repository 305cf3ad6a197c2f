"""A file is not UTF-8, or begins with a byte order mark.

## Why
Another encoding turns dashes and names into other characters, differently on each machine.

## Bad
```yaml
# claims/acme/wren.yaml
\ufeffsubject: {name: Wren, kind: model}
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

CODE = "EM001"
SCOPE = Scope.LOAD
