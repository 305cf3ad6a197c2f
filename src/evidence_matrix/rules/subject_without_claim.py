"""A paragraph names a subject and cites no claim of it.

## Why
What a chapter says of a model is attributed to a place in a source, or it is not said. A paragraph
that names one cites a claim of it, of its family or of a member; a link to its page does as well.

## Bad
```markdown
# docs/chapters/wrens.md
# Wrens

Heron-1 is large and was made with care.
```

## Good
```markdown
# docs/chapters/wrens.md
# Wrens

Heron-1 is trained with [@heron-1/rl.algorithm].
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence_matrix.findings import Finding, Severity
from evidence_matrix.matrix import Matrix, Subject
from evidence_matrix.paragraphs import paragraphs
from evidence_matrix.rules import Scope

CODE = "EM503"
SCOPE = Scope.PAGE


def check(file: str, matrix: Matrix) -> Iterator[Finding]:
    by_name = _subjects_by_name(matrix)
    names = "|".join(re.escape(name) for name in sorted(by_name, key=len, reverse=True))
    if not names:
        return
    pattern = re.compile(rf"(?<![\w.-])(?:{names})(?![\w-]|\.\d)")
    for block in paragraphs(matrix.chapters[file]):
        if block.kind != "paragraph":
            continue
        linked = " ".join(block.links)
        cited = {claim_id.partition("/")[0] for claim_id in block.cites}
        near = {relative for subject in cited for relative in _relatives(subject, matrix)}
        for name in dict.fromkeys(match[0] for match in pattern.finditer(block.text)):
            subject = by_name[name]
            if name in linked or near & set(_relatives(subject.id, matrix)):
                continue
            yield Finding(
                CODE,
                Severity.ERROR,
                file,
                block.line,
                1,
                f"the paragraph names {name} and cites no claim of it",
                f"cite one, `[@{subject.id}/…]`, or link to its page",
            )


def _subjects_by_name(matrix: Matrix) -> dict[str, Subject]:
    """Subjects with claims by names that cannot be taken for another word."""
    found = {}
    for subject in matrix.subjects.values():
        if not matrix.claims_of_subject[subject.id] or subject.record.kind == "method":
            continue
        name = subject.record.name
        if len(name) > 3 and any(char.isdigit() or char == "-" for char in name):
            found[name] = subject
    return found


def _relatives(subject_id: str, matrix: Matrix) -> Iterator[str]:
    """A subject, the families it is part of, and their members."""
    yield subject_id
    subject = matrix.subjects.get(subject_id)
    for member in matrix.members.get(subject_id, ()):
        yield member.id
    if subject is not None and subject.record.part_of:
        family = subject.record.part_of
        yield family
        for member in matrix.members.get(family, ()):
            yield member.id
