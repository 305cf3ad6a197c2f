"""A receipt does not fit its source.

## Why
A receipt says what was seen in bytes. One that was typed, edited or made from other bytes says
nothing.

## Bad
```json
# sources/receipts/egret-2-card.json
{"source": "egret-2-card"}
```

## Good
Receipts as `evidence-matrix verify` writes them.
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding, Severity
from evidence_matrix.matrix import Matrix
from evidence_matrix.receipts import FOLDER, faults_of
from evidence_matrix.rules import Scope

CODE = "EM211"
SCOPE = Scope.MATRIX


def check(matrix: Matrix, _: Matrix) -> Iterator[Finding]:
    for key, receipt in matrix.receipts.items():
        for message, hint in faults_of(receipt, matrix.root, matrix):
            yield Finding(CODE, Severity.ERROR, f"{FOLDER}/{key}.json", 1, 1, message, hint)
