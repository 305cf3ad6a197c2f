"""Inferences rest on each other in a ring.

## Why
With nothing beneath them, each would prove the other.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.active:
    label: I
    premises: {share: wren/params.active_share}
    formula: share * 100
    value: 8B
    checked: 2026-07-19
  params.active_share:
    label: I
    premises: {active: wren/params.active}
    formula: active / 100
    value: 8%
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

from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Matrix
from evidence_matrix.records import InferredClaim
from evidence_matrix.rules import Scope

CODE = "EM116"
SCOPE = Scope.MATRIX


def check(matrix: Matrix, _: Matrix) -> Iterator[Finding]:
    premises = {
        claim.id: tuple(claim.record.premises.values())
        for claim in matrix.claims.values()
        if isinstance(claim.record, InferredClaim)
    }
    done: set[str] = set()
    for start in premises:
        ring = _ring(start, premises, done)
        if ring:
            claim = matrix.claims[ring[0]]
            places = ", ".join(
                f"{matrix.claims[step].file}:{matrix.claims[step].place.line}" for step in ring
            )
            yield claim.finding(
                CODE,
                f"premises go round: {' -> '.join([*ring, ring[0]])} ({places})",
                "let one of them rest on a claim that is not an inference",
                "premises",
            )


def _ring(start: str, premises: dict[str, tuple[str, ...]], done: set[str]) -> list[str]:
    """The ids of a cycle that can be reached from `start`, in order; empty if there is none."""
    path: list[str] = []
    stack = [(start, iter(premises.get(start, ())))]
    while stack:
        here, rest = stack[-1]
        if len(path) < len(stack):
            path.append(here)
        following = next(rest, None)
        if following is None:
            done.add(here)
            stack.pop()
            path.pop()
        elif following in path:
            done.update(path)
            return path[path.index(following) :]
        elif following in premises and following not in done:
            stack.append((following, iter(premises[following])))
    return []
