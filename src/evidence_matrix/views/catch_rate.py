"""The catch rate: faults that were planted in the real claims, and what was caught, by kind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from evidence_matrix.composer import Composer
from evidence_matrix.matrix import Matrix
from evidence_matrix.pages import Content, Page
from evidence_matrix.tables import column, row, table, table_page, text_cell

_FILE = "sources/drill.json"


def pages(matrix: Matrix) -> Iterator[Page]:
    """One page, where a drill was made."""
    path = matrix.root / _FILE
    if not path.is_file():
        return
    result = json.loads(path.read_text(encoding="utf-8"))
    yield Page(
        url="catch-rate/",
        template="table",
        title="What the check catches",
        description="Faults planted in the real claims, and what the commands catch, by kind.",
        content=lambda composer: _content(composer, result),
        shows={"page:catch-rate": ""},
        tab="Method",
        nav="Catch rate",
        order=45,
    )


def caught(kind: dict[str, Any]) -> int:
    """How many faults of a kind did not escape."""
    return int(kind["planted"]) - int(kind["escaped"])


def _content(composer: Composer, result: dict[str, Any]) -> Content:
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
            text_cell("not needed" if n is None else str(n), sort=f"{n or 0:06d}") for n in numbers
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
        "Refused by verify",
        "Caught",
    )
    columns = [column(title, numeric=title not in titles[:2]) for title in titles]
    share = 100 * (planted - escaped) / planted if planted else 0.0
    lede = (
        f"{planted - escaped} of {planted} planted faults were caught ({share:.1f}%) on "
        f"{result['day']}, with seed {result['seed']}. A program spoils a copy of the claims, one "
        "kind of fault at a time, wherever the kind fits, and runs the commands. A fault that only "
        "loses its green is told apart from one that is refused. Kinds that escape stay here: a "
        "true sentence under the wrong claim is for a reader to find."
    )
    return table_page(composer, lede, [table("Faults by kind", columns, rows, wide=True)])
