"""The search: one small page for each thing that can be found, indexed by Pagefind."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from selectolax.lexbor import LexborHTMLParser, LexborNode

from evidence_matrix.pages.page import Find, Page

FOLDER = "search"

_UNSEARCHED = (
    "[data-search-exclude], .em-notes, .em-crumbs, .headerlink, .highlight, .arithmatex, "
    "pre, script, style, svg, button"
)
# Signs within ids and numbers: 2412.19437, V3.2, params.active@table-1, GRPO-RoC.
_SIGNS = ".-/@_"
# Interfaces of Pagefind that the site does not use.
_UNUSED = ("pagefind-ui.*", "pagefind-modular-ui.*", "pagefind-highlight.js", "wasm.unknown.*")


class SearchError(Exception):
    """The index could not be made; the message is what Pagefind said."""


def index(pages: Iterable[Page], site: Path) -> int:
    """Write the index of a built site into its folder `search/`; gives the number of entries.

    Raises:
        SearchError: Pagefind failed.
    """
    with TemporaryDirectory() as folder:
        count = 0
        for url, find in finds(pages, site):
            path = Path(folder) / f"{count:06d}.html"
            path.write_text(_entry(url, find), encoding="utf-8")
            count += 1
        _run(Path(folder), site / FOLDER)
    return count


def finds(pages: Iterable[Page], site: Path) -> Iterator[tuple[str, Find]]:
    """What each page lets a reader find, with its address: from the records, else from its text."""
    for page in pages:
        for find in page.finds or (_sections(page, site) if page.search else ()):
            yield page.url + (f"#{find.anchor}" if find.anchor else ""), find


def _sections(page: Page, site: Path) -> Iterator[Find]:
    """The page cut at its headings: each is found by itself, under the page's title."""
    html = (site / page.url / "index.html").read_text(encoding="utf-8")
    article = LexborHTMLParser(html).css_first("article")
    if article is None:
        return
    for node in article.css(_UNSEARCHED):
        node.decompose()
    anchor, title, words = "", page.title, [page.description]
    for node in article.iter():
        heading = node.attributes.get("id") if node.tag in ("h2", "h3") else None
        if heading:
            yield Find(title, page.kind, anchor=anchor, text=" ".join(words))
            anchor, title, words = heading, f"{page.title}: {_text(node)}", []
        elif node.tag != "h1":
            words.append(_text(node))
    yield Find(title, page.kind, anchor=anchor, text=" ".join(words))


def _text(node: LexborNode) -> str:
    return " ".join(node.text(separator=" ").split())


def _entry(url: str, find: Find) -> str:
    """The entry as HTML with the weights of its parts: title and names first, then the text."""
    metas = {"url": url, "kind": find.kind, **find.answer}
    head = "".join(
        f'<meta data-pagefind-meta="{name}[content]" content="{escape(text)}">'
        for name, text in metas.items()
        if text
    )
    names = "".join(
        f'<p data-pagefind-meta="{name}" data-pagefind-weight="{weight}">{escape(text)}</p>'
        for name, weight, text in (("id", 5, find.id), ("names", 10, " | ".join(find.names)))
        if text
    )
    return (
        f'<!doctype html><html lang="en"><head>{head}</head><body>'
        f'<h1 data-pagefind-weight="10">{escape(find.title)}</h1>'
        f"{names}<p>{escape(find.text)}</p></body></html>"
    )


def _run(source: Path, output: Path) -> None:
    command = [sys.executable, "-m", "pagefind", "--site", str(source), "--output-path"]
    done = subprocess.run(
        [*command, str(output), "--force-language", "en", "--include-characters", _SIGNS],
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        raise SearchError(done.stderr.strip() or done.stdout.strip())
    for pattern in _UNUSED:
        for path in output.glob(pattern):
            path.unlink()
