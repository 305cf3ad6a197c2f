"""What each cell of the heat maps showed since which day, for the as-of switch."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from evidence_matrix.exports import write_json
from evidence_matrix.figures.heat import Cell, lab_rows, model_rows, said
from evidence_matrix.matrix import Matrix

_SHOWN = 60


def write(matrix: Matrix, folder: Path) -> list[Path]:
    """Write maps/labs.json and maps/models.json: the rows of the maps, as they stand on the page.

    A row is `[first, cells]`, the day since when it has a claim; a cell is its states, oldest
    first, `[since, label, words, claim]`, or none where no claim bears on it.
    """
    labs = [["", _cells(matrix, cells, named=True)] for _, cells in lab_rows(matrix)]
    models = []
    for subject, cells in model_rows(matrix):
        turns = (day for c in matrix.claims_of_subject[subject.id] for day in matrix.turns(c))
        models.append(
            [min(turns, default=date.max).isoformat(), _cells(matrix, cells, named=False)]
        )
    return [
        write_json(folder / "maps" / "labs.json", labs, compact=True),
        write_json(folder / "maps" / "models.json", models, compact=True),
    ]


def _cells(matrix: Matrix, cells: Sequence[Cell], *, named: bool) -> list[Any]:
    return [
        [
            [
                since,
                shown.label,
                _cut(said(shown, matrix, named=named)),
                shown.claim.id if shown.claim else "",
            ]
            for since, shown in (cell.history(matrix) if cell.claims else ())
        ]
        for cell in cells
    ]


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
