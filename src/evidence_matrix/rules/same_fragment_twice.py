"""One fragment serves several claims.

## Why
A true sentence under the wrong claim passes every check but a reader's. Where one fragment
carries several claims, somebody should look at each.

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

  context.window:
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

import re
from collections.abc import Iterator

from evidence_matrix.evidence import Fragment
from evidence_matrix.findings import Finding, Severity
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.rules import Scope

CODE = "EM214"
SCOPE = Scope.MATRIX
SEVERITY = Severity.WARNING


def check(matrix: Matrix, _: Matrix) -> Iterator[Finding]:
    seen: dict[tuple[str, str, str | None, str | None], Claim] = {}
    for claim in matrix.claims.values():
        for index, piece in enumerate(claim.evidence):
            if not isinstance(piece, Fragment) or piece.quote is None:
                continue
            if not re.search(r"\w", piece.quote):  # the `…` of a record that is not filled in
                continue
            key = (piece.read_in, piece.quote, piece.row, piece.head)
            first = seen.setdefault(key, claim)
            if first.value != claim.value or first is claim:
                continue
            if first.aspect != claim.aspect or first.subject != claim.subject:
                yield claim.finding(
                    CODE,
                    f"{first.id} rests on the same fragment with the same value",
                    "see that the fragment says both; quote other words for one of them if it can",
                    "evidence",
                    index,
                    "quote",
                    severity=SEVERITY,
                )
