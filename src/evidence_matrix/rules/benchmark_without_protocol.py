"""A benchmark score stands without its protocol.

## Why
Scores differ by harness, effort, samples and tools as much as by model. What the source does not
say is said to be not stated.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  bench.pond:
    label: D
    value: 71.4%
    evidence:
      - {source: egret-2-card, at: "line 5", quote: "Wren solves 71.4% of PondBench"}
    public: 2025-06
    checked: 2026-07-19
```

## Good
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  bench.pond:
    label: D
    value: 71.4%
    protocol: {by: Acme AI, harness: not stated, effort: not stated, samples: not stated, tools: none}
    evidence:
      - {source: egret-2-card, at: "line 5", quote: "Wren solves 71.4% of PondBench"}
    public: 2025-06
    checked: 2026-07-19
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.rules import Scope

CODE = "EM120"
SCOPE = Scope.CLAIM


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    if claim.record.protocol is not None or not claim.aspect.startswith("bench."):
        return
    if claim.label is not Label.U:
        yield claim.finding(
            CODE,
            "a benchmark score without protocol",
            "add `protocol: {by: …, harness: …, effort: …, samples: …, tools: …}`, each given or "
            "`not stated`",
        )
