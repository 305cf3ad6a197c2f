"""Paragraphs: the text of a chapter as a reader reads it, without code, math and link targets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from evidence_matrix.prose import CITATION

_MATH = re.compile(r"\$\$.+?\$\$|\\\[.+?\\\]|\\\(.+?\\\)|(?<![\\$\w])\$[^$\n]+?\$(?!\w)", re.DOTALL)
_EXAMPLE = re.compile(r"^::: *example\b.*?^:::\s*$", re.MULTILINE | re.DOTALL)
_HEAD = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_ATTRIBUTES = re.compile(r"\{:?\s*[#.][^}\n]*\}")
CITED = "\ufffc"  # stands for a citation while a paragraph is read
_MARK = re.compile(f"{CITED}([0-9]+){CITED}")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A block of running text.

    Attributes:
        kind: paragraph, heading or cell.
        text: its words; each citation is one `CITED` sign, and code, math and addresses are gone.
        line: line of the file where it begins, from 1.
        cites: ids of the claims it cites, in order.
        links: text of its links, which lead to what they name.
    """

    kind: str
    text: str
    line: int
    cites: tuple[str, ...]
    links: tuple[str, ...]


@lru_cache(maxsize=256)
def paragraphs(text: str) -> tuple[Paragraph, ...]:
    """The blocks of a chapter, in order."""
    return tuple(_paragraphs(text))


def _paragraphs(text: str) -> Iterator[Paragraph]:
    from markdown_it import MarkdownIt  # only where there are chapters to read

    for pattern in (_HEAD, _EXAMPLE, _MATH, _ATTRIBUTES):
        text = pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    cited: list[str] = []

    def mark(match: re.Match[str]) -> str:
        cited.append(match["id"])
        return f"{CITED}{len(cited) - 1}{CITED}"

    marked = CITATION.sub(mark, text)
    opened = ""
    line = 1
    for token in MarkdownIt("commonmark").enable("table").parse(marked):
        if token.map:
            line = token.map[0] + 1
        if token.type in ("heading_open", "paragraph_open", "th_open", "td_open"):
            opened = token.type.partition("_")[0]
        if token.type != "inline":
            continue
        parts: list[str] = []
        links: list[str] = []
        inside = 0
        for child in token.children or ():
            if child.type == "link_open":
                inside += 1
                links.append("")
            elif child.type == "link_close":
                inside -= 1
            elif child.type == "text":
                parts.append(child.content)
                if inside:
                    links[-1] += child.content
            elif child.type in ("softbreak", "hardbreak"):
                parts.append("\n")
            elif child.type == "code_inline":
                parts.append(" ")
        words = "".join(parts)
        cites = tuple(cited[int(match[1])] for match in _MARK.finditer(words))
        kind = {"th": "cell", "td": "cell"}.get(opened, opened or "paragraph")
        yield Paragraph(
            kind,
            _MARK.sub(CITED, words),
            line,
            cites,
            tuple(_MARK.sub(CITED, link) for link in links),
        )
