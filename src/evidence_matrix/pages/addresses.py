"""Addresses: where each thing of the matrix stands on the site, and links that cannot be wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote

from evidence_matrix.pages.page import Page


class UnknownTargetError(LookupError):
    """A page links to a thing that no page shows."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """URL below the site's root by target, such as `claim:kimi-k3/params.active`."""

    urls: Mapping[str, str]
    pages: frozenset[str] = frozenset()

    @classmethod
    def of(cls, pages: Iterable[Page], files: Iterable[str] = ()) -> Addresses:
        """The addresses of all that the pages show, and of the files of data/ as `data:name`.

        Raises:
            ValueError: two pages have one address, or show one thing.
        """
        urls: dict[str, str] = {}
        taken: set[str] = set()
        for page in pages:
            if page.url in taken:
                raise ValueError(f"two pages stand at {page.url!r}")
            taken.add(page.url)
            for target, anchor in page.shows.items():
                if target in urls:
                    raise ValueError(f"{target!r} stands at {urls[target]!r} and at {page.url!r}")
                urls[target] = page.url + (f"#{anchor}" if anchor else "")
        urls.update({f"data:{file}": f"data/{file}" for file in files})
        return cls(urls, frozenset(taken))

    def page(self, url: str, here: str) -> str:
        """A link to the page at `url`, relative to the page at `here`.

        Raises:
            UnknownTargetError: there is no such page.
        """
        if url.partition("#")[0] not in self.pages:
            raise UnknownTargetError(f"{here} links to the page {url!r}, which there is not")
        return relative(url, here)

    def __contains__(self, target: str) -> bool:
        return target in self.urls

    def href(self, target: str, here: str) -> str:
        """A link to `target`, relative to the page at `here`.

        Raises:
            UnknownTargetError: no page shows the target.
        """
        if target not in self.urls:
            raise UnknownTargetError(
                f"{here or 'the home page'} links to {target!r}, shown nowhere"
            )
        return relative(self.urls[target], here)


def relative(url: str, here: str) -> str:
    """A link to `url` from the page at `here`, both below the root; folders end in a slash."""
    path, hash_sign, anchor = url.partition("#")
    if path == here and hash_sign:
        return "#" + _quoted(anchor)
    return _way(path, here) + hash_sign + _quoted(anchor)


@lru_cache(maxsize=1 << 16)
def _way(path: str, here: str) -> str:
    """The steps from the page at `here` to `path`, up and then down."""
    start, end = here.split("/")[:-1], path.split("/")
    shared = 0
    for mine, other in zip(start, end[:-1], strict=False):
        if mine != other:
            break
        shared += 1
    way = "../" * (len(start) - shared) + "/".join(end[shared:])
    return _quoted(way or "./")


@lru_cache(maxsize=1 << 16)
def _quoted(text: str) -> str:
    return quote(text, safe="/@:.-_~")
