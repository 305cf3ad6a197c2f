"""The address of a source is not one of http or https.

## Why
A link that runs a script, or opens a file of the reader's machine, has no place in a
bibliography.

## Bad
```bibtex
# sources/more.bib
@online{wren-post, title = {Another}, lab = {acme}, kind = {blog}, date = {2025-01-30}, url = {javascript:alert(1)}}
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

CODE = "EM304"
SCOPE = Scope.LOAD
