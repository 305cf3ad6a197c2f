from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from laws import (
    LAWS,
    TOKEN_LAWS,
    Setting,
    name_of,
    parts_add_up_with_the_global_denominator,
    rows,
    tokens,
)

from evidence_matrix.objectives.advantages import group_leave_one_out, whitened
from evidence_matrix.objectives.aggregation import sequence_mean_token_mean, token_mean
from evidence_matrix.objectives.prime import (
    prime,
    prime_advantages,
    prime_reward_model,
    prime_token_rewards,
)

MASK = torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1]])


def draw(seed: int, count: int) -> list[torch.Tensor]:
    random = torch.Generator().manual_seed(seed)
    return [-0.1 - torch.rand(3, 4, dtype=torch.float64, generator=random) for _ in range(count)]


@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
@pytest.mark.parametrize(
    ("aggregation", "count"), [(token_mean, tokens), (sequence_mean_token_mean, rows)]
)
def test_law_of_the_policy(law, aggregation, count):
    log_prob, old, advantages = draw(0, 3)
    tensors = {
        "log_prob": log_prob,
        "old_log_prob": old,
        "advantages": advantages + 0.6,
        "mask": MASK,
    }
    law(
        Setting(
            lambda **given_: prime(**given_, clip_low=0.2, clip_high=0.3, aggregation=aggregation)[
                0
            ],
            tensors,
            count=count,
        )
    )


@pytest.mark.parametrize("law", [*LAWS, parts_add_up_with_the_global_denominator], ids=name_of)
def test_law_of_the_reward_model(law):
    prm, reference = draw(1, 2)
    law(
        Setting(
            lambda **given_: prime_reward_model(**given_, prm_beta=0.3)[0],
            {
                "prm_log_prob": prm,
                "ref_log_prob": reference,
                "outcome": torch.tensor([1, 0, 1]),
                "mask": MASK,
            },
            leaves=("prm_log_prob",),
            count=rows,
        )
    )


def test_reward_model_is_the_released_one(vector):
    case = vector("prime-implicit-prm-ce")
    leaf = case.leaf("rm_log_prob")
    loss, _ = prime_reward_model(
        leaf, case["ref_log_prob"], case["acc"], case["mask"], prm_beta=0.05
    )
    case.check_loss(loss, rm_log_prob=leaf)


def advantages_of(case, *, scaled_own_reward: bool) -> torch.Tensor:
    return prime_advantages(
        case["token_rewards"],
        case["outcome"],
        torch.zeros(3),
        case["mask"],
        gamma=1.0,
        scaled_own_reward=scaled_own_reward,
    )


def test_returns_and_their_whitened_form_are_those_released(vector):
    case = vector("prime-returns-released-code")
    returns = advantages_of(case, scaled_own_reward=True)
    case.check("returns", returns)
    case.check("advantages_whitened", whitened(returns, case["mask"], eps=1e-8, correction=1))


def test_returns_are_those_printed(vector):
    case = vector("prime-returns-printed-equation")
    case.check("returns", advantages_of(case, scaled_own_reward=False))


def test_release_and_print_differ_by_what_a_token_is_above_its_response(vector):
    case = vector("prime-returns-printed-equation")
    difference = advantages_of(case, scaled_own_reward=True) - advantages_of(
        case, scaled_own_reward=False
    )
    assert difference.abs().max().item() == pytest.approx(0.3201775)
    # (r_s - own mean) / 2, summed over what remains of the response; from its start that is 0.
    assert difference[:, 0].abs().max() < 1e-12


def test_hand_worked():
    rewards = torch.tensor([[1.0, 3.0], [0.0, 9.0]])
    mask = torch.tensor([[1, 1], [1, 0]])
    got = prime_advantages(
        rewards,
        torch.tensor([1.0, 0.0]),
        torch.tensor([7, 7]),
        mask,
        gamma=0.5,
        scaled_own_reward=False,
    )
    # Mean token rewards 2 and 0. First response against 0: 1, 3, returns 1 + 0.5 * 3 = 2.5, 3.
    # Second against 2: -2. Outcomes against each other: 1 and -1.
    assert got.tolist() == [[3.5, 4.0], [-3.0, 0.0]]
    # Released: own rewards doubled, less the sum of means 2: 0, 4 -> 2, 4 and -2.
    released = prime_advantages(
        rewards,
        torch.tensor([1.0, 0.0]),
        torch.tensor([7, 7]),
        mask,
        gamma=0.5,
        scaled_own_reward=True,
    )
    assert released.tolist() == [[3.0, 5.0], [-3.0, 0.0]]


@given(st.integers(0, 50), st.floats(0.01, 2))
def test_token_rewards_add_up_to_beta_times_the_log_ratio_of_the_response(seed, beta):
    prm, reference = draw(seed, 2)
    rewards = prime_token_rewards(prm, reference, MASK, prm_beta=beta)
    assert (rewards[MASK == 0] == 0).all()
    total = torch.where(MASK == 1, prm - reference, 0.0).sum(dim=1)
    torch.testing.assert_close(rewards.sum(dim=1), beta * total)


@given(st.integers(0, 50), st.booleans())
def test_a_reward_model_that_is_its_reference_leaves_leave_one_out_outcomes(seed, scaled):
    (prm,) = draw(seed, 1)
    rewards = prime_token_rewards(prm, prm, MASK, prm_beta=0.1)
    outcome = torch.tensor([1.0, 0.0, 0.0], dtype=torch.float64)
    got = prime_advantages(
        rewards, outcome, torch.zeros(3), MASK, gamma=0.9, scaled_own_reward=scaled
    )
    expected = group_leave_one_out(outcome, torch.zeros(3))[:, None] * MASK
    torch.testing.assert_close(got, expected)


@given(st.integers(0, 50), st.floats(-3, 3), st.booleans())
def test_a_constant_process_reward_in_all_responses_is_no_signal(seed, constant, scaled):
    rewards = torch.full((3, 4), constant, dtype=torch.float64)
    zero = torch.zeros(3, dtype=torch.float64)
    got = prime_advantages(rewards, zero, torch.zeros(3), MASK, gamma=1.0, scaled_own_reward=scaled)
    assert got.abs().max() < 1e-12


@given(st.integers(0, 50))
def test_process_and_outcome_parts_add(seed):
    (rewards,) = draw(seed, 1)
    outcome = torch.tensor([1.0, 0.0, 1.0], dtype=torch.float64)

    def advantages(process, result):
        return prime_advantages(
            process, result, torch.zeros(3), MASK, gamma=1.0, scaled_own_reward=False
        )

    both = advantages(rewards, outcome)
    apart = advantages(rewards, outcome * 0) + advantages(rewards * 0, outcome)
    torch.testing.assert_close(both, apart)


@given(st.integers(0, 50))
def test_gradient_of_the_reward_model_is_beta_times_its_error_at_every_token(seed):
    prm, reference = draw(seed, 2)
    outcome = torch.tensor([1, 0, 0])
    leaf = prm.requires_grad_()
    loss, _ = prime_reward_model(leaf, reference, outcome, MASK, prm_beta=0.3)
    (gradient,) = torch.autograd.grad(loss, leaf)
    score = torch.sigmoid(0.3 * torch.where(MASK == 1, prm - reference, 0.0).sum(dim=1))
    expected = 0.3 * (score - outcome)[:, None] * MASK / 3
    torch.testing.assert_close(gradient, expected.detach(), rtol=1e-10, atol=1e-14)


def test_reward_model_hand_worked():
    loss, stats = prime_reward_model(
        torch.tensor([[-1.0, -1.0], [-2.0, -9.0], [-3.0, -9.0]]),
        torch.tensor([[-2.0, -2.0], [-1.0, -9.0], [-1.0, -9.0]]),
        torch.tensor([1, 1, 0]),
        torch.tensor([[1, 1], [1, 0], [1, 0]]),
        prm_beta=0.5,
    )
    # Scores 0.5 times 2, -1 and -2: 1, -0.5 and -1; only the second is on the wrong side.
    terms = [math.log1p(math.exp(-1)), math.log1p(math.exp(0.5)), math.log1p(math.exp(-1))]
    assert loss.item() == pytest.approx(sum(terms) / 3)
    assert stats["accuracy"].item() == pytest.approx(2 / 3)


def test_policy_clips_as_ppo_does():
    log_prob = torch.log(torch.tensor([[1.5, 0.5, 1.1]], dtype=torch.float64)).requires_grad_()
    loss, stats = prime(
        log_prob,
        torch.zeros(1, 3, dtype=torch.float64),
        torch.tensor([[1.0, -1.0, 2.0]], dtype=torch.float64),
        torch.ones(1, 3),
        clip_low=0.2,
        clip_high=0.3,
        aggregation=token_mean,
    )
    # min(1.5, 1.3) + min(-0.5, -0.8) + 2.2 over 3 tokens; the clipped two do not move.
    assert loss.item() == pytest.approx(-(1.3 - 0.8 + 2.2) / 3)
    (gradient,) = torch.autograd.grad(loss, log_prob)
    torch.testing.assert_close(gradient, torch.tensor([[0.0, 0.0, -2.2 / 3]]).double())
    assert stats["clip_fraction"].item() == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"group": torch.tensor([0, 0, 1])}, r"group\(s\) \[1\] have one member"),
        ({"mask": torch.zeros(3, 4)}, "keeps no token"),
        ({"outcome": torch.zeros(2)}, r"outcome has shape \[2\]"),
    ],
)
def test_errors_say_what_was_given(changed, message):
    given_ = {
        "token_rewards": torch.zeros(3, 4),
        "outcome": torch.zeros(3),
        "group": torch.zeros(3),
        "mask": MASK,
    }
    with pytest.raises(ValueError, match=message):
        prime_advantages(**(given_ | changed), gamma=1.0, scaled_own_reward=False)


def test_an_outcome_between_right_and_wrong_is_refused():
    prm, reference = draw(0, 2)
    with pytest.raises(ValueError, match="outcome must hold only 0 and 1"):
        prime_reward_model(prm, reference, torch.tensor([0.5, 0, 1]), MASK, prm_beta=0.1)
