"""A fragment is longer than twelve words.

## Why
The shortest run of words that carries the fact is the easiest to check, and no more of a work
than may be quoted.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.total:
    label: D
    value: 14.8B
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "Wren has 14.8B parameters and it was made by a small team in the north"}
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

from collections.abc import Iterator

from evidence_matrix.evidence import Fragment
from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.rules import Scope

CODE = "EM206"
SCOPE = Scope.CLAIM


_LIMIT = 12


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    for index, piece in enumerate(claim.evidence):
        if isinstance(piece, Fragment):
            count = len(piece.words.split())
            if count > _LIMIT:
                yield claim.finding(
                    CODE,
                    f"the fragment has {count} words, row and head counted",
                    f"cut it to at most {_LIMIT}: the number, its unit and what it is of",
                    "evidence",
                    index,
                    "quote",
                )
