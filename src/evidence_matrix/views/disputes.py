"""Disputes: who says what, and how it was ruled."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.composer import DISPUTE_TITLES, Composer
from evidence_matrix.pages.page import Content, Page
from evidence_matrix.pages.tables import (
    claims_cell,
    column,
    date_cell,
    row,
    table,
    table_page,
    text_cell,
)

_SECTIONS = {
    "open": "Open: sources disagree",
    "counting": "Counted in two ways",
    "rounding": "Rounded",
    "later": "Answered later",
    "variant": "Easily confused",
    "error": "One source is wrong",
}


def pages(matrix: Matrix) -> Iterator[Page]:
    """One page with all disputes, by kind, the open ones first."""
    yield Page(
        url="disputes/",
        template="table",
        title="Disputes",
        description="Where sources disagree, with both sides and the ruling.",
        content=_content,
        shows={"page:disputes": ""},
        tab="Compare",
        nav="Disputes",
        order=50,
        wide=True,
    )


def _content(composer: Composer) -> Content:
    matrix = composer.matrix
    tables = []
    for kind, section in _SECTIONS.items():
        rows = []
        for dispute in matrix.disputes:
            if dispute.record.kind != kind:
                continue
            claims = [matrix.claims[c] for c in dispute.record.claims if c in matrix.claims]
            if not claims:
                continue
            subjects = dict.fromkeys(matrix.subjects[c.subject].name for c in claims)
            title = claims[0].aspect
            if claims[0].aspect in matrix.aspects:
                title = matrix.aspects[claims[0].aspect].record.title
            cells = [
                claims_cell(composer, claims, cite=False),
                text_cell(dispute.record.reason),
                date_cell(dispute.record.on),
            ]
            rows.append(row(", ".join(subjects), cells, sub=title))
        if rows:
            columns = [
                column("Subject"),
                column("Who says what"),
                column("Why they differ"),
                column("Ruled on"),
            ]
            caption = f"{DISPUTE_TITLES[kind]} {len(rows)} disputes"
            tables.append(table(caption, columns, rows, section=section, sort=False))
    return table_page(
        composer,
        f"{len(matrix.disputes)} disputes. Both values stay in the record. A ruling expires when "
        "one of its claims is read again.",
        tables,
    )
