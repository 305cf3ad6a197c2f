from __future__ import annotations

import json

from evidence_matrix.checking import check
from evidence_matrix.matrix import Matrix
from evidence_matrix.store import load
from tests.commands.conftest import Run
from tests.conftest import TINY, TODAY


def test_the_numbers_are_those_of_the_check(run: Run, tiny_matrix: Matrix) -> None:
    report = check(load(TINY, TODAY))
    content = json.loads(run("stats", "--format", "json").out)
    assert content["claims"] == report.claims == len(tiny_matrix.claims)
    assert content["subjects"] == report.subjects
    assert content["sources"] == report.sources
    assert content["labels"] == {label.value: number for label, number in report.labels.items()}
    states = {state: number for state, number in content["states"].items() if number}
    assert states == {state.value: number for state, number in report.states.items()}
    assert sum(states.values()) == sum(len(c.evidence) for c in tiny_matrix.claims.values())


def test_the_labs_add_up(run: Run) -> None:
    content = json.loads(run("stats", "--format", "json").out)
    for label, number in content["labels"].items():
        assert sum(lab[label] for lab in content["labs"].values()) == number


def test_text_says_the_same_numbers(run: Run) -> None:
    content = json.loads(run("stats", "--format", "json").out)
    lines = [line.split() for line in run("stats").out.splitlines()]
    assert ["claims", str(content["claims"])] in lines
    for label, number in content["labels"].items():
        assert [label, str(number)] in lines
