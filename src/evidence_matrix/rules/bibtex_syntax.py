"""A bibliography entry is not well formed.

## Why
BibTeX parsers drop such entries, or swallow a field into the one before it, and say nothing.

## Bad
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

```bibtex
# sources/more.bib
@report{wren-paper, title = {Wren} lab = {acme}, kind = {paper}, url = {https://wren.example.org/paper.pdf}}
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
      - {source: wren-paper, at: "line 3", quote: "Wren has 14.8B parameters"}
    public: 2025-06
    checked: 2026-07-19
```

```bibtex
# sources/more.bib
@report{wren-paper, title = {Wren}, lab = {acme}, kind = {paper}, date = {2025-06-01}, url = {https://wren.example.org/paper.pdf}}
```
"""

from __future__ import annotations

from evidence_matrix.rules import Scope

CODE = "EM301"
SCOPE = Scope.LOAD
