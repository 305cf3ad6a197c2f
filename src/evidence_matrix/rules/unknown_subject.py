"""A record names a subject that has no file.

## Why
Lineage, families and tables are drawn from these names.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model, part_of: wrens}
claims:
  params.total:
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

CODE = "EM109"
SCOPE = Scope.MATRIX


def check(matrix: Matrix, _: Matrix) -> Iterator[Finding]:
    for subject in matrix.subjects.values():
        record = subject.record
        if record.part_of and not _is_known(record.part_of, matrix):
            yield subject.finding(CODE, *_words(record.part_of, matrix), "part_of")
        bases = (record.base,) if isinstance(record.base, str) else record.base or ()
        for base in bases:
            if not _is_known(base, matrix):
                yield subject.finding(CODE, *_words(base, matrix), "base")
    for claim in matrix.claims.values():
        aspect = matrix.aspects.get(claim.aspect)
        if aspect is not None and aspect.record.kind == "reference" and claim.value is not None:
            for name in claim.value.split(", "):
                if not _is_known(name, matrix):
                    yield claim.finding(CODE, *_words(name, matrix), "value")
    for wanted in matrix.wanted.values():
        for index, name in enumerate(wanted.record.subjects):
            if not _is_known(name, matrix):
                yield wanted.finding(CODE, *_words(name, matrix), "subjects", index)
    for table in matrix.tables.values():
        known = matrix.labs if table.record.rows_are == "labs" else matrix.subjects
        for index, name in enumerate(table.record.rows):
            if name not in known and name not in matrix.labs and not matrix.is_unread(name):
                yield table.finding(CODE, *_words(name, matrix), "rows", index)


def _is_known(name: str, matrix: Matrix) -> bool:
    return name in matrix.subjects or matrix.is_unread(name)


def _words(name: str, matrix: Matrix) -> tuple[str, str]:
    near = nearest(name, matrix.subjects)
    return (
        f"there is no subject {name!r}",
        f"write `{near}`" if near else "add its file: claims/<lab>/<subject>.yaml",
    )
