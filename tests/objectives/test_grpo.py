from __future__ import annotations

import math

import pytest
import torch
from batches import FIXED, batches, close, gradient, groups, tensor
from hypothesis import given
from hypothesis import strategies as st
from laws import TOKEN_LAWS, Setting, name_of, rows

from evidence_matrix.objectives.grpo import grpo, grpo_advantages

CONSTANTS = {"clip_low": 0.2, "clip_high": 0.2, "kl_coef": 0.04}
REFERENCE = FIXED["log_prob"] + tensor([0.3, -0.4, 1, 0.2], [-0.1, 0.6, 0.5, 1], [0.1, 1, 1, -0.7])
SETTING = Setting(
    lambda **given: grpo(**given, **CONSTANTS)[0],
    {**FIXED, "ref_log_prob": REFERENCE},
    count=rows,
)


@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
def test_law(law):
    law(SETTING)


def test_loss_and_gradient_are_those_of_trl(vector):
    case = vector("grpo-beta0.04")
    log_prob = case.leaf("log_prob")
    names = ("old_log_prob", "ref_log_prob", "advantages", "mask")
    loss, _ = grpo(log_prob, *(case[name] for name in names), **CONSTANTS)
    case.check_loss(loss, log_prob=log_prob)


def test_advantages_are_those_of_verl(vector):
    case = vector("grpo-adv-std")
    rewards = (case["token_level_rewards"] * case["mask"]).sum(1)
    advantages = grpo_advantages(rewards, case["group_index"], std_eps=1e-6, correction=1)
    case.check("advantages", advantages[:, None] * case["mask"])


def test_three_rewards_by_hand():
    # mean 1, squared distances 1, 0 and 1: variance 1 unbiased, 2/3 of the population
    rewards, group = tensor(0, 1, 2), torch.tensor([0, 0, 0])
    close(grpo_advantages(rewards, group, std_eps=0, correction=1), [-1, 0, 1])
    close(grpo_advantages(rewards, group, std_eps=0.25, correction=1), [-0.8, 0, 0.8])
    deviation = (2 / 3) ** 0.5
    close(
        grpo_advantages(rewards, group, std_eps=0, correction=0), [-1 / deviation, 0, 1 / deviation]
    )


def test_two_responses_with_the_penalty_by_hand():
    old = tensor([-1.0, -1.0], [-1.0, 9])
    log_prob = (old + tensor([math.log(1.5), math.log(0.5)], [math.log(0.5), 9])).requires_grad_()
    ref = log_prob.detach() + math.log(2)  # reference over current is 2 everywhere
    penalty = 2 - math.log(2) - 1
    loss, stats = grpo(
        log_prob,
        old,
        ref,
        tensor([1, 1], [-1, -1]),
        torch.tensor([[1, 1], [1, 0]]),
        clip_low=0.2,
        clip_high=0.2,
        kl_coef=0.1,
    )
    # first response: 1.2 held and 0.5; second: -0.8 held
    first, second = (1.2 + 0.5) / 2 - 0.1 * penalty, -0.8 - 0.1 * penalty
    close(loss, -(first + second) / 2)
    # the penalty's gradient is 1 - 2; a token weighs 1/4 in the first response, 1/2 in the second
    close(
        gradient(loss, log_prob),
        [[0.1 * -1 / 4, (-0.5 + 0.1 * -1) / 4], [0.1 * -1 / 2, 0]],
    )
    close(stats["kl"], penalty)
    close(stats["clip_fraction"], 2 / 3, atol=1e-7)
    close(stats["ratio_mean"], 2.5 / 3)


@given(batch=batches())
def test_a_uniform_group_moves_nothing_without_a_penalty(batch):
    size = 2 * len(batch.mask)
    advantages = grpo_advantages(
        torch.full((size,), 0.1, dtype=torch.float64), torch.zeros(size), std_eps=0, correction=1
    )[: len(batch.mask)]
    leaf = batch.leaf
    level = advantages[:, None].expand_as(leaf)
    constants = {**CONSTANTS, "kl_coef": 0}
    loss, _ = grpo(leaf, batch.old_log_prob, batch.other_log_prob, level, batch.mask, **constants)
    assert loss.item() == 0
    assert (gradient(loss, leaf) == 0).all()


@given(drawn=groups(), scale=st.floats(0.1, 10), shift=st.floats(-5, 5))
def test_rewards_matter_up_to_a_positive_affine_map(drawn, scale, shift):
    plain = grpo_advantages(drawn.rewards, drawn.group, std_eps=0, correction=1)
    moved = grpo_advantages(scale * drawn.rewards + shift, drawn.group, std_eps=0, correction=1)
    close(moved, plain, atol=1e-6)


@given(batch=batches())
def test_doubling_every_token_of_the_responses_leaves_the_loss_alone(batch):
    names = ("log_prob", "old_log_prob", "other_log_prob", "advantages", "mask")
    tensors = [getattr(batch, name) for name in names]
    once, _ = grpo(*tensors, **CONSTANTS)
    twice, _ = grpo(*(tensor.repeat(1, 2) for tensor in tensors), **CONSTANTS)
    close(twice, once)


@given(batch=batches())
def test_at_the_reference_the_penalty_has_no_value_and_no_gradient(batch):
    with_penalty, without = batch.leaf, batch.leaf
    tensors = (batch.log_prob, batch.log_prob, batch.advantages, batch.mask)
    penalized, stats = grpo(with_penalty, *tensors, **{**CONSTANTS, "kl_coef": 5})
    plain, _ = grpo(without, *tensors, **{**CONSTANTS, "kl_coef": 0})
    assert stats["kl"] == 0
    assert torch.equal(penalized, plain)
    assert torch.equal(gradient(penalized, with_penalty), gradient(plain, without))


@given(batch=batches())
def test_every_response_has_the_same_weight(batch):
    """On fresh samples a response's gradients add up to its advantage over the rows."""
    leaf = batch.leaf
    loss, _ = grpo(
        leaf, batch.log_prob, batch.log_prob, batch.level_advantages, batch.mask, **CONSTANTS
    )
    close(gradient(loss, leaf).sum(1), -batch.row_advantages / len(batch.mask))


def test_a_lone_response_is_refused():
    with pytest.raises(ValueError, match="at least two responses"):
        grpo_advantages(tensor(1), torch.tensor([0]), std_eps=1e-6, correction=1)
