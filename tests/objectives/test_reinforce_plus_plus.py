from __future__ import annotations

import pytest
import torch
from batches import FIXED, batches, close, tensor
from hypothesis import assume, given
from hypothesis import strategies as st
from laws import TOKEN_LAWS, Setting, name_of

from evidence_matrix.objectives.advantages import returns_to_go
from evidence_matrix.objectives.aggregation import token_mean
from evidence_matrix.objectives.dapo import dapo
from evidence_matrix.objectives.reinforce_plus_plus import (
    reinforce_plus_plus,
    reinforce_plus_plus_advantages,
    reinforce_plus_plus_baseline_advantages,
    reinforce_plus_plus_rewards,
)

CLIPS = {"clip_low": 0.2, "clip_high": 0.2}
SETTING = Setting(
    lambda **given: reinforce_plus_plus(**given, **CLIPS, aggregation=token_mean)[0], FIXED
)


@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
def test_law(law):
    law(SETTING)


def test_returns_and_advantages_are_those_of_verl(vector):
    case = vector("rfpp-gamma.95-interior")
    rewards, mask = case["token_level_rewards"], case["mask"]
    case.check("returns", returns_to_go(rewards, mask, gamma=0.95))
    case.check(
        "advantages",
        reinforce_plus_plus_advantages(rewards, mask, gamma=0.95, eps=1e-8, correction=1),
    )


def test_advantages_with_a_group_baseline_are_those_of_verl(vector):
    case = vector("rfpp-baseline")
    rewards = (case["token_level_rewards"] * case["mask"]).sum(1)
    advantages = reinforce_plus_plus_baseline_advantages(
        rewards, case["group_index"], case["mask"], eps=1e-8, correction=1
    )
    case.check("advantages", advantages)


def test_two_short_responses_by_hand():
    mask = torch.tensor([[1, 1, 0], [1, 0, 0]])
    # log-ratios 0.2 and -0.4 of the first response, 1 of the second; penalty of weight 0.5
    token_rewards = reinforce_plus_plus_rewards(
        tensor(2, 0),
        tensor([-1.0, -2.0, 5], [-1.0, 5, 5]),
        tensor([-1.2, -1.6, 7], [-2.0, 7, 7]),
        mask,
        kl_coef=0.5,
    )
    close(token_rewards, [[-0.1, 2.2, 0], [-0.5, 0, 0]])
    returns = returns_to_go(token_rewards, mask, gamma=0.5)
    close(returns, [[1.0, 2.2, 0], [-0.5, 0, 0]])
    # mean 0.9, squared distances 0.01, 1.69 and 1.96
    deviation = ((0.01 + 1.69 + 1.96) / 2) ** 0.5
    advantages = reinforce_plus_plus_advantages(token_rewards, mask, gamma=0.5, eps=0, correction=1)
    close(advantages, [[0.1 / deviation, 1.3 / deviation, 0], [-1.4 / deviation, 0, 0]])


def test_the_reward_goes_to_the_last_unmasked_token_and_masked_log_ratios_are_free():
    mask = torch.tensor([[1, 0, 1, 0], [0, 1, 0, 0]])
    nan = torch.where(mask == 1, -1.0, float("nan"))
    got = reinforce_plus_plus_rewards(torch.tensor([3.0, 4.0]), nan, nan, mask, kl_coef=0.1)
    assert got.tolist() == [[0, 0, 3, 0], [0, 4, 0, 0]]


@given(batch=batches(), scale=st.floats(0.1, 10), shift=st.floats(-5, 5))
def test_outcome_rewards_matter_up_to_a_positive_affine_map(batch, scale, shift):
    assume(batch.mask.sum() > 1)

    def advantages(rewards):
        token_rewards = reinforce_plus_plus_rewards(
            rewards, batch.old_log_prob, batch.other_log_prob, batch.mask, kl_coef=0
        )
        return reinforce_plus_plus_advantages(
            token_rewards, batch.mask, gamma=1, eps=0, correction=1
        )

    plain = advantages(batch.row_advantages)
    close(advantages(scale * batch.row_advantages + shift), plain, atol=1e-6)
    highest = torch.where(batch.keep, plain, -torch.inf).amax(1)
    lowest = torch.where(batch.keep, plain, torch.inf).amin(1)
    close(highest, lowest, atol=1e-9)  # constant along a row


def test_a_uniform_batch_gives_exactly_zero():
    mask = torch.ones(4, 2)
    rewards = torch.full((4,), 0.1, dtype=torch.float64)
    group = torch.tensor([0, 0, 1, 1])
    for eps in (0.0, 1e-8):
        got = reinforce_plus_plus_baseline_advantages(rewards, group, mask, eps=eps, correction=1)
        assert (got == 0).all()


@given(batch=batches())
def test_with_the_mean_over_tokens_the_loss_is_that_of_dapo(batch):
    tensors = (batch.log_prob, batch.old_log_prob, batch.advantages, batch.mask)
    loss, stats = reinforce_plus_plus(*tensors, **CLIPS, aggregation=token_mean)
    same, same_stats = dapo(*tensors, **CLIPS)
    assert torch.equal(loss, same)
    assert stats == same_stats


def test_a_penalty_is_no_bonus():
    zeros, ones = torch.zeros(1, 2), torch.ones(1, 2)
    with pytest.raises(ValueError, match=r"kl_coef is -0\.1; it must be zero or more"):
        reinforce_plus_plus_rewards(torch.ones(1), zeros, zeros, ones, kl_coef=-0.1)
