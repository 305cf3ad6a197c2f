"""The value does not stand in the fragment.

## Why
A true sentence with another number is how a wrong claim passes every other check. The number has
to be there, with its scale.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.total:
    label: D
    value: 14.6B
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

from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.presence import standings
from evidence_matrix.rules import Scope
from evidence_matrix.standing import How

CODE = "EM207"
SCOPE = Scope.CLAIM
LABELS = frozenset({Label.D})


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    for index, piece, standing in standings(claim):
        if standing.how is How.ABSENT:
            yield claim.finding(
                CODE,
                f"the value {claim.value} is not in the fragment {piece.quote!r}",
                "write the number as the source gives it, or quote the words that hold it",
                "evidence",
                index,
                "quote",
            )
        elif standing.how is How.OTHER_SCALE:
            yield claim.finding(
                CODE,
                f"the value is {claim.value}, and the fragment says {standing.read!r}",
                "write the scale that the fragment has, thousand, million or billion",
                "evidence",
                index,
                "quote",
            )
