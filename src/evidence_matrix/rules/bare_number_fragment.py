"""A fragment is a bare number.

## Why
A number alone stands on many pages. The row or the column head says what it is of.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.total:
    label: D
    value: 14.8B
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "14.8B"}
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
      - {source: egret-2-card, at: "line 3", quote: "14.8B", row: "Wren"}
    public: 2025-06
    checked: 2026-07-19
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence_matrix.evidence import Fragment
from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.rules import Scope

_WORD = re.compile(r"[^\W\d_]{2,}")

CODE = "EM208"
SCOPE = Scope.CLAIM


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    for index, piece in enumerate(claim.evidence):
        if not isinstance(piece, Fragment) or not piece.quote or piece.row or piece.head:
            continue
        if any(char.isdigit() for char in piece.quote) and not _WORD.search(piece.quote):
            yield claim.finding(
                CODE,
                f"the fragment {piece.quote!r} is a bare number",
                "add `row:` or `head:` with the words beside or above it that say what it is of",
                "evidence",
                index,
                "quote",
            )
