"""A claim is C and has no expression that gives its value.

## Why
Confirmed means that the program reads the value in the file. A quotation from a file is a
disclosure.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  experts.routed:
    label: C
    value: "64"
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "64 routed experts"}
    public: 2025-06
    checked: 2026-07-19
```

## Good
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  experts.routed:
    label: C
    value: "64"
    evidence:
      - {source: egret-2-card, read: "lines 3-3"}
    public: 2025-06
    checked: 2026-07-19
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.evidence import Artifact
from evidence_matrix.findings import Finding
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.rules import Scope

CODE = "EM209"
SCOPE = Scope.CLAIM
LABELS = frozenset({Label.D, Label.C})


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    if not claim.evidence:
        return
    first = claim.evidence[0]
    if claim.label is Label.C:
        if not isinstance(first, Artifact) or not first.read:
            yield claim.finding(
                CODE,
                "C without an expression",
                "add `read:` with a JSONPath, `Class.field` or `lines a-b`; a sentence is D",
                "evidence",
                0,
            )
            return
        source = matrix.sources.get(first.source)
        if source is None:
            return
        if not source.is_pinned:
            yield claim.finding(
                CODE,
                f"C rests on '{first.source}', which is not pinned",
                "give the source a version (a commit) or the sha256 of its bytes",
                "evidence",
                0,
                "source",
            )
        if source.record.kind == "package" and not first.path:
            yield claim.finding(
                CODE,
                f"C names the package '{first.source}' and no file in it",
                "add `path:` with the file inside the package",
                "evidence",
                0,
            )
    elif isinstance(first, Artifact):
        yield claim.finding(
            CODE,
            "D rests on an expression",
            "write label C, or put the fragment of text first",
            "evidence",
            0,
        )
