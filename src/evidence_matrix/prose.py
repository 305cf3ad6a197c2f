"""Prose: chapters whose numbers come from claims, and the citations that put them there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from evidence_matrix.yaml_lines import Entries, read_yaml

CITATION = re.compile(r"\[@(?P<id>[^\]\s|]+)(?:\|(?P<part>[a-z]+))?\]")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_CODE = re.compile(r"(`+)(?:.*?)\1")


@dataclass(frozen=True, slots=True)
class Citation:
    """`[@id]` or `[@id|value]` in a chapter: the claim, and whether its label is printed.

    Attributes:
        line: line of the chapter, from 1.
        column: column of the bracket, from 1.
    """

    id: str
    part: str | None
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter: what its head says, its title and its Markdown below the title.

    Attributes:
        head: `lab`, `subjects`, `order`, `summary` from the head of the file.
        first: line of the file at which `body` begins.
    """

    id: str
    head: Mapping[str, str | list[str]]
    title: str
    body: str
    first: int


def chapter(file: str, text: str) -> Chapter:
    """The chapter that a file holds: an optional YAML head, a `# title`, and the rest."""
    name = PurePosixPath(file).stem
    head: Mapping[str, str | list[str]] = {}
    lines = text.split("\n")
    start = 0
    if lines[0] == "---" and "---" in lines[1:]:
        end = lines.index("---", 1)
        node, _ = read_yaml("\n".join(lines[1:end]), file=file)
        head = node if isinstance(node, Entries) else {}
        start = end + 1
    title = name.replace("-", " ")
    for number in range(start, len(lines)):
        if lines[number].startswith("# "):
            title = lines[number][2:].strip()
            start = number + 1
            break
    return Chapter(name, head, title, "\n".join(lines[start:]), start + 1)


def citations(text: str) -> Iterator[Citation]:
    """Every citation of a chapter outside code."""
    for number, line in _lines_of_prose(text):
        for match in CITATION.finditer(_blank_code(line)):
            yield Citation(match["id"], match["part"], number, match.start() + 1)


def broken_citations(text: str) -> Iterator[tuple[int, int]]:
    """Line and column of every `[@` outside code that begins no citation."""
    for number, line in _lines_of_prose(text):
        blanked = _blank_code(line)
        whole = {match.start() for match in CITATION.finditer(blanked)}
        for match in re.finditer(r"\[@", blanked):
            if match.start() not in whole:
                yield number, match.start() + 1


def replace_citations(text: str, show: Callable[[Citation], str]) -> str:
    """The chapter with each citation outside code replaced by what `show` gives for it."""
    lines = text.split("\n")
    for number, line in _lines_of_prose(text):
        blanked = _blank_code(line)
        parts: list[str] = []
        end = 0
        for match in CITATION.finditer(blanked):
            cited = Citation(match["id"], match["part"], number, match.start() + 1)
            parts += [line[end : match.start()], show(cited)]
            end = match.end()
        if parts:
            lines[number - 1] = "".join(parts) + line[end:]
    return "\n".join(lines)


def _lines_of_prose(text: str) -> Iterator[tuple[int, str]]:
    fence = ""
    for number, line in enumerate(text.split("\n"), start=1):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip(" `~"):
                fence = ""
        elif mark:
            fence = mark[1]
        else:
            yield number, line


def _blank_code(line: str) -> str:
    return _CODE.sub(lambda match: " " * len(match[0]), line)
