"""Pages: what a view gives to the renderer, before any link is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evidence_matrix.composer import Composer

Content = Mapping[str, Any]

TABS = ("Overview", "Labs", "Compare", "Timeline & ledger", "Chapters", "Method")


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the site.

    Attributes:
        url: address below the site's root, ending in a slash; "" is the home page.
        template: name below templates/pages, without `.md.j2`.
        content: what the template takes, by name, made when all addresses are known.
        shows: the targets that links may name, each with its anchor ("" for the page itself).
        tab: the tab of the navigation that is marked.
        nav: its title in the navigation; "" keeps it out (subjects, sources, rules).
        order: position within its tab.
        search: whether its text is in the search index.
        boost: weight in the search; 1 is normal.
        wide: whether both sidebars are hidden, for comparisons.
        citation: `citation_*` metadata.
        jsonld: JSON-LD, or None.
        drawn: ISO day, on pages that do not follow the as-of switch.
    """

    url: str
    template: str
    title: str
    description: str
    content: Callable[[Composer], Content]
    shows: Mapping[str, str] = field(default_factory=dict)
    tab: str = "Overview"
    nav: str = ""
    order: int = 100
    crumbs: tuple[tuple[str, str], ...] = ()
    search: bool = True
    boost: float = 1.0
    wide: bool = False
    math: bool = False
    citation: Mapping[str, Any] = field(default_factory=dict)
    jsonld: Mapping[str, Any] | None = None
    share_type: str = "website"
    drawn: str = ""

    @property
    def file(self) -> str:
        """Path of its Markdown file below build/docs."""
        return f"{self.url}index.md" if self.url else "index.md"
