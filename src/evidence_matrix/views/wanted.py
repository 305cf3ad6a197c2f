"""Wanted documents: primary sources that nobody here has read yet, and what they would answer."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.composer import Composer
from evidence_matrix.pages.page import Content, Find, Page
from evidence_matrix.pages.tables import column, row, table, table_page, text_cell


def pages(matrix: Matrix) -> Iterator[Page]:
    """One page with all of them."""
    yield Page(
        url="wanted/",
        template="table",
        title="Wanted documents",
        description="Primary documents to be read next, and what they would answer.",
        content=_content,
        shows={"page:wanted": ""} | {f"wanted:{key}": f"wanted-{key}" for key in matrix.wanted},
        tab="Method",
        nav="Wanted documents",
        order=70,
        wide=True,
        finds=(
            Find("Wanted documents", "Page", text="Primary documents to be read next"),
            *(
                Find(entry.record.title, "Wanted", f"wanted-{entry.id}", text=entry.record.why)
                for entry in matrix.wanted.values()
            ),
        ),
    )


def _content(composer: Composer) -> Content:
    matrix = composer.matrix
    waiting: dict[str, int] = {}
    for claim in matrix.claims.values():
        for key in getattr(claim.record, "next", ()):
            waiting[key] = waiting.get(key, 0) + 1
    rows = []
    for entry in matrix.wanted.values():
        record = entry.record
        lab = matrix.labs[record.lab].record.name if record.lab in matrix.labs else record.lab
        about = ", ".join(matrix.subjects[s].name for s in record.subjects if s in matrix.subjects)
        count = waiting.get(entry.id, 0)
        cells = [
            text_cell(lab),
            text_cell(about),
            text_cell(record.why),
            text_cell(record.url or "no address known"),
            text_cell(str(count), sort=f"{count:05d}"),
        ]
        rows.append(row(record.title, cells, row_id=f"wanted-{entry.id}"))
    titles = ("Document", "Lab", "About", "It would say", "Address", "Unknowns that wait")
    columns = [column(title, numeric=title.startswith("Unknowns")) for title in titles]
    lede = (
        "These documents exist or are said to exist, and their text was not at hand. Until one is "
        "read, nothing is claimed from it. Whoever has one can add its claims in minutes."
    )
    return table_page(
        composer, lede, [table(f"{len(rows)} documents", columns, rows, filtered=True)]
    )
