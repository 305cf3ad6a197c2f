"""The JSON Schema of a subject's file, made from the records, for completion in editors."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from evidence_matrix.matrix import ClaimBody
from evidence_matrix.records import ClaimRecord, SubjectRecord

_DATE = r"^(by )?[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$"


class _Generator(GenerateJsonSchema):
    """Dates are text of a form; pydantic alone cannot know it."""

    def is_instance_schema(self, _: core_schema.IsInstanceSchema) -> JsonSchemaValue:
        return {"type": "string", "pattern": _DATE}


def schema() -> dict[str, Any]:
    """JSON Schema 2020-12 of claims/<lab>/<subject>.yaml."""
    claims = TypeAdapter[ClaimBody](ClaimRecord).json_schema(
        schema_generator=_Generator, mode="validation"
    )
    subject = SubjectRecord.model_json_schema(schema_generator=_Generator)
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
                "type": "object",
                "additionalProperties": {"$ref": "#/$defs/Claim"},
            },
        },
        "$defs": definitions,
    }
