from __future__ import annotations

from pathlib import Path

from evidence_matrix.bibtex import read_bibtex
from evidence_matrix.exports.bibliography import write
from evidence_matrix.matrix import Matrix


def test_it_reads_back_as_bibtex_with_every_source(tiny_matrix: Matrix, tmp_path: Path) -> None:
    (path,) = write(tiny_matrix, tmp_path)
    entries, findings = read_bibtex(path.read_bytes(), file="sources.bib")
    assert not findings
    assert [entry.key for entry in entries] == sorted(tiny_matrix.sources)
    for entry in entries:
        assert entry.fields["url"] == tiny_matrix.sources[entry.key].record.url
