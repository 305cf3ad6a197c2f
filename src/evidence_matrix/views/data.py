"""Downloads: every format with its size and hash, and how to cite the record."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.composer import Composer
from evidence_matrix.pages.linked_data import whole_record
from evidence_matrix.pages.page import Content, Page
from evidence_matrix.pages.tables import column, row, table, table_page, text_cell

_SHARDS = "claims/"
# Files that are written beside another one, and what they are.
_OWN = {
    "claims.schema.json": "The JSON Schema of claims.json.",
    "explorer.json": "Columns for the claims explorer, without the values.",
    "explorer-values.json": "The values for the claims explorer, which it loads last.",
    "as-of.json": "Answers of earlier days, for the as-of switch.",
}


def pages(matrix: Matrix) -> Iterator[Page]:
    """One page."""
    yield Page(
        url="data/",
        template="table",
        title="Data",
        description="The whole record as JSON, CSV and SQLite, with sizes and hashes.",
        content=_content,
        shows={"page:data": ""},
        tab="Method",
        nav="Data",
        order=80,
        jsonld=whole_record,
    )


def _size(count: int) -> str:
    return f"{count / 1000:,.0f} kB" if count >= 1000 else f"{count} bytes"


def _content(composer: Composer) -> Content:
    files = [file for file in composer.exported if not file.file.startswith(_SHARDS)]
    rows = [
        row(
            file.file,
            [
                text_cell(_OWN.get(file.file, file.title).replace("`", "")),
                text_cell(_size(file.size), sort=f"{file.size:012d}"),
                text_cell(file.sha256),
            ],
            composer.href(f"data:{file.file}"),
        )
        for file in files
    ]
    columns = [column("File"), column("What it is"), column("Size", numeric=True), column("sha256")]
    return table_page(
        composer,
        f"The record of {composer.matrix.today.isoformat()}, CC BY 4.0. Numbers are exact: bounds, "
        "“about” and the precision that was written are kept in fields of their own.",
        [table("Downloads", columns, rows, linked=True)],
    )
