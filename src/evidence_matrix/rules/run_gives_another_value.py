"""The outputs of a run give another value than the claim.

## Why
An R claim is read from the outputs, not remembered.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren ratio, kind: method}
claims:
  loss.ratio:
    label: R
    run: acme-ratio
    read: {file: result.json, at: "$.ratio"}
    value: 1.9
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

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from evidence_matrix.findings import Finding
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.quantity import Quantity, QuantityError, parse_quantity
from evidence_matrix.records import ReproducedClaim
from evidence_matrix.rules import Scope

CODE = "EM603"
SCOPE = Scope.CLAIM
LABELS = frozenset({Label.R})

_MEMBERS = re.compile(r"\$(?:\.[A-Za-z_][A-Za-z0-9_]*)+")  # `$.a.b`


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    record = claim.record
    if not isinstance(record, ReproducedClaim) or record.read is None:
        return
    run = matrix.runs.get(record.run or "")
    if run is None:
        return
    path = (matrix.root / run.file).parent / record.read.file
    if not path.is_file():
        return
    found = _read(path, path.stat().st_mtime_ns, record.read.at)
    if len(found) != 1:
        yield claim.finding(
            CODE,
            f"{record.read.at} gives {len(found)} values in {record.read.file}",
            "write a JSONPath that gives one value, such as `$.ratio`",
            "read",
            "at",
        )
    elif not _agrees(claim, found[0]):
        yield claim.finding(
            CODE,
            f"the run gives {found[0]}, and the value is {claim.value}",
            "write what the outputs hold, to the digits you keep",
            "value",
        )


@lru_cache(maxsize=256)
def _read(path: Path, _changed: int, expression: str) -> tuple[Any, ...]:
    outputs = json.loads(path.read_bytes())
    if _MEMBERS.fullmatch(expression):
        return _at(outputs, expression.split(".")[1:])
    import jsonpath  # costs a tenth of a second, and most runs are read at a plain name

    return tuple(jsonpath.findall(expression, outputs))


def _at(node: Any, names: list[str]) -> tuple[Any, ...]:
    """What stands under names that lead from mapping to mapping."""
    for name in names:
        if not isinstance(node, dict) or name not in node:
            return ()
        node = node[name]
    return (node,)


def _agrees(claim: Claim, found: Any) -> bool:
    if not isinstance(claim.parsed, Quantity):
        return str(found) == claim.value
    try:
        return claim.parsed.meets(parse_quantity(str(found)))
    except QuantityError:
        return False
