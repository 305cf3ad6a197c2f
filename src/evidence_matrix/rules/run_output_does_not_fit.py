"""An output of a run is missing, or has other bytes than its record says.

## Why
The value of an R claim is read from the outputs. Changed outputs are other results.

## Bad
```json
# sources/runs/acme-ratio/result.json
{"ratio": 1.9}
```

## Good
Outputs as the run wrote them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Matrix
from evidence_matrix.rules import Scope

CODE = "EM602"
SCOPE = Scope.MATRIX


def check(matrix: Matrix, _: Matrix) -> Iterator[Finding]:
    for run in matrix.runs.values():
        folder = (matrix.root / run.file).parent
        for index, output in enumerate(run.record.outputs):
            path = folder / output.path
            where = ("outputs", index)
            if not path.is_file():
                yield run.finding(
                    CODE,
                    f"the output {output.path} is missing",
                    f"run `evidence-matrix rerun {run.record.id}` and commit what it writes",
                    *where,
                )
            elif hashlib.sha256(path.read_bytes()).hexdigest() != output.sha256:
                yield run.finding(
                    CODE,
                    f"the output {output.path} has other bytes than its record says",
                    f"run `evidence-matrix rerun {run.record.id}`; never edit an output",
                    *where,
                )
