"""The value and the fragment differ in a bound or in "about".

## Why
`Over ten thousand` is not ten thousand. What a source leaves open stays open, and what it states
flatly is not softened.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.total:
    label: D
    value: 14.8B
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "Wren has over 14.8B parameters"}
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
    value: ">14.8B"
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "Wren has over 14.8B parameters"}
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

CODE = "EM215"
SCOPE = Scope.CLAIM
LABELS = frozenset({Label.D})


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    for index, _, standing in standings(claim):
        if standing.how in (How.BOUND_MISSING, How.BOUND_DROPPED):
            yield claim.finding(
                CODE,
                f"the value is {claim.value}, and the fragment says {standing.read!r}: "
                f"{standing.how.value}",
                "write `>`, `up to`, `about` or the range in the value just where the source has it",
                "evidence",
                index,
                "quote",
            )
