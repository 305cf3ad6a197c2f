"""Rendering: from pages and templates to the folder that the site generator builds."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from evidence_matrix import feeds
from evidence_matrix.exports import export
from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.addresses import Addresses
from evidence_matrix.pages.composer import Composer
from evidence_matrix.pages.finished_html import fence
from evidence_matrix.pages.page import TABS, Page
from evidence_matrix.views import all_pages

ASSETS = "assets/em"
_INERT = str.maketrans({sign: f"&#{ord(sign)};" for sign in "`*_[]{}|\\$~^"} | {"\n": " "})


class _Environment(Environment):
    """Templates that take mostly mappings: `c.label` looks for the key first, which is quicker."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


def environment() -> Environment:
    """Templates of the package; everything that comes from records is escaped."""
    templates = _Environment(
        loader=PackageLoader("evidence_matrix"),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    templates.filters["inert"] = inert
    templates.filters["finished"] = fence
    return templates


def inert(html: str) -> Markup:
    """Finished HTML made safe to stand in Markdown.

    Every character that Markdown or one of our extensions reads becomes an entity, in text and in
    attributes alike.
    """
    return Markup(str(html).translate(_INERT))  # it was escaped before


def render(matrix: Matrix, folder: Path, site_url: str = "") -> list[Page]:
    """Write all that the site is made of below `folder`, and the generator's configuration.

    The folder is emptied first. Gives the pages that were written. `site_url`: where the site will
    be, ending in a slash; without it no address of ours is written as a whole.

    Raises:
        UnknownTargetError: a page links to what no page shows.
    """
    docs = folder / "docs"
    if docs.exists():
        shutil.rmtree(docs)
    docs.mkdir(parents=True)
    _copy_assets(docs / ASSETS)
    exported = export(matrix, docs / "data")
    pages = list(all_pages(matrix))
    addresses = Addresses.of(pages, [file.file for file in exported])
    templates = environment()
    first = Composer(matrix, addresses, "", templates, exported)
    for page in pages:
        composer = first.at(page.url)
        content = page.content(composer)
        text = templates.get_template(f"pages/{page.template}.md.j2").render(
            p=_front(page, composer), **content
        )
        path = docs / page.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    feeds.write(first.at(""), templates, docs, site_url)
    configuration = json.dumps(
        _configuration(matrix, pages, site_url), indent=1, ensure_ascii=False
    )
    (folder / "mkdocs.yml").write_text(configuration + "\n", encoding="utf-8")
    return pages


def _front(page: Page, composer: Composer) -> Mapping[str, Any]:
    crumbs = [{"title": title, "href": composer.href(target)} for title, target in page.crumbs]
    if crumbs:
        crumbs.append({"title": page.title, "href": ""})
    return {
        "title": page.title,
        "description": page.description,
        "hide": ["navigation", "toc"] if page.wide else [],
        "crumbs": crumbs,
        "math": page.math,
        "tab": page.tab,
        "citation": dict(page.citation),
        # one string: the generator would read a mapping of a hundred claims key by key
        "jsonld": str(htmlsafe_json_dumps(page.jsonld(composer))) if page.jsonld else "",
        "share_type": page.share_type,
        "drawn": page.drawn,
    }


def _copy_assets(folder: Path) -> None:
    with resources.as_file(resources.files("evidence_matrix") / "site_assets") as assets:
        shutil.copytree(assets, folder)


def _configuration(matrix: Matrix, pages: Iterable[Page], site_url: str) -> dict[str, Any]:
    """The generator's configuration: the root's mkdocs.yml, and the navigation of these pages."""
    listed = sorted((page for page in pages if page.nav), key=lambda p: (p.order, p.nav.casefold()))
    nav = []
    for tab in TABS:
        entries = [{page.nav: page.file} for page in listed if page.tab == tab]
        if entries:
            nav.append({tab: entries})
    with resources.as_file(resources.files("evidence_matrix") / "overrides") as overrides:
        return {
            "INHERIT": str((matrix.root / "mkdocs.yml").resolve()),
            "docs_dir": "docs",
            "site_dir": str((matrix.root / "site").resolve()),
            "site_url": site_url,
            "extra": {"feed": "feed.xml"},
            "theme": {"custom_dir": str(overrides.resolve())},
            "nav": nav,
            "not_in_nav": "*",
        }
