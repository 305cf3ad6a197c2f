"""A ruling on a dispute is older than a claim that it links.

## Why
A ruling was made on what the claims said that day. When one is read again, somebody has to look
whether it still holds.

## Bad
```yaml
# claims/disputes.yaml
- {claims: [heron-1/params.total, heron-1/params.total@table-1], kind: rounding, reason: The abstract rounds., on: 2026-07-18}
```

## Good
```yaml
# claims/disputes.yaml
- {claims: [heron-1/params.total, heron-1/params.total@table-1], kind: rounding, reason: The abstract rounds., on: 2026-07-19}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Matrix
from evidence_matrix.rules import Scope

CODE = "EM402"
SCOPE = Scope.MATRIX


def check(matrix: Matrix, _: Matrix) -> Iterator[Finding]:
    before = {} if matrix.base is None else {d.record.claims: d for d in matrix.base.disputes}
    for dispute in matrix.disputes:
        ruling = dispute.record
        for claim_id in ruling.claims:
            claim = matrix.claims.get(claim_id)
            if claim is None:
                continue
            checked = claim.record.checked
            if checked is not None and ruling.on.latest < checked.latest:
                yield dispute.finding(
                    CODE,
                    f"ruled on {ruling.on}, and {claim_id} was read again on {checked}",
                    "look at the claims again, then set `on` to the day of the look",
                    "on",
                )
                break
            old = before.get(ruling.claims)
            if old is not None and matrix.base is not None and old.record.on == ruling.on:
                then = matrix.base.claims.get(claim_id)
                if then is not None and (then.value, then.label) != (claim.value, claim.label):
                    yield dispute.finding(
                        CODE,
                        f"{claim_id} has changed since the ruling of {ruling.on}",
                        "look at the claims again, then set `on` to the day of the look",
                        "on",
                    )
                    break
