"""A transcription does not say of which document.

## Why
A reader has to know what was transcribed, and the document is what the claim is about.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.total:
    label: D
    value: 14.8B
    evidence:
      - {source: egret-2-card, via: wren-notes, at: "line 3", quote: "Wren has 14.8B parameters"}
    public: 2025-06
    checked: 2026-07-19
```

```bibtex
# sources/more.bib
@misc{wren-notes, title = {Notes}, lab = {acme}, kind = {transcription}, of = {egret-card}, url = {https://copies.example.org/w}, retrieved = {2026-07-19}}
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
      - {source: egret-2-card, via: wren-notes, at: "line 3", quote: "Wren has 14.8B parameters"}
    public: 2025-06
    checked: 2026-07-19
```

```bibtex
# sources/more.bib
@misc{wren-notes, title = {Notes}, lab = {acme}, kind = {transcription}, of = {egret-2-card}, url = {https://copies.example.org/w}, retrieved = {2026-07-19}}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Matrix, Source
from evidence_matrix.rules import Scope
from evidence_matrix.syntax.spelling import nearest

CODE = "EM310"
SCOPE = Scope.SOURCE


def check(source: Source, matrix: Matrix) -> Iterator[Finding]:
    of = source.record.of
    if source.record.kind == "transcription" and of is None:
        yield source.finding(
            CODE,
            f"'{source.key}' is a transcription of nothing",
            "add `of = {key}` with the key of the document",
        )
    elif of is not None and of not in matrix.sources:
        near = nearest(of, matrix.sources)
        yield source.finding(
            CODE,
            f"'{source.key}' is of '{of}', which is no source",
            f"write `{near}`" if near else "add the document as an entry of its own",
            "of",
        )
