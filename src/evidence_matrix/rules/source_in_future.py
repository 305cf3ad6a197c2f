"""A source is dated after today.

## Why
A document that has not come out cannot have been read.

## Bad
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
@report{wren-paper, title = {Wren}, lab = {acme}, kind = {paper}, date = {2125-06-01}, url = {https://wren.example.org/paper.pdf}}
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

from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Matrix, Source
from evidence_matrix.rules import Scope

CODE = "EM308"
SCOPE = Scope.SOURCE


def check(source: Source, matrix: Matrix) -> Iterator[Finding]:
    for name in ("date", "retrieved"):
        day = getattr(source.record, name)
        if day is not None and day.earliest > matrix.today:
            yield source.finding(
                CODE,
                f"`{name}` of '{source.key}' is {day}, after {matrix.today}",
                "write the day it came out, or was read",
                name,
            )
