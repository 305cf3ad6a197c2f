"""A file holds characters that a reader cannot see, or an id that mixes scripts.

## Why
They turn a sentence round, or make a second id that no eye can tell from the first, so that a
reviewer sees another record than the program.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  p\u0430rams.total:
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
"""

from __future__ import annotations

from evidence_matrix.rules import Scope

CODE = "EM009"
SCOPE = Scope.LOAD
