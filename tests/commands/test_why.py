from __future__ import annotations

import pytest

from evidence_matrix.matrix import Matrix
from tests.commands.conftest import Run

SAYS = {
    "heron-1/params.active": ("label D disclosed", "primary about work of heron-lab", "before: U"),
    "heron-1/experts.routed": ("label C confirmed artifact", "expression $.n_routed_experts"),
    "acme-ratio/loss.ratio": ("label R reproduced", "run acme-ratio", "does not show: Anything"),
    "heron-1/params.active_share": (
        "label I inference",
        "premise active: heron-1/params.active = 8B (D disclosed)",
        "assumes both counts leave out the vision encoder",
        "formula active / total",
    ),
    "heron-1/cost.training": (
        "label U unknown",
        "'GPU hours': not searched by the program",
        "reason not verifiable",
        "read next: heron-1-cost-note",
    ),
}


@pytest.mark.parametrize("claim_id", SAYS)
def test_each_label_has_its_own_questions(run: Run, claim_id: str) -> None:
    ran = run("why", claim_id)
    assert ran.code == 0
    assert ran.out.startswith(f"{claim_id}  (claims/")
    for words in SAYS[claim_id]:
        assert words in ran.out


def test_the_claims_above_have_all_labels(tiny_matrix: Matrix) -> None:
    assert {tiny_matrix.claims[claim_id].label.value for claim_id in SAYS} == set("DCRIU")


def test_every_step_of_a_formula_is_printed(run: Run) -> None:
    out = run("why", "heron-1/params.active_share").out
    assert "8B" in out
    assert "96B" in out
    assert "8.3" in out


def test_a_claim_that_moved_is_found(run: Run) -> None:
    ran = run("why", "heron-1/params")
    assert ran.code == 0
    assert "heron-1/params has moved to heron-1/params.total" in ran.out


def test_a_dispute_is_told(run: Run) -> None:
    assert (
        "in dispute with heron-1/params.total@table-1 (rounding"
        in run("why", "heron-1/params.total").out
    )


def test_an_unknown_claim_gets_the_nearest_name(run: Run) -> None:
    ran = run("why", "heron-1/params.totl")
    assert ran.code == 2
    assert "did you mean heron-1/params.total?" in ran.err
