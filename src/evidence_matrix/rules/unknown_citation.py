"""A chapter cites a claim that does not exist, or one without a value.

## Why
A citation is where a chapter's facts come from. One that leads nowhere is a typed number in
disguise.

## Bad
```markdown
# docs/chapters/wrens.md
# Wrens

Heron-1 has [@heron-1/params.totals] parameters.
```

## Good
```markdown
# docs/chapters/wrens.md
# Wrens

Heron-1 has [@heron-1/params.total] parameters.
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding, Severity, shown
from evidence_matrix.matrix import Matrix
from evidence_matrix.prose import broken_citations, citations
from evidence_matrix.rules import Scope
from evidence_matrix.syntax.spelling import nearest

CODE = "EM502"
SCOPE = Scope.PAGE


def check(file: str, matrix: Matrix) -> Iterator[Finding]:
    for line, column in broken_citations(matrix.chapters[file]):
        yield Finding(
            CODE,
            Severity.ERROR,
            file,
            line,
            column,
            "`[@` begins no citation and would be printed as it is",
            "write `[@subject/aspect]`, without spaces and on one line",
        )
    for cited in citations(matrix.chapters[file]):
        where = (file, cited.line, cited.column)
        claim_id = cited.id
        if claim_id in matrix.moved:
            claim_id = matrix.moved[claim_id].record
        if claim_id not in matrix.claims:
            if matrix.is_unread(claim_id):
                continue
            near = nearest(claim_id, matrix.claims)
            yield Finding(
                CODE,
                Severity.ERROR,
                *where,
                f"there is no claim {shown(cited.id)!r}",
                f"write `[@{near}]`" if near else "write the id of a claim: subject/aspect",
            )
        elif cited.part not in (None, "value"):
            yield Finding(
                CODE,
                Severity.ERROR,
                *where,
                f"`|{cited.part}` names no part of a claim",
                "write `[@id]` for value and label, or `[@id|value]` for the value alone",
            )
        elif matrix.claims[claim_id].record.withdrawn:
            yield Finding(
                CODE,
                Severity.ERROR,
                *where,
                f"{claim_id} is withdrawn",
                "cite another claim, or take the sentence out",
            )
