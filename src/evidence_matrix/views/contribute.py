"""How to add or correct a claim: the project's CONTRIBUTING, on the site."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.page import Page
from evidence_matrix.prose import chapter

_FILE = "CONTRIBUTING.md"
_SECTION = "correct-a-claim"


def pages(matrix: Matrix) -> Iterator[Page]:
    """One page; a root without the file gets the shortest one that links can lead to."""
    path = matrix.root / _FILE
    text = path.read_text(encoding="utf-8") if path.is_file() else "# Contributing\n"
    one = chapter(_FILE, text)
    body = one.body
    if "## Correct a claim" not in body:
        body += "\n\n## Correct a claim\n\nEdit its record in `claims/` and open a pull request.\n"
    yield Page(
        url="contribute/",
        template="chapter",
        title=one.title,
        description="How to add a claim, correct one, or add a source.",
        content=lambda _: {"chapter": {"body": body, "notes": []}},
        shows={"page:contribute": "", f"page:contribute#{_SECTION}": _SECTION},
        tab="Method",
        nav="Contribute",
        order=90,
    )
