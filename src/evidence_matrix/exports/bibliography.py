"""All sources as one BibTeX file."""

from __future__ import annotations

from pathlib import Path

from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.citation import source_bibtex


def write(matrix: Matrix, folder: Path) -> list[Path]:
    """Write sources.bib, by key."""
    path = folder / "sources.bib"
    entries = [source_bibtex(matrix.sources[key]) for key in sorted(matrix.sources)]
    path.write_text("\n\n".join(entries) + "\n", encoding="utf-8", newline="\n")
    return [path]
