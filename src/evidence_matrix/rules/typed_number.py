"""A number in a chapter comes from no claim.

## Why
Nothing checks a number that somebody typed: it drifts from the record, and no reader can see where
it comes from. A number is cited; what counts nothing (a name, a year, a table's number) is free.

## Bad
```markdown
# docs/chapters/wrens.md
# Wrens

Wren was trained on 4.2T tokens.
```

## Good
```markdown
# docs/chapters/wrens.md
# Wrens

In 2025 Heron-1 had [@heron-1/params.total|value] parameters, says Table 2 of its report.
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence_matrix.findings import Finding, Severity
from evidence_matrix.matrix import Matrix
from evidence_matrix.names import name_pattern
from evidence_matrix.paragraphs import paragraphs
from evidence_matrix.rules import Scope

CODE = "EM501"
SCOPE = Scope.PAGE

_FREE = re.compile(
    r"\b(?:Figures?|Tables?|Sections?|Sec\.|Eqs?\.|Equations?|Algorithms?|Appendix|Chapters?|Steps?"
    r"|Stages?|Eras?|Rules?|Parts?|Phases?|EM)\s*[0-9]+(?:\.[0-9]+)*(?:\s*(?:–|-|to|and|,)\s*[0-9]+)*"
    r"|(?<![\w.,])(?:19|20)[0-9]{2}(?:s\b|(?![\w]|[.,][0-9]|-[0-9]|\s*(?:tokens|parameters)))",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"[$€£~≈<>]?\d[\d.,]*(?:[eE][+-]?\d+)?(?:\s?[%×])?[A-Za-z]{0,2}")
_WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    "|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred"
    "|thousand|million|billion|trillion"
)
_SCALED = re.compile(
    rf"\b(?:(?:{_WORDS})[ -])*(?:{_WORDS})[ -](?:hundred|thousand|million|billion|trillion|percent)\b",
    re.IGNORECASE,
)
_HEADING_NUMBER = re.compile(r"^\s*[0-9]+(?:\.[0-9]+)*[.)]?\s")


def check(file: str, matrix: Matrix) -> Iterator[Finding]:
    if any(name.startswith("claims/") for name in matrix.unread):
        return  # a digit may be part of a name that could not be read
    names = name_pattern(matrix)
    units = _unit_pattern(matrix)
    lines = matrix.chapters[file].split("\n")
    for block in paragraphs(matrix.chapters[file]):
        text = _HEADING_NUMBER.sub("", block.text) if block.kind == "heading" else block.text
        text = _FREE.sub(_blank, names.sub(_blank, text))
        for pattern in (_DIGITS, _SCALED, units):
            for match in pattern.finditer(text):
                written = match[0].strip(" .,")
                line = block.line + text.count("\n", 0, match.start())
                source = lines[line - 1] if line <= len(lines) else ""
                yield Finding(
                    CODE,
                    Severity.ERROR,
                    file,
                    line,
                    source.find(written) + 1,
                    f"the number {written!r} comes from no claim",
                    "write `[@claim]`, or `[@claim|value]` for the value alone",
                )
            text = pattern.sub(_blank, text)


def _unit_pattern(matrix: Matrix) -> re.Pattern[str]:
    """Number words before a unit of the vocabulary: `sixteen experts`."""
    units = {
        aspect.record.unit
        for aspect in matrix.aspects.values()
        if aspect.record.unit and re.fullmatch(r"[a-z]{4,}", aspect.record.unit)
    } - {"stages", "steps", "ways", "methods", "kinds", "models", "rounds", "teachers", "domains"}
    words = "|".join(sorted(units)) or "(?!)"
    number = _WORDS.removeprefix("one|")
    return re.compile(rf"\b(?:{number}) (?:{words})\b", re.IGNORECASE)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])
