"""A source key is empty, or holds a space or a sign that is no part of a key.

## Why
Keys stand in addresses, file names and citations.

## Bad
```bibtex
# sources/more.bib
@online{heron 1 post, title = {Another}, lab = {heron-lab}, kind = {blog}, date = {2025-01-30}, url = {https://heron.example.org/other}}
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

CODE = "EM303"
SCOPE = Scope.LOAD
