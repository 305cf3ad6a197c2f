"""A key is not in the vocabulary.

## Why
Two names for one thing would be compared with nothing. The vocabulary says what each aspect
counts.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.totals:
    label: D
    value: 14.8B
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "Wren has 14.8B parameters"}
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

from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Matrix
from evidence_matrix.rules import Scope
from evidence_matrix.syntax.spelling import nearest

CODE = "EM102"
SCOPE = Scope.MATRIX


def check(matrix: Matrix, _: Matrix) -> Iterator[Finding]:
    for claim in matrix.claims.values():
        if not _is_known(claim.aspect, matrix):
            yield claim.finding(CODE, *_words(claim.aspect, matrix))
    for subject in matrix.subjects.values():
        for index, aspect in enumerate(subject.record.not_applicable):
            if not _is_known(aspect, matrix):
                yield subject.finding(CODE, *_words(aspect, matrix), "not_applicable", index)
    for question in matrix.questions.values():
        for index, aspect in enumerate(question.record.aspects):
            if not _is_known(aspect, matrix):
                yield question.finding(CODE, *_words(aspect, matrix), "aspects", index)
    for table in matrix.tables.values():
        for index, column in enumerate(table.record.columns):
            for aspect in column.aspects:
                if not _is_known(aspect, matrix):
                    yield table.finding(CODE, *_words(aspect, matrix), "columns", index)


def _is_known(aspect: str, matrix: Matrix) -> bool:
    unread = matrix.is_unread(aspect) or matrix.is_unread("claims/aspects.yaml")
    return aspect in matrix.aspects or unread


def _words(aspect: str, matrix: Matrix) -> tuple[str, str]:
    near = nearest(aspect, matrix.aspects)
    return (
        f"there is no aspect `{aspect}`",
        f"write `{near}`" if near else "add it to claims/aspects.yaml and say what it counts",
    )
