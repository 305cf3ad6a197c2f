from __future__ import annotations

import json
from pathlib import Path

from jsonschema import Draft202012Validator

from evidence_matrix.claim_rows import claim_rows
from evidence_matrix.exports.claims_json import write
from evidence_matrix.matrix import Matrix


def test_it_holds_the_record_and_reads_back(tiny_matrix: Matrix, tmp_path: Path) -> None:
    path, _ = write(tiny_matrix, tmp_path)
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["claims"] == json.loads(json.dumps(list(claim_rows(tiny_matrix))))
    assert set(content["sources"]) == set(tiny_matrix.sources)
    assert set(content["subjects"]) == set(tiny_matrix.subjects)
    assert content["moved"] == {"heron-1/params": "heron-1/params.total"}
    assert content["day"] == tiny_matrix.today.isoformat()
    assert len(content["disputes"]) == len(tiny_matrix.disputes)


def test_it_is_what_its_schema_says(tiny_matrix: Matrix, tmp_path: Path) -> None:
    content, schema = (json.loads(p.read_text("utf-8")) for p in write(tiny_matrix, tmp_path))
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(content)
    labels = {claim["label"] for claim in content["claims"]}
    assert labels == set("DCRIU")


def test_the_schema_refuses_a_field_that_nobody_declared(
    tiny_matrix: Matrix, tmp_path: Path
) -> None:
    content, schema = (json.loads(p.read_text("utf-8")) for p in write(tiny_matrix, tmp_path))
    content["claims"][0]["score"] = "1"
    assert not Draft202012Validator(schema).is_valid(content)
