"""Two entries of the bibliography have one key.

## Why
Which of them a claim cites would depend on the order of files. Keys that differ in case only are
taken for one by other programs.

## Bad
```bibtex
# sources/more.bib
@online{heron-1-post, title = {Another}, lab = {heron-lab}, kind = {blog}, date = {2025-01-30}, url = {https://heron.example.org/other}}
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

CODE = "EM302"
SCOPE = Scope.LOAD
