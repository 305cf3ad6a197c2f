"""A claim says absent, and the whole texts were not searched.

## Why
Absent is a statement about every page. An excerpt, a transcription or a text that was never
searched by its hash cannot carry it.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  cost.training:
    label: U
    looked_for: [cost]
    looked_in: [egret-2-card]
    reason: absent
    checked: 2026-07-19
```

## Good
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  cost.training:
    label: U
    looked_for: [cost]
    looked_in: [egret-2-card]
    reason: not verifiable
    next: [heron-1-cost-note]
    checked: 2026-07-19
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.receipts import is_whole
from evidence_matrix.records import UnknownClaim
from evidence_matrix.rules import Scope

CODE = "EM112"
SCOPE = Scope.CLAIM
LABELS = frozenset({Label.U})


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    record = claim.record
    if not isinstance(record, UnknownClaim):
        return
    if record.reason == "absent":
        for index, key in enumerate(record.looked_in):
            if key in matrix.sources and not is_whole(key, matrix):
                yield claim.finding(
                    CODE,
                    f"says absent, but the whole text of '{key}' was not searched by its hash",
                    "run `evidence-matrix verify` with its bytes, or write reason `not verifiable` "
                    "and name in `next` what to read",
                    "looked_in",
                    index,
                )
    elif record.reason == "not verifiable" and not record.next:
        yield claim.finding(
            CODE,
            "says not verifiable and names no document to read next",
            "add `next:` with keys of claims/wanted.yaml or of sources",
        )
