"""A heading carries a label or a citation.

## Why
A label on a heading blesses all that stands below it. Each claim has its own label, beside its
value.

## Bad
```markdown
# docs/chapters/wrens.md
# Wrens

## Architecture [D]

They fly.
```

## Good
```markdown
# docs/chapters/wrens.md
# Wrens

## Architecture

They fly.
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence_matrix.findings import Finding, Severity
from evidence_matrix.matrix import Matrix
from evidence_matrix.paragraphs import paragraphs
from evidence_matrix.rules import Scope

CODE = "EM505"
SCOPE = Scope.PAGE

_LABEL = re.compile(r"\[[DCRIU](?:[/,][DCRIU])*\]")


def check(file: str, matrix: Matrix) -> Iterator[Finding]:
    for block in paragraphs(matrix.chapters[file]):
        label = _LABEL.search(block.text)
        if block.kind == "heading" and (block.cites or label):
            what = label[0] if label else f"[@{block.cites[0]}]"
            yield Finding(
                CODE,
                Severity.ERROR,
                file,
                block.line,
                1,
                f"the heading carries {what}",
                "cite each claim where it is said, below the heading",
            )
