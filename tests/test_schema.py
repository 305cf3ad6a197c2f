"""The JSON Schema: valid itself, it takes what the loader takes and refuses what it refuses."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from evidence_matrix.schema import schema
from evidence_matrix.yaml_lines import read_yaml
from tests.conftest import TINY

VALIDATOR = Draft202012Validator(schema())
FILES = sorted(
    path for path in TINY.glob("claims/*/*.yaml") if path.parent.name not in ("tables", "build")
)


def written(text: str) -> Any:
    def plain(node: Any) -> Any:
        if isinstance(node, dict):
            return {key: plain(value) for key, value in node.items()}
        return [plain(item) for item in node] if isinstance(node, list) else node

    node, findings = read_yaml(text, file="claims/acme/wren.yaml")
    assert not findings
    return plain(node)


def test_it_is_json_schema_2020_12() -> None:
    Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_takes_the_files_of_the_tiny_matrix(path: Any) -> None:
    assert not list(VALIDATOR.iter_errors(written(path.read_text())))


@pytest.mark.parametrize("value", [64, 1.8, True, "64", ["a", 2]])
def test_it_takes_a_value_however_an_editor_reads_it(value: object) -> None:
    claim = {"label": "D", "value": value, "checked": "2026-07-19"}
    subject = {"name": "Wren", "kind": "model"}
    assert VALIDATOR.is_valid({"subject": subject, "claims": {"params.total": claim}})


HEAD = "subject: {name: Wren, kind: model}\nclaims:\n  params.total: "


@pytest.mark.parametrize(
    "text",
    [
        "subject: {name: Wren}\n",
        "claims: {}\n",
        "subject: {name: Wren, kind: bird}\n",
        "subject: {name: Wren, kind: model, colour: red}\n",
        HEAD + "{label: V, value: a}\n",
        HEAD + "{value: a}\n",
        HEAD + "{label: D}\n",
        HEAD + "{label: U, reason: absent, value: a}\n",
        HEAD + "{label: U, reason: because}\n",
        HEAD + "{label: D, value: a, public: soon}\n",
        HEAD + "{label: D, value: a, evidence: [{source: a, quot: b}]}\n",
        HEAD + "{label: I, value: a, premises: [a]}\n",
    ],
)
def test_it_refuses_what_the_loader_refuses(text: str) -> None:
    assert list(VALIDATOR.iter_errors(written(text)))


def test_every_reference_leads_somewhere() -> None:
    whole = schema()

    def references(node: Any) -> Any:
        if isinstance(node, dict):
            if "$ref" in node:
                yield node["$ref"]
            for value in node.values():
                yield from references(value)
        elif isinstance(node, list):
            for value in node:
                yield from references(value)

    for reference in references(whole):
        assert reference.removeprefix("#/$defs/") in whole["$defs"], reference
