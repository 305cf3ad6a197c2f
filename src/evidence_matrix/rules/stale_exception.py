"""An exception has ended, or lets nothing stand.

## Why
An exception is a debt with a reason and an end. One that no longer fires hides the next fault at
its place.

## Bad
```yaml
# claims/exceptions.yaml
- {code: EM306, where: heron-1-report, reason: not used yet, until: 2026-12-31}
```

## Good
```bibtex
# sources/more.bib
@report{wren-paper, title = {Wren}, lab = {acme}, kind = {paper}, date = {2025-06-01}, url = {https://wren.example.org/paper.pdf}}
```

```yaml
# claims/exceptions.yaml
- {code: EM306, where: wren-paper, reason: cited as soon as its claims are read, until: 2026-12-31}
```
"""

from __future__ import annotations

from evidence_matrix.rules import Scope

CODE = "EM412"
SCOPE = Scope.LOAD
