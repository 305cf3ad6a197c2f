"""A line of a chapter ends within a hyphenated word.

## Why
Where lines are joined the space stays, and the page prints `out-of- distribution`.

## Bad
```markdown
# docs/chapters/wrens.md
# Wrens

They do well on out-of-
distribution tasks.
```

## Good
```markdown
# docs/chapters/wrens.md
# Wrens

They do well on out-of-distribution tasks.
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence_matrix.findings import Finding, Severity
from evidence_matrix.matrix import Matrix
from evidence_matrix.paragraphs import paragraphs
from evidence_matrix.rules import Scope

CODE = "EM504"
SCOPE = Scope.PAGE

_BROKEN = re.compile(r"[A-Za-z]-\n(?=[A-Za-z])")


def check(file: str, matrix: Matrix) -> Iterator[Finding]:
    for block in paragraphs(matrix.chapters[file]):
        for match in _BROKEN.finditer(block.text):
            yield Finding(
                CODE,
                Severity.ERROR,
                file,
                block.line + block.text.count("\n", 0, match.start()),
                0,
                "the line ends within a hyphenated word",
                "put the whole word on one line",
            )
