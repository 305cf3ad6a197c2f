"""A claim is R and names no run of this repository.

## Why
Reproduced means that the outputs are here and anyone can make them again.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren ratio, kind: method}
claims:
  loss.ratio:
    label: R
    run: acme-rato
    read: {file: result.json, at: "$.ratio"}
    value: 1.8
    public: 2026-07-19
    checked: 2026-07-19
```

## Good
```yaml
# claims/acme/wren.yaml
subject: {name: Wren ratio, kind: method}
claims:
  loss.ratio:
    label: R
    run: acme-ratio
    read: {file: result.json, at: "$.ratio"}
    value: 1.8
    public: 2026-07-19
    checked: 2026-07-19
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.records import ReproducedClaim
from evidence_matrix.rules import Scope
from evidence_matrix.syntax.spelling import nearest

CODE = "EM601"
SCOPE = Scope.CLAIM
LABELS = frozenset({Label.R})


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    record = claim.record
    if not isinstance(record, ReproducedClaim):
        return
    if record.run is None or record.run not in matrix.runs:
        if record.run is not None and matrix.is_unread(record.run):
            return
        near = nearest(record.run, matrix.runs) if record.run else None
        yield claim.finding(
            CODE,
            f"there is no run {record.run!r}" if record.run else "R without a run",
            f"write `run: {near}`" if near else "add sources/runs/<id>/run.yaml and its outputs",
            "run",
        )
    elif record.read is None:
        yield claim.finding(
            CODE,
            "R does not say where in the outputs its value stands",
            'add `read: {file: result.json, at: "$.name"}`',
            "run",
        )
    elif record.read.file not in {output.path for output in matrix.runs[record.run].record.outputs}:
        yield claim.finding(
            CODE,
            f"{record.read.file!r} is no output of the run {record.run}",
            "name one of: "
            + ", ".join(output.path for output in matrix.runs[record.run].record.outputs),
            "read",
            "file",
        )
