"""A value of a controlled aspect is not in the list of terms.

## Why
Terms tie a claim to its glossary entry, its search aliases and the objectives that implement it.
A misspelled one is tied to nothing.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  rl.algorithm:
    label: D
    value: GRPQ
    evidence:
      - {source: egret-2-card, at: "line 9", quote: "Wren is trained with GRPQ"}
    public: 2025-06
    checked: 2026-07-19
```

## Good
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  rl.algorithm:
    label: D
    value: GRPO
    evidence:
      - {source: egret-2-card, at: "line 9", quote: "Wren is trained with GRPO"}
    public: 2025-06
    checked: 2026-07-19
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding, shown
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.rules import Scope
from evidence_matrix.syntax.spelling import nearest

CODE = "EM103"
SCOPE = Scope.CLAIM


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    aspect = matrix.aspects.get(claim.aspect)
    if aspect is None or aspect.record.kind != "term" or not isinstance(claim.parsed, tuple):
        return
    for name in claim.parsed:
        if name.casefold() not in matrix.term_names:
            near = nearest(name.casefold(), matrix.term_names)
            yield claim.finding(
                CODE,
                f"{shown(name)!r} is not a term",
                (f"write `{near}`, or add" if near else "add")
                + " the term to claims/terms.yaml with a name and one sentence",
                "value",
            )
