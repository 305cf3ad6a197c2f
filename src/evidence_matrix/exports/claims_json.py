"""Every claim as JSON, with subjects, sources, disputes and the vocabulary; and its JSON Schema."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter, with_config
from typing_extensions import TypedDict

from evidence_matrix.claim_rows import (
    ClaimRow,
    DisputeRow,
    SourceRow,
    claim_rows,
    dispute_row,
    source_row,
)
from evidence_matrix.exports import write_json
from evidence_matrix.matrix import Matrix


@with_config(ConfigDict(extra="forbid"))
class Record(TypedDict):
    """The whole record: claims, and what they refer to."""

    day: str
    license: str
    labs: dict[str, dict[str, Any]]
    aspects: dict[str, dict[str, Any]]
    terms: dict[str, dict[str, Any]]
    questions: dict[str, dict[str, Any]]
    subjects: dict[str, dict[str, Any]]
    sources: dict[str, SourceRow]
    disputes: list[DisputeRow]
    moved: dict[str, str]
    wanted: dict[str, dict[str, Any]]
    claims: list[ClaimRow]


def write(matrix: Matrix, folder: Path) -> list[Path]:
    """Write claims.json and claims.schema.json, which is the same for every matrix."""
    content: Record = {
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
    schema = TypeAdapter(Record).json_schema(mode="serialization")
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
    return [
        write_json(folder / "claims.json", content),
        write_json(folder / "claims.schema.json", schema),
    ]
