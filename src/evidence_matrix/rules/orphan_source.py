"""A source that no claim rests on.

## Why
A bibliography is the list of what was read for the record. What is still to be read belongs into
claims/wanted.yaml.

## Bad
```bibtex
# sources/more.bib
@report{wren-paper, title = {Wren}, lab = {acme}, kind = {paper}, date = {2025-06-01}, url = {https://wren.example.org/paper.pdf}, retrieved = {2026-07-19}}
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
@report{wren-paper, title = {Wren}, lab = {acme}, kind = {paper}, date = {2025-06-01}, url = {https://wren.example.org/paper.pdf}, retrieved = {2026-07-19}}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding, Severity
from evidence_matrix.matrix import Matrix, Source
from evidence_matrix.rules import Scope

CODE = "EM306"
SCOPE = Scope.SOURCE
SEVERITY = Severity.WARNING


def check(source: Source, matrix: Matrix) -> Iterator[Finding]:
    # a claim that cannot be read may be the one that rests on it
    if not matrix.claims_of_source.get(source.key) and not matrix.unread:
        yield source.finding(
            CODE,
            f"no claim rests on '{source.key}'",
            "cite it, or move it to claims/wanted.yaml",
            severity=SEVERITY,
        )
