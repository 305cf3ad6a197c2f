"""Pages: what a view gives to the renderer, before any link is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evidence_matrix.pages.composer import Composer

Content = Mapping[str, Any]

TABS = ("Overview", "Labs", "Compare", "Timeline & ledger", "Chapters", "Method")


@dataclass(frozen=True, slots=True)
class Find:
    """What a search can lead to: a page or a place on it.

    Attributes:
        title: what it is, as the list of hits shows it.
        kind: the sort of thing: Claim, Source, Term.
        anchor: id on the page; "" for the page itself.
        id: the record's id or key, where it has one.
        names: what people call it, besides the title: whoever types one must find it first.
        text: what else it is found by, shown as an excerpt.
        answer: of a claim, what its chip shows: `label`, `word`, `value` and `state`.
    """

    title: str
    kind: str
    anchor: str = ""
    id: str = ""
    names: tuple[str, ...] = ()
    text: str = ""
    answer: Mapping[str, str] = field(default_factory=dict)


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
        finds: what of it can be searched; without any, its text is, if `search` holds.
        search: whether its text can be searched, cut at its headings.
        kind: the sort of page, as the list of hits shows it.
        wide: whether both sidebars are hidden, for comparisons.
        citation: `citation_*` metadata.
        jsonld: what machines read of it as linked data, if anything.
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
    finds: Sequence[Find] = ()
    search: bool = True
    kind: str = "Page"
    wide: bool = False
    math: bool = False
    citation: Mapping[str, Any] = field(default_factory=dict)
    jsonld: Callable[[Composer], Mapping[str, Any]] | None = None
    share_type: str = "website"
    drawn: str = ""

    @property
    def file(self) -> str:
        """Path of its Markdown file below build/docs."""
        return f"{self.url}index.md" if self.url else "index.md"
