"""A path leads out of its folder.

## Why
A path with `..` or from the root would open files that no source holds.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  experts.routed:
    label: C
    value: "64"
    evidence:
      - {source: egret-2-card, path: ../../secret.json, read: "$.n"}
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
      - {source: egret-2-card, path: config/model.json, read: "$.n"}
    public: 2025-06
    checked: 2026-07-19
```
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from evidence_matrix.evidence import Artifact
from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.records import ReproducedClaim
from evidence_matrix.rules import Scope

CODE = "EM213"
SCOPE = Scope.CLAIM


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    for index, piece in enumerate(claim.evidence):
        if isinstance(piece, Artifact) and piece.path and escapes(piece.path):
            yield _finding(claim, piece.path, "evidence", index, "path")
    record = claim.record
    if isinstance(record, ReproducedClaim) and record.read and escapes(record.read.file):
        yield _finding(claim, record.read.file, "read", "file")


def escapes(path: str) -> bool:
    """Whether a path is absolute, goes up, or holds a backslash or a drive."""
    pure = PurePosixPath(path)
    return pure.is_absolute() or ".." in pure.parts or "\\" in path or ":" in path


def _finding(claim: Claim, path: str, *where: str | int) -> Finding:
    return claim.finding(
        CODE,
        f"the path {path!r} leads out of its folder",
        "write a path below the package or the run, such as `config/model.json`",
        *where,
    )
