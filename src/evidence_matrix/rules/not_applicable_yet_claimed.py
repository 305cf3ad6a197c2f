"""A claim answers what the subject's head calls not applicable.

## Why
Either the question does not arise, or there is an answer.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model, not_applicable: [params.total]}
claims:
  params.total:
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

from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.rules import Scope

CODE = "EM121"
SCOPE = Scope.CLAIM


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    subject = matrix.subjects[claim.subject]
    if claim.aspect in subject.record.not_applicable:
        yield claim.finding(
            CODE,
            f"{claim.aspect} is not applicable to {claim.subject}, says its head",
            f"remove it from `not_applicable`, or the claim ({subject.file}:{subject.place.line})",
        )
