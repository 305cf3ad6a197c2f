"""Finished HTML within Markdown: set apart by `fence`, and handed on as it is by the extension.

Python-Markdown and MkDocs each read all HTML of a page tag by tag, which is most of the time that a
page of claims takes. What the templates made needs no reading.
"""

from __future__ import annotations

import re

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor
from markupsafe import Markup

_FENCED = re.compile(r"^<!--finished-->\n(.*?)\n<!--/finished-->$", re.DOTALL | re.MULTILINE)
# After the line ends are made alike (30), before anybody looks for code (25) or HTML (20, 21).
_PRIORITY = 28


def fence(html: str) -> Markup:
    """Finished HTML as a block of a Markdown page; nothing, if there is none."""
    text = str(html).strip()
    return Markup(f"\n\n<!--finished-->\n{text}\n<!--/finished-->\n\n" if text else "")  # escaped


class _Stash(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        def keep(match: re.Match[str]) -> str:
            return f"\n{self.md.htmlStash.store(match[1])}\n"

        return _FENCED.sub(keep, "\n".join(lines)).split("\n")


class FinishedHtml(Extension):
    """Fenced HTML is taken out of a page before it is read, and put back at the end."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (the name is Markdown's)
        """Put our look at the page before all others that look at HTML or code."""
        md.preprocessors.register(_Stash(md), "finished_html", _PRIORITY)


def makeExtension(**settings: object) -> FinishedHtml:  # noqa: N802 (the name is Markdown's)
    """What Markdown calls when a configuration names this module as an extension."""
    return FinishedHtml(**settings)
