"""Matrix tables: rows of labs or subjects against columns of aspects, each cell claims or empty."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.composer import Composer
from evidence_matrix.grids import grid, standings
from evidence_matrix.matrix import Entry, Matrix
from evidence_matrix.pages import Content, Page
from evidence_matrix.records import TableRecord


def pages(matrix: Matrix) -> Iterator[Page]:
    """One page for each table that is printed as a table."""
    for entry in matrix.tables.values():
        if entry.record.draw is None:
            yield _page(entry)


def _page(entry: Entry[TableRecord]) -> Page:
    record = entry.record
    return Page(
        url=f"tables/{entry.id}/",
        template="matrix",
        title=record.title,
        description=record.caption,
        content=lambda composer: _content(composer, record),
        shows={f"table:{entry.id}": ""},
        tab="Compare",
        nav=record.title,
        order=50,
        crumbs=(("Compare", "page:compare"),),
        wide=True,
    )


def _content(composer: Composer, record: TableRecord) -> Content:
    if record.rows_are == "claims":
        tables = [one for one in standings(composer, record) if one["rows"]]
    else:
        tables = [grid(composer, record)]
    return {
        "page_of": {
            "lede": record.lede or "",
            "tables": tables,
            "labels": composer.legend,
            "notes": composer.notes,
        }
    }
