"""Matrix tables: rows of labs or subjects against columns of aspects, each cell claims or empty."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.matrix import Entry, Matrix
from evidence_matrix.pages.composer import Composer
from evidence_matrix.pages.grids import grid, standings
from evidence_matrix.pages.page import Content, Page
from evidence_matrix.pages.tables import column, row, table, table_page, text_cell
from evidence_matrix.records import TableRecord


def pages(matrix: Matrix) -> Iterator[Page]:
    """The list, and one page for each table that is printed as a table."""
    printed = [entry for entry in matrix.tables.values() if entry.record.draw is None]
    if printed:
        yield Page(
            url="tables/",
            template="table",
            title="Tables",
            description="Labs and models side by side, question by question; each cell is a claim.",
            content=lambda composer: _list(composer, printed),
            shows={"page:tables": ""},
            tab="Compare",
            nav="All tables",
            order=45,
        )
    for entry in printed:
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
        crumbs=(("Tables", "page:tables"),),
        wide=True,
    )


def _list(composer: Composer, entries: list[Entry[TableRecord]]) -> Content:
    rows = [
        row(
            entry.record.title,
            [text_cell(entry.record.caption)],
            composer.href(f"table:{entry.id}"),
        )
        for entry in entries
    ]
    lede = "Each cell is a claim, or says that nobody has looked. No cell is typed by hand."
    caption = f"{len(rows)} tables"
    columns = [column("Table"), column("What it compares")]
    return table_page(composer, lede, [table(caption, columns, rows)])


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
