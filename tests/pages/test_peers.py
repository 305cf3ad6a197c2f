"""Peers: what others answered on the reference cases is read with its size and who said it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evidence_matrix.objectives.catalog import entries
from evidence_matrix.pages import peers

ROOT = Path(__file__).parents[2]
CHECKS = [
    {"oracle": "numpy derivation", "relation": "agrees", "max_abs_diff": {"loss": 0.0}},
    {"oracle": "unshifted labels", "relation": "differs", "max_abs_diff": {"loss": 0.5}},
    {
        "oracle": "acme/loops@0123456789abcdef0123456789abcdef01234567 Loss(a=1)",
        "relation": "differs",
        "max_abs_diff": {"loss": 0.0},
        "max_abs_diff_gradient": {"log_prob": 2.0},
    },
    {"oracle": "trl==1.16.0 Trainer.loss", "relation": "agrees", "max_abs_diff": {"loss": 1e-9}},
]
CASE = {
    "id": "toy-1",
    "oracle": {"package": "verl==0.9.1", "function": "verl.trainer.core.compute_loss(x=verl.a)"},
    "outputs": {"loss": -4.0, "other": 9.0},
    "gradients_of_loss": {"log_prob": [[1.0, -3.0], [0.0, 2.0]]},
    "cross_checks": CHECKS,
}


@pytest.fixture
def answers(tmp_path: Path) -> list[peers.Answer]:
    folder = tmp_path / peers.CASES
    folder.mkdir(parents=True)
    (folder / "ppo_policy.json").write_text(json.dumps({"cases": [CASE]}), encoding="utf-8")
    found = peers.read(tmp_path)
    assert list(found) == ["ppo"]
    return found["ppo"]


def test_what_differs_most_comes_first_and_a_derivation_that_agrees_is_no_peer(
    answers: list[peers.Answer],
) -> None:
    assert [answer.who for answer in answers] == ["loops 0123456", "", "TRL 1.16.0", "veRL 0.9.1"]
    assert [answer.agrees for answer in answers] == [False, False, True, True]
    assert [answer.held for answer in answers] == [False, False, False, True]


def test_a_difference_has_the_size_of_what_it_is_a_difference_of(
    answers: list[peers.Answer],
) -> None:
    loops, unshifted, *_ = answers
    assert (loops.gradient, loops.gradient_size) == (2.0, 3.0)
    assert (unshifted.value, unshifted.value_size, unshifted.gradient) == (0.5, 4.0, None)


def test_what_was_run_is_named_without_its_packages(answers: list[peers.Answer]) -> None:
    assert [answer.what for answer in answers] == [
        "Loss(a=1)",
        "unshifted labels",
        "Trainer.loss",
        "compute_loss(x=verl.a)",
    ]


def test_without_cases_nobody_has_answered(tmp_path: Path) -> None:
    assert peers.read(tmp_path) == {}


def test_what_is_called_the_same_is_the_same_to_rounding_and_what_differs_is_more() -> None:
    found = peers.read(ROOT)
    assert {"ppo", "gspo", "reinforce-plus-plus", "decoupled-ppo", "kl"} <= found.keys()
    known = {entry.id for entry in entries()}
    for objective, answers in found.items():
        for answer in answers if objective in known else ():
            most = max(answer.value or 0, answer.gradient or 0)
            assert (most <= peers.ROUNDING) is answer.agrees, answer
