"""One page of the tiny world, as it stands before the site generator reads it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from selectolax.lexbor import LexborHTMLParser

from evidence_matrix.pages.addresses import Addresses
from evidence_matrix.pages.composer import Composer
from evidence_matrix.pages.page import Page
from evidence_matrix.render import environment
from evidence_matrix.store import Loaded
from evidence_matrix.views import all_pages

Shown = Callable[[dict[str, str], str], LexborHTMLParser]
FRONT = {
    "title": "T",
    "description": "",
    "hide": [],
    "crumbs": [],
    "math": False,
    "search": True,
    "boost": 1.0,
    "tab": "Overview",
    "citation": {},
    "jsonld": "",
    "share_type": "website",
    "drawn": "",
}


@pytest.fixture
def shown(loaded: Callable[[dict[str, str]], Loaded]) -> Shown:
    """The page at a URL of the tiny matrix with files laid over it."""

    def show(files: dict[str, str], url: str) -> LexborHTMLParser:
        world = loaded(files)
        assert not world.findings
        pages = {page.url: page for page in all_pages(world.matrix)}
        assert url in pages, sorted(pages)
        addresses = Addresses.of(pages.values(), ["claims.json"])
        templates = environment()
        composer = Composer(world.matrix, addresses, url, templates)
        content = pages[url].content(composer)
        template = templates.get_template(f"pages/{pages[url].template}.md.j2")
        return LexborHTMLParser(template.render(p=FRONT, **content))

    return show


@pytest.fixture
def listed(loaded: Callable[[dict[str, str]], Loaded]) -> Callable[[dict[str, str]], list[Page]]:
    """All pages of the tiny matrix with files laid over it."""
    return lambda files: list(all_pages(loaded(files).matrix))
