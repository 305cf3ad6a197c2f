"""The catch rate: faults that were planted in the real claims, and what was caught, by kind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.composer import Composer, View
from evidence_matrix.pages.page import Content, Page
from evidence_matrix.pages.tables import column, row, table, table_page, text_cell

_FILE = "sources/drill.json"


def pages(matrix: Matrix) -> Iterator[Page]:
    """One page, where a drill or an audit was made."""
    path = matrix.root / _FILE
    drill = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
    if drill is None and not matrix.audits:
        return
    yield Page(
        url="catch-rate/",
        template="table",
        title="What the check catches",
        description="Faults planted in the real claims and what is caught; audits by readers.",
        content=lambda composer: _content(composer, drill),
        shows={"page:catch-rate": ""},
        tab="Method",
        nav="Catch rate and audits",
        order=45,
        wide=True,
    )


def caught(kind: dict[str, Any]) -> int:
    """How many faults of a kind did not escape."""
    return int(kind["planted"]) - int(kind["escaped"])


def _content(composer: Composer, drill: dict[str, Any] | None) -> Content:
    tables = [_faults(drill)] if drill else []
    if composer.matrix.audits:
        tables.append(_audits(composer.matrix))
    lede = (
        "A program spoils a copy of the claims, one kind of fault at a time, wherever the kind "
        "fits, and runs the commands. Kinds that escape stay here: a true sentence under the wrong "
        "claim is for a reader to find, and audits say how often one does."
    )
    return table_page(composer, lede, tables)


def _audits(matrix: Matrix) -> View:
    rows = []
    for audit in reversed(matrix.audits):
        record = audit.record
        cells = [
            text_cell(record.drawn),
            text_cell(record.read),
            text_cell(f"{record.errors}\u00a0({_share(record.errors, record.read)})"),
            text_cell(f"{record.minors}\u00a0({_share(record.minors, record.read)})"),
            text_cell(record.note),
        ]
        day = Markup("<time>{}</time>").format(record.on.format())
        rows.append(row(day, cells))
    titles = ("Day", "How they were drawn", "Read", "Wrong", "Could be clearer", "Note")
    return table(
        "Claims read again by somebody who did not write them",
        [column(title) for title in titles],
        rows,
        section="Audits",
        sort=False,
    )


def _share(part: str, whole: str) -> str:
    return f"{100 * int(part) / int(whole):.1f}%"


def _faults(result: dict[str, Any]) -> View:
    rows = []
    planted = escaped = 0
    for kind in result["kinds"]:
        planted += kind["planted"]
        escaped += kind["escaped"]
        verified = kind["verified"]
        share = 100 * caught(kind) / kind["planted"] if kind["planted"] else 0.0
        numbers = (kind["planted"], kind["checked"], kind["unmatched"], verified)
        cells = [text_cell(kind["family"])]
        cells += [
            text_cell("not needed" if n is None else f"{n:,}", sort=f"{n or 0:06d}")
            for n in numbers
        ]
        said = f"{share:.1f}%" if kind["planted"] else "fits nowhere yet"
        cells.append(text_cell(said, sort=f"{share:08.3f}"))
        rows.append(row(kind["title"], cells, sub=kind["id"]))
    titles = (
        "Kind of fault",
        "Spoils",
        "Planted",
        "Refused by check",
        "No longer matched",
        "Refused by verify, of the rest",
        "Caught",
    )
    columns = [column(title, numeric=title not in titles[:2]) for title in titles]
    share = 100 * (planted - escaped) / planted if planted else 0.0
    note = (
        f"{planted - escaped:,} of {planted:,} were caught ({share:.1f}%) on {result['day']}, with "
        f"seed {result['seed']}. A fault that only loses its green is told apart from one that is "
        "refused."
    )
    return table(
        "Faults by kind", columns, rows, note=f" {note}", section="Planted faults", wide=True
    )
