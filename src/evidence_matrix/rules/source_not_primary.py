"""A source of another lab is cited as if it were primary.

## Why
A lab speaks for its own work. What it prints about others, in a comparison table say, earns
nothing here; joint work names its co-authors in the subject's head.
A package is no statement of anybody: a class default in it is shown as whose artifact it is.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.total:
    label: D
    value: 14.8B
    evidence:
      - {source: heron-1-report, at: "line 3", quote: "Wren has 14.8B parameters"}
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

from evidence_matrix.evidence import Artifact
from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.rules import Scope

CODE = "EM204"
SCOPE = Scope.CLAIM


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    if not claim.evidence:
        return
    subject = matrix.subjects[claim.subject]
    own = {claim.lab, *subject.record.coauthors}
    for index, piece in enumerate(claim.evidence):
        source = matrix.sources.get(piece.source)
        if source is None or (source.record.kind == "package" and isinstance(piece, Artifact)):
            continue
        if own.isdisjoint(source.record.lab):
            labs = ", ".join(source.record.lab)
            yield claim.finding(
                CODE,
                f"'{piece.source}' is by {labs}, and {claim.subject} is of {claim.lab}: not primary",
                f"cite a source of {claim.lab}, or, for joint work, add the lab to `coauthors` in "
                "the subject's head",
                "evidence",
                index,
                "source",
            )
