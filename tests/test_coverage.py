"""Coverage: answered, searched, not looked and not applicable are four things."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evidence_matrix.coverage import Answer, asked, claims_about, coverage, standing
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Matrix
from evidence_matrix.store import Loaded

Load = Callable[[dict[str, str]], Loaded]
SEARCH = "{label: U, looked_for: [a], looked_in: [egret-2-card], reason: not verifiable, next: [x]}"


@pytest.mark.parametrize(
    ("head", "claims", "answer", "label"),
    [
        ("", "  cost.training: {label: I, value: $5}\n", Answer.ANSWERED, Label.I),
        ("", f"  cost.training: {SEARCH}\n", Answer.SEARCHED, Label.U),
        ("", "  data.sources: {label: I, value: pages}\n", Answer.NOT_LOOKED, None),
        (", not_applicable: [cost.training]", "", Answer.NOT_APPLICABLE, None),
        (
            "",
            f"  cost.training@a: {SEARCH}\n  cost.training@b: {{label: I, value: $5}}\n",
            Answer.ANSWERED,
            Label.I,
        ),
    ],
)
def test_a_question_stands_in_one_of_four_ways(
    loaded: Load, head: str, claims: str, answer: Answer, label: Label | None
) -> None:
    text = f"subject: {{name: Wren, kind: model{head}}}\nclaims:\n{claims}"
    matrix = loaded({"claims/acme/wren.yaml": text}).matrix
    found = standing(matrix, matrix.subjects["wren"], matrix.questions["cost"])
    assert (found.answer, found.label) == (answer, label)


def test_a_member_has_the_answers_of_its_family_and_a_circle_ends(loaded: Load) -> None:
    pages, cost = "data.sources: {label: I, value: pages}", "cost.training: {label: I, value: $5}"
    files = {
        f"claims/acme/{name}.yaml": (
            f"subject: {{name: {name}, kind: {kind}, part_of: {of}}}\nclaims:\n  {claim}\n"
        )
        for name, kind, of, claim in (
            ("wren", "model", "birds", pages),
            ("birds", "family", "wren", cost),
        )
    }
    matrix = loaded(files).matrix
    wren = matrix.subjects["wren"]
    about = [claim.id for claim in claims_about(matrix, wren)]
    assert about == ["wren/data.sources", "birds/cost.training"]
    assert standing(matrix, wren, matrix.questions["cost"]).answer is Answer.ANSWERED


def test_only_the_questions_of_a_kind_are_asked(tiny_matrix: Matrix) -> None:
    assert {q.id for q in asked(tiny_matrix, tiny_matrix.subjects["heron-1"])} == {"size", "cost"}
    assert not asked(tiny_matrix, tiny_matrix.subjects["acme-ratio"])


def test_every_question_of_every_subject_is_counted_once(tiny_matrix: Matrix) -> None:
    found = coverage(tiny_matrix, list(tiny_matrix.subjects.values()))
    assert len({(s.subject, s.question) for s in found}) == len(found) == 4
