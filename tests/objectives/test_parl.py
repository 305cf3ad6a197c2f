from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from laws import TOKEN_LAWS, Setting, name_of, tokens

from evidence_matrix.objectives.kimi_mirror_descent import kimi_token_mirror_descent
from evidence_matrix.objectives.parl import critical_steps, parl, parl_rewards

CONSTANTS = {"tau": 0.3, "ratio_min": 0.8, "ratio_max": 1.4}
WEIGHTS = {"parallel_weight": 0.1, "finish_weight": 0.05, "anneal_steps": 100}


def episodes(seed: int = 0) -> dict[str, torch.Tensor]:
    random = torch.Generator().manual_seed(seed)
    draw = [-0.1 - torch.rand(3, 4, dtype=torch.float64, generator=random) for _ in range(2)]
    return {
        "log_prob": draw[0],
        "old_log_prob": draw[1],
        "advantages": torch.tensor([0.7, -0.4, -0.3], dtype=torch.float64),
        "mask": torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0], [1, 1, 1, 1]]),
        "orchestrator": torch.tensor([[1, 0, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1]]),
    }


@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
def test_law(law):
    """What the orchestrator wrote is what counts: sub-agents' tokens are like padding."""

    def loss(log_prob, old_log_prob, advantages, mask, denominator=None):
        everything = torch.ones_like(mask)
        return parl(
            log_prob,
            old_log_prob,
            advantages,
            everything,
            mask,
            **CONSTANTS,
            denominator=denominator,
        )[0]

    given_ = episodes()
    mask = given_.pop("orchestrator")
    law(Setting(loss, given_ | {"mask": mask}, count=tokens))


def test_annealed_shaping(vector):
    case = vector("parl-annealed-shaping")
    got = parl_rewards(
        case["r_parallel"], case["r_finish"], case["r_perf"], case["step"], **WEIGHTS
    )
    case.check("reward", got)
    one = torch.ones(2, dtype=torch.float64)
    schedule = {"parallel_weight": 1.0, "finish_weight": 0.0, "anneal_steps": 100}
    case.check("weight", parl_rewards(one, one, 0 * one, case["step"], **schedule))


def test_critical_steps(vector):
    case = vector("parl-critical-steps")
    case.check("critical_steps", critical_steps(case["main_steps"], case["sub_steps"]))
    case.check("total_steps", case["main_steps"].sum() + case["sub_steps"].sum())


def test_hand_worked():
    # Ratios 1.1 (own), e (a sub-agent's) and 2 -> 1.4 (own).
    log_prob = torch.tensor([[math.log(1.1), 1.0, math.log(2.0)]], dtype=torch.float64)
    loss, stats = parl(
        log_prob,
        torch.zeros(1, 3, dtype=torch.float64),
        torch.tensor([2.0], dtype=torch.float64),
        torch.ones(1, 3),
        torch.tensor([[1, 0, 1]]),
        **CONSTANTS,
    )
    squares = math.log(1.1) ** 2 + math.log(2) ** 2
    assert loss.item() == pytest.approx(-((1.1 + 1.4) * 2 - 0.3 * squares) / 2)
    assert stats["own_tokens"].item() == pytest.approx(2 / 3)
    assert stats["clip_fraction"].item() == pytest.approx(1 / 2)


@given(st.integers(0, 50))
def test_what_sub_agents_wrote_moves_nothing_even_as_nan(seed):
    given_ = episodes(seed)
    leaf = given_["log_prob"].requires_grad_()
    loss, _ = parl(**given_, **CONSTANTS)
    (gradient,) = torch.autograd.grad(loss, leaf)
    theirs = given_["orchestrator"] == 0
    assert (gradient[theirs] == 0).all()
    poisoned = leaf.detach().masked_fill(theirs, math.nan).requires_grad_()
    again, _ = parl(**(given_ | {"log_prob": poisoned}), **CONSTANTS)
    (unmoved,) = torch.autograd.grad(again, poisoned)
    assert torch.equal(again, loss)
    assert torch.equal(unmoved, gradient)


@given(st.integers(0, 50))
def test_with_no_sub_agents_it_is_the_policy_loss_it_is_built_on(seed):
    given_ = episodes(seed) | {"orchestrator": torch.ones(3, 4)}
    loss, _ = parl(**given_, **CONSTANTS)
    expected, _ = kimi_token_mirror_descent(
        given_["log_prob"],
        given_["old_log_prob"],
        given_["advantages"],
        given_["mask"],
        **CONSTANTS,
    )
    assert torch.equal(loss, expected)


UNITS = st.lists(st.floats(0, 1), min_size=3, max_size=3)


@given(UNITS, UNITS, UNITS, st.integers(100, 10_000))
def test_after_annealing_the_reward_is_the_outcome_exactly(parallel, finished, outcome, step):
    rows = [torch.tensor(each, dtype=torch.float64) for each in (parallel, finished, outcome)]
    got = parl_rewards(*rows, torch.full((3,), step), **WEIGHTS)
    assert torch.equal(got, rows[2])


@given(UNITS, st.integers(0, 150), st.integers(0, 150))
def test_shaping_never_grows_with_the_step(parallel, one, other):
    row = torch.tensor(parallel, dtype=torch.float64)
    early, late = sorted((one, other))
    shaped = [
        parl_rewards(row, row, 0 * row, torch.full((3,), step), **WEIGHTS) for step in (early, late)
    ]
    assert (shaped[0] >= shaped[1]).all()


STEPS = st.lists(st.integers(0, 9), min_size=4, max_size=4)


@given(STEPS, STEPS, STEPS)
def test_critical_steps_are_at_most_all_steps_and_all_of_them_without_a_second_branch(
    main, first, second
):
    main_steps = torch.tensor(main)
    branches = torch.tensor([first, second]).T
    critical = critical_steps(main_steps, branches)
    assert critical <= main_steps.sum() + branches.sum()
    alone = branches.clone()
    alone[:, 1] = 0
    assert critical_steps(main_steps, alone) == main_steps.sum() + alone.sum()


@given(STEPS, STEPS)
def test_a_branch_no_longer_than_another_costs_nothing(main, first):
    main_steps, longest = torch.tensor(main), torch.tensor(first)
    shorter = (longest - 2).clamp(min=0)
    alone = critical_steps(main_steps, longest[:, None])
    assert critical_steps(main_steps, torch.stack([longest, shorter], dim=1)) == alone


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: parl(**(episodes() | {"orchestrator": torch.ones(3, 5)}), **CONSTANTS),
            r"orchestrator has shape \[3, 5\]; it must be \[3, 4\]",
        ),
        (
            lambda: parl(**(episodes() | {"orchestrator": torch.zeros(3, 4)}), **CONSTANTS),
            "the mask keeps no token",
        ),
        (
            lambda: parl_rewards(*[torch.full((2,), 2.0)] * 4, **WEIGHTS),
            "finished must be a share from 0 to 1",
        ),
        (
            lambda: parl_rewards(*[torch.ones(2)] * 4, **(WEIGHTS | {"anneal_steps": 0.0})),
            "anneal_steps is 0.0",
        ),
        (lambda: critical_steps(torch.ones(2), torch.ones(3, 2)), r"must be \[T\] and \[T, A\]"),
    ],
)
def test_errors_say_what_was_given(call, message):
    with pytest.raises(ValueError, match=message):
        call()
