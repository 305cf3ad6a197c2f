"""The kinds of page that the site has, asked of the views, so that a new one is not forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from evidence_matrix.matrix import Matrix
from evidence_matrix.views import all_pages


def kinds(matrix: Matrix) -> dict[str, list[str]]:
    """Addresses below the site's root by kind: what template, and which folder of the site.

    The page that lists a folder (`sources/`) is another kind than what lies in it.
    """
    found: dict[str, list[str]] = {}
    for page in all_pages(matrix):
        folder, _, rest = page.url.partition("/")
        kind = f"{page.template} {folder}/{'*' if rest else ''}"
        found.setdefault(kind, []).append(page.url)
    return found


def longest(matrix: Matrix, site: Path) -> Iterator[str]:
    """The page of each kind with the most HTML: what is too much shows there first."""
    for urls in kinds(matrix).values():
        yield max(urls, key=lambda url: (site / url / "index.html").stat().st_size)
