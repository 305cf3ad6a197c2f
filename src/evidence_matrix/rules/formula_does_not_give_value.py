"""The formula gives another number than the value.

## Why
A changed premise, a slip in the formula or a lost unit: whichever it is, the page would print a
sum that does not hold.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.active_share:
    label: I
    premises: {active: heron-1/params.active, total: heron-1/params.total}
    formula: active / total
    value: 9.3%
    checked: 2026-07-19
```

## Good
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.active_share:
    label: I
    premises: {active: heron-1/params.active, total: heron-1/params.total}
    formula: active / total
    value: 8.3%
    checked: 2026-07-19
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix import formula
from evidence_matrix.findings import Finding, shown
from evidence_matrix.formula_value import disagreement
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.quantity import Quantity
from evidence_matrix.records import InferredClaim
from evidence_matrix.rules import Scope

CODE = "EM118"
SCOPE = Scope.CLAIM
LABELS = frozenset({Label.I})


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    record = claim.record
    if not isinstance(record, InferredClaim) or not record.formula:
        return
    values: dict[str, Quantity] = {}
    for name, premise in record.premises.items():
        other = matrix.claims.get(premise)
        if other is None or other.label is Label.U:
            return  # told by the rules on premises
        if other.parsed is None and other.value is not None:
            return  # its value cannot be read, which is told there
        if isinstance(other.parsed, Quantity):
            values[name] = other.parsed
    try:
        computed = formula.evaluate(record.formula, values)
    except formula.FormulaError as error:
        yield claim.finding(
            CODE, f"`{shown(record.formula)}` gives nothing: {error}", error.hint, "formula"
        )
        return
    fault = disagreement(claim.parsed, computed) if isinstance(claim.parsed, Quantity) else None
    if fault is not None:
        yield claim.finding(
            CODE,
            f"the formula `{shown(record.formula)}` gives {computed.format()}, "
            f"and the value is {claim.value}: {fault}",
            "look at the premises again and write what follows from them, to the digits they allow",
            "value",
        )
