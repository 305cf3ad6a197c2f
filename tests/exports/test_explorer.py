from __future__ import annotations

import json
from pathlib import Path

from evidence_matrix.exports.explorer import write
from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.claim_words import value_words

COLUMNS = ("subject", "aspect", "tail", "label", "state", "public", "checked")


def test_columns_put_together_again_are_the_claims(tiny_matrix: Matrix, tmp_path: Path) -> None:
    write(tiny_matrix, tmp_path)
    content = json.loads((tmp_path / "explorer.json").read_text(encoding="utf-8"))
    values = json.loads((tmp_path / "explorer-values.json").read_text(encoding="utf-8"))
    assert {len(content[column]) for column in COLUMNS} == {len(tiny_matrix.claims)}
    seen = {}
    for row in zip(*(content[column] for column in COLUMNS), values, strict=True):
        subject, aspect, tail, label, state, public, _, value = row
        claim_id = f"{content['subjects'][subject][0]}/{content['aspects'][aspect][0]}{tail}"
        seen[claim_id] = (content["labels"][label], value)
        assert content["states"][state] in ("", "not reached", "unpinned")
        assert public == -1 or content["days"][public]
    assert seen == {
        claim.id: (claim.label.value, value_words(claim, tiny_matrix))
        for claim in tiny_matrix.claims.values()
    }


def test_each_subject_has_a_file_with_its_claims(tiny_matrix: Matrix, tmp_path: Path) -> None:
    write(tiny_matrix, tmp_path)
    for subject, claims in tiny_matrix.claims_of_subject.items():
        content = json.loads((tmp_path / f"claims/{subject}.json").read_text(encoding="utf-8"))
        assert [claim["anchor"] for claim in content["claims"]] == [claim.key for claim in claims]


def test_earlier_answers_are_there_for_the_switch(tiny_matrix: Matrix, tmp_path: Path) -> None:
    write(tiny_matrix, tmp_path)
    content = json.loads((tmp_path / "as-of.json").read_text(encoding="utf-8"))
    assert set(content["earlier"]) == {"heron-1/params.active"}
    assert content["first"] <= content["last"] == tiny_matrix.today.isoformat()
