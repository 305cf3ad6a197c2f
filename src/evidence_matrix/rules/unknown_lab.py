"""A lab is not in claims/labs.yaml.

## Why
Whether a source is primary is worked out from labs. A misspelled one would make a primary source
foreign.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.total:
    label: D
    value: 14.8B
    evidence:
      - {source: wren-paper, at: "line 3", quote: "Wren has 14.8B parameters"}
    public: 2025-06
    checked: 2026-07-19
```

```bibtex
# sources/more.bib
@report{wren-paper, title = {Wren}, lab = {acne}, kind = {paper}, date = {2025-06-01}, url = {https://wren.example.org/paper.pdf}}
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
      - {source: wren-paper, at: "line 3", quote: "Wren has 14.8B parameters"}
    public: 2025-06
    checked: 2026-07-19
```

```bibtex
# sources/more.bib
@report{wren-paper, title = {Wren}, lab = {acme}, kind = {paper}, date = {2025-06-01}, url = {https://wren.example.org/paper.pdf}}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Matrix
from evidence_matrix.rules import Scope
from evidence_matrix.syntax.spelling import nearest

CODE = "EM309"
SCOPE = Scope.MATRIX


def check(matrix: Matrix, _: Matrix) -> Iterator[Finding]:
    for source in matrix.sources.values():
        for lab in source.record.lab:
            if not _is_known(lab, matrix):
                yield source.finding(CODE, *_words(lab, matrix), "lab")
    for subject in matrix.subjects.values():
        if not _is_known(subject.lab, matrix):
            yield subject.finding(CODE, *_words(subject.lab, matrix))
        for index, lab in enumerate(subject.record.coauthors):
            if not _is_known(lab, matrix):
                yield subject.finding(CODE, *_words(lab, matrix), "coauthors", index)
    for wanted in matrix.wanted.values():
        if not _is_known(wanted.record.lab, matrix):
            yield wanted.finding(CODE, *_words(wanted.record.lab, matrix), "lab")


def _is_known(lab: str, matrix: Matrix) -> bool:
    unread = matrix.is_unread(lab) or matrix.is_unread("claims/labs.yaml")
    return lab in matrix.labs or unread


def _words(lab: str, matrix: Matrix) -> tuple[str, str]:
    near = nearest(lab, matrix.labs)
    return (
        f"there is no lab {lab!r}",
        f"write `{near}`" if near else "add it to claims/labs.yaml",
    )
