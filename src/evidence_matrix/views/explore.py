"""The claims explorer and two subjects side by side: shells that the script fills from the data."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.composer import Composer
from evidence_matrix.pages.page import Content, Page


def pages(matrix: Matrix) -> Iterator[Page]:
    """Both pages."""
    yield Page(
        url="explore/",
        template="explorer",
        title="Claims explorer",
        description="All claims, filtered by label, state, lab, subject, aspect and date.",
        content=_explorer,
        shows={"page:explore": ""},
        tab="Overview",
        nav="Claims explorer",
        order=5,
        wide=True,
        search=False,
    )
    yield Page(
        url="compare/two/",
        template="pair",
        title="Two subjects side by side",
        description="What is disclosed about one subject beside what is disclosed about another.",
        content=_pair,
        shows={"page:pair": ""},
        tab="Compare",
        nav="Two side by side",
        order=10,
        wide=True,
        search=False,
    )


def _explorer(composer: Composer) -> Content:
    plain = [
        {"title": composer.matrix.subjects[s].name, "href": composer.href(f"subject:{s}")}
        for s in sorted(composer.matrix.subjects)
    ]
    return {
        "page_of": {
            "lede": f"All {len(composer.matrix.claims):,} claims. The address keeps the filter, so "
            "that it can be sent to others.",
            "data_href": composer.href("data:explorer.json"),
            "plain": plain,
        }
    }


def _pair(composer: Composer) -> Content:
    matrix = composer.matrix
    subjects = [
        {
            "id": subject.id,
            "title": subject.name,
            "lab": matrix.labs[subject.lab].record.name if subject.lab in matrix.labs else "",
            "href": composer.href(f"subject:{subject.id}"),
        }
        for subject in sorted(matrix.subjects.values(), key=lambda s: s.name.casefold())
        if matrix.claims_of_subject[subject.id]
    ]
    return {
        "page_of": {
            "lede": "Choose two subjects. The address keeps the choice.",
            "shards_href": composer.href("data:explorer.json").replace("explorer.json", "claims/"),
            "subjects": subjects,
        }
    }
