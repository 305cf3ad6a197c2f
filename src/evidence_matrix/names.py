"""Names that hold digits: what a chapter may write without a claim, because it counts nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence_matrix.matrix import Matrix

_EDGE = r"(?<![\w.])"
_END = r"(?![\w]|\.\d)"


def name_pattern(matrix: Matrix) -> re.Pattern[str]:
    """One pattern for every name with a digit that the matrix knows, longest first."""
    names = sorted({name for name in _names(matrix) if any(c.isdigit() for c in name)}, key=len)
    if not names:
        return re.compile(r"(?!)")
    alternatives = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in reversed(names))
    return re.compile(rf"{_EDGE}(?:{alternatives})(?:s|'s|’s)?{_END}")


def _names(matrix: Matrix) -> Iterator[str]:
    for subject in matrix.subjects.values():
        yield from (subject.id, subject.record.name, *subject.record.aliases)
        yield from subject.record.scopes
        yield from _parts(subject.record.name)
    for term in matrix.terms.values():
        yield from (term.record.name, *term.record.aliases)
        if term.record.expansion:
            yield term.record.expansion
    for lab in matrix.labs.values():
        yield from (lab.record.name, *lab.record.aliases)
    for aspect in matrix.aspects.values():
        yield aspect.record.title
    for source in matrix.sources.values():
        yield source.record.title


def _parts(name: str) -> Iterator[str]:
    """`DeepSeek-V3.2` is also written `V3.2`, `Kimi K2.5` also `K2.5`."""
    for part in re.split(r"[ -]", name):
        if re.search(r"[A-Za-z]", part) and re.search(r"\d", part):
            yield part
