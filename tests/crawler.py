"""A crawler of built sites: what a reader would trip over, page by page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urldefrag

from selectolax.lexbor import LexborHTMLParser

_LEFTOVER = re.compile(r"\{\{|\{%|\[@[a-z0-9]|Macro Syntax Error|Undefined|None</|\bTODO\b")
_LOADS = (("script", "src"), ("img", "src"), ("link[rel=stylesheet]", "href"), ("iframe", "src"))


class Crawl:
    """All pages of a folder, parsed once."""

    def __init__(self, site: Path) -> None:
        self.site = site
        self.pages = {path: LexborHTMLParser(path.read_text()) for path in site.rglob("*.html")}
        self.ids = {
            path: Counter(
                node.attributes["id"] for node in page.css("[id]") if node.attributes["id"]
            )
            for path, page in self.pages.items()
        }

    def faults(self) -> Iterator[str]:
        """Each fault in one line: the page, and what is wrong."""
        for path, page in self.pages.items():
            where = path.relative_to(self.site)
            if where.name == "404.html":
                continue
            for name, count in self.ids[path].items():
                if count > 1:
                    yield f"{where}: id {name!r} stands {count} times"
            for selector, attribute in _LOADS:
                for node in page.css(selector):
                    address = node.attributes.get(attribute) or ""
                    if address.startswith(("http:", "https:", "//")):
                        yield f"{where}: loads {address} from another host"
            for node in page.css("a[href]"):
                fault = self._link(path, node.attributes["href"] or "")
                if fault:
                    yield f"{where}: {fault}"
            body = page.css_first("article")
            for code in body.css("pre, code, .arithmatex") if body else ():
                code.decompose()
            leftover = _LEFTOVER.search(body.text() if body else "")
            if leftover:
                yield f"{where}: a leftover {leftover.group()!r}"

    def _link(self, page: Path, href: str) -> str | None:
        address, anchor = urldefrag(href)
        if address.startswith(("http:", "https:", "mailto:", "//")):
            return None
        if address.startswith("javascript:"):
            return f"a link that runs a script, {href!r}"
        target = (page.parent / unquote(address.partition("?")[0])).resolve() if address else page
        if target.is_dir():
            target = target / "index.html"
        if not target.exists():
            return f"a broken link, {href!r}"
        if anchor and target in self.ids and unquote(anchor) not in self.ids[target]:
            return f"a broken anchor, {href!r}"
        return None
