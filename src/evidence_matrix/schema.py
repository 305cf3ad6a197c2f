"""The JSON Schema of a subject's file, made from the records, for completion in editors."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from evidence_matrix.matrix import ClaimBody
from evidence_matrix.records import ClaimRecord, SubjectRecord


def schema() -> dict[str, Any]:
    """JSON Schema 2020-12 of claims/<lab>/<subject>.yaml."""
    claims = TypeAdapter[ClaimBody](ClaimRecord).json_schema()
    subject = SubjectRecord.model_json_schema()
    definitions = {**claims.pop("$defs", {}), **subject.pop("$defs", {}), "Subject": subject}
    definitions["Claim"] = claims
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A subject and its claims",
        "type": "object",
        "required": ["subject"],
        "additionalProperties": False,
        "properties": {
            "subject": {"$ref": "#/$defs/Subject"},
            "claims": {
                "type": ["object", "null"],
                "additionalProperties": {"$ref": "#/$defs/Claim"},
            },
        },
        "$defs": _as_editors_read(definitions),
    }


def _as_editors_read(node: Any) -> Any:
    """Free text may look like a number or a truth value: editors read `value: 64` with types."""
    if isinstance(node, list):
        return [_as_editors_read(item) for item in node]
    if not isinstance(node, dict):
        return node
    if node.get("type") == "string" and not {"const", "enum", "pattern"} & set(node):
        return {**node, "type": ["string", "number", "boolean"]}
    return {key: _as_editors_read(value) for key, value in node.items()}
