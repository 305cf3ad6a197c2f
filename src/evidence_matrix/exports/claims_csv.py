"""Every claim as a row of a spreadsheet, with its first piece of evidence."""

from __future__ import annotations

import csv
import re
from pathlib import Path

from evidence_matrix.claim_rows import claim_rows
from evidence_matrix.matrix import Matrix

COLUMNS = (
    "id",
    "lab",
    "subject",
    "aspect",
    "scope",
    "reading",
    "label",
    "value",
    "low",
    "high",
    "low_open",
    "high_open",
    "about",
    "unit",
    "means",
    "statement",
    "public",
    "checked",
    "source",
    "at",
    "quote",
    "read",
    "state",
    "url",
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER = re.compile(r"[-+]?[0-9]+(?:\.[0-9]+)?")


def write(matrix: Matrix, folder: Path) -> list[Path]:
    """Write claims.csv, in UTF-8 with a header line."""
    path = folder / "claims.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in claim_rows(matrix):
            flat: dict[str, object] = {**row["evidence"][0]} if row["evidence"] else {}
            flat |= {key: value for key, value in row.items() if key != "evidence"}
            writer.writerow([_cell(flat.get(column)) for column in COLUMNS])
    return [path]


def _cell(value: object) -> str:
    """Text of a cell; what a spreadsheet would run as a formula is kept as text."""
    text = "" if value in (None, False) else "yes" if value is True else str(value)
    return f"'{text}" if text.startswith(_FORMULA) and not _NUMBER.fullmatch(text) else text
