"""A transcription is cited as if it were the document.

## Why
Somebody typed or converted it, and nobody compared it. The document is the source; the
transcription is what it was read in.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.total:
    label: D
    value: 14.8B
    evidence:
      - {source: egret-2-card-transcription, at: "line 3", quote: "Wren has 14.8B parameters"}
    public: 2025-06
    checked: 2026-07-19
```

```bibtex
# sources/more.bib
@misc{egret-2-card-transcription, title = {Egret 2 card, typed by others}, lab = {acme}, kind = {transcription}, of = {egret-2-card}, url = {https://copies.example.org/egret-2}, retrieved = {2026-07-19}}
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
      - {source: egret-2-card, via: egret-2-card-transcription, at: "line 3", quote: "Wren has 14.8B parameters"}
    public: 2025-06
    checked: 2026-07-19
```

```bibtex
# sources/more.bib
@misc{egret-2-card-transcription, title = {Egret 2 card, typed by others}, lab = {acme}, kind = {transcription}, of = {egret-2-card}, url = {https://copies.example.org/egret-2}, retrieved = {2026-07-19}}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.rules import Scope

CODE = "EM210"
SCOPE = Scope.CLAIM


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    for index, piece in enumerate(claim.evidence):
        source = matrix.sources.get(piece.source)
        if source is not None and source.record.kind == "transcription":
            yield claim.finding(
                CODE,
                f"'{piece.source}' is a transcription",
                f"write `source: {source.record.of or 'the document'}, via: {piece.source}`",
                "evidence",
                index,
                "source",
            )
        via = matrix.sources.get(piece.via) if piece.via else None
        if via is not None and via.record.of != piece.source:
            yield claim.finding(
                CODE,
                f"'{piece.via}' is no copy of '{piece.source}'",
                f"cite the document it is of: `{via.record.of}`"
                if via.record.of
                else f"say so in its entry: `of = {{{piece.source}}}`",
                "evidence",
                index,
                "via",
            )
