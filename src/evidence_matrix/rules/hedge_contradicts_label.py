"""The words of a claim say something else than its label.

## Why
Where records were wrong and every quote was true, the label contradicted the sentence beside it.
`Probably` is no disclosure, `not disclosed` is no value, and `we ran` needs a run.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.total:
    label: D
    value: 14.8B
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "Wren has 14.8B parameters"}
    means: probably without embeddings
    public: 2025-06
    checked: 2026-07-19
```

## Good
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.total:
    label: D
    value: 14.8B
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "Wren has 14.8B parameters"}
    public: 2025-06
    checked: 2026-07-19
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.rules import Scope

_GUESS = re.compile(
    r"\b(probably|presumably|likely|apparently|we (?:think|believe|guess|infer|assume|estimate)"
    r"|it seems|must have been)\b",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"^(not (?:disclosed|stated|given|known|specified)|undisclosed|unknown|n/?a|tbd|none given)\b",
    re.IGNORECASE,
)
_RUN = re.compile(r"\bwe (?:re-?ran|re-?run|reproduced?|ran)\b", re.IGNORECASE)

CODE = "EM119"
SCOPE = Scope.CLAIM


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    record = claim.record
    label = record.label
    if label != "U" and claim.value and _NOTHING.match(claim.value):
        yield claim.finding(
            CODE,
            f"the value says {claim.value!r} under label {label}",
            "write label U with what was looked for and where, or `not_applicable` in the head",
            "value",
        )
    for name in ("statement", "means"):
        words = getattr(record, name)
        if not words:
            continue
        if not _may_hedge(words.lower()):
            continue
        guess = _GUESS.search(words) if label in ("D", "C", "R") else None
        if guess:
            yield claim.finding(
                CODE,
                f"`{name}` says {guess.group()!r} under label {label}",
                "say only what the source says, or write label I with premises",
                name,
            )
        run = _RUN.search(words) if label != "R" else None
        if run:
            yield claim.finding(
                CODE,
                f"`{name}` says {run.group()!r} under label {label}",
                "write label R with a run record, or leave it out",
                name,
            )


def _may_hedge(lowered: str) -> bool:
    """A quick look before the patterns are tried, since nearly all sentences have no such word."""
    return (
        "we " in lowered
        or "likely" in lowered
        or "probab" in lowered
        or "presum" in lowered
        or "apparent" in lowered
        or "seems" in lowered
        or "must have" in lowered
    )
