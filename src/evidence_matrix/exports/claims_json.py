"""Every claim as JSON, with subjects, sources, disputes and the vocabulary."""

from __future__ import annotations

from pathlib import Path

from evidence_matrix.claim_rows import claim_rows, dispute_row, source_row
from evidence_matrix.exports import write_json
from evidence_matrix.matrix import Matrix


def write(matrix: Matrix, folder: Path) -> list[Path]:
    """Write claims.json."""
    content = {
        "day": matrix.today.isoformat(),
        "license": "CC-BY-4.0",
        "labs": {lab.id: lab.record.model_dump() for lab in matrix.labs.values()},
        "aspects": {aspect.id: aspect.record.model_dump() for aspect in matrix.aspects.values()},
        "terms": {term.id: term.record.model_dump() for term in matrix.terms.values()},
        "questions": {q.id: q.record.model_dump() for q in matrix.questions.values()},
        "subjects": {
            subject.id: {"lab": subject.lab, **subject.record.model_dump()}
            for subject in matrix.subjects.values()
        },
        "sources": {source.key: source_row(source) for source in matrix.sources.values()},
        "disputes": [dispute_row(dispute) for dispute in matrix.disputes],
        "moved": {old: entry.record for old, entry in matrix.moved.items()},
        "wanted": {key: entry.record.model_dump() for key, entry in matrix.wanted.items()},
        "claims": list(claim_rows(matrix)),
    }
    return [write_json(folder / "claims.json", content)]
