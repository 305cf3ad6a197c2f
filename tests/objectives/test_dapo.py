from __future__ import annotations

import pytest
import torch
from batches import FIXED, batches, close, gradient, groups, tensor
from hypothesis import given
from hypothesis import strategies as st
from laws import TOKEN_LAWS, Setting, name_of

from evidence_matrix.objectives.dapo import (
    dapo,
    dapo_advantages,
    dynamic_sampling,
    overlong_penalty,
)
from evidence_matrix.objectives.grpo import grpo, grpo_advantages

CLIPS = {"clip_low": 0.2, "clip_high": 0.28}
SETTING = Setting(lambda **given: dapo(**given, **CLIPS)[0], FIXED)


@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
def test_law(law):
    law(SETTING)


def test_loss_and_gradient_are_those_of_trl(vector):
    case = vector("dapo-token-sum-cliphigher")
    log_prob = case.leaf("log_prob")
    names = ("old_log_prob", "advantages", "mask")
    loss, _ = dapo(log_prob, *(case[name] for name in names), **CLIPS)
    case.check_loss(loss, log_prob=log_prob)


def test_the_penalty_is_that_of_openrlhf(vector):
    case = vector("dapo-overlong-shaping")
    case.check("penalty", overlong_penalty(case["lengths"].double(), max_length=120, cache=24))


def test_the_filter_keeps_what_the_rule_keeps(vector):
    case = vector("dapo-dynamic-sampling")
    rewards = case["group_rewards"]
    group = torch.arange(len(rewards))[:, None].expand_as(rewards)
    kept = dynamic_sampling(rewards.flatten(), group.flatten()).view_as(rewards)
    assert (kept == kept[:, :1]).all()
    case.check("keep", kept[:, 0])


def test_two_responses_of_unequal_length_by_hand():
    log_prob = tensor([-1.0, -1, -1], [-1.0, 9, 9]).requires_grad_()
    old = log_prob.detach() - tensor([0.3, 0, 0], [0.3, 9, 9])
    loss, stats = dapo(
        log_prob, old, tensor([1, 1, 1], [-2, 9, 9]), torch.tensor([[1, 1, 1], [1, 0, 0]]), **CLIPS
    )
    ratio = 1.3498588075760032  # exp(0.3), above 1.28
    close(loss, -(1.28 + 1 + 1 - 2 * ratio) / 4)
    close(gradient(loss, log_prob), [[0, -1 / 4, -1 / 4], [2 * ratio / 4, 0, 0]])
    close(stats["clip_fraction"], 1 / 4)


@given(batch=batches())
def test_every_token_has_the_same_weight(batch):
    leaf = batch.leaf
    loss, _ = dapo(leaf, batch.log_prob, torch.ones_like(leaf), batch.mask, **CLIPS)
    close(gradient(loss, leaf)[batch.keep], -1 / batch.mask.sum().item())


def test_the_mean_of_two_micro_batches_is_another_number():
    halves = [
        dapo(**{name: tensor[rows] for name, tensor in FIXED.items()}, **CLIPS)[0]
        for rows in (slice(0, 1), slice(1, 3))
    ]
    whole, _ = dapo(**FIXED, **CLIPS)
    assert abs(sum(halves) / 2 - whole) > 0.01


@given(batch=batches(), width=st.floats(0, 0.5))
def test_with_equal_clips_and_lengths_it_is_grpo_without_penalty(batch, width):
    everywhere = torch.ones_like(batch.mask)
    clips = {"clip_low": width, "clip_high": width}
    first, second = batch.leaf, batch.leaf
    tensors = (batch.old_log_prob, batch.advantages, everywhere)
    loss, _ = dapo(first, *tensors, **clips)
    old, advantages, mask = tensors
    same, _ = grpo(second, old, batch.log_prob, advantages, mask, **clips, kl_coef=0)
    close(loss, same.item())
    close(gradient(loss, first), gradient(same, second))


@given(batch=batches())
def test_raising_the_ceiling_changes_only_tokens_with_positive_advantage(batch):
    gradients = []
    for clip_high in (0.2, 0.6):
        leaf = batch.leaf
        tensors = (batch.old_log_prob, batch.advantages, batch.mask)
        loss, _ = dapo(leaf, *tensors, clip_low=0.2, clip_high=clip_high)
        gradients.append(gradient(loss, leaf))
    freed = gradients[0] != gradients[1]
    assert (batch.advantages[freed] > 0).all()
    assert ((batch.ratio[freed] > 1.2) & (batch.ratio[freed] <= 1.6)).all()


@given(drawn=groups(), seed=st.integers(0, 9))
def test_right_and_wrong_are_kept_if_some_but_not_all_are_right(drawn, seed):
    right = (drawn.rewards > torch.linspace(-2, 2, 10)[seed]).double()
    kept = dynamic_sampling(right, drawn.group)
    for label in drawn.group.unique():
        members = drawn.group == label
        some = 0 < right[members].sum() < members.sum()
        assert (kept[members] == some).all()


def test_rounding_does_not_make_a_uniform_group_mixed():
    rewards = torch.full((3,), 0.1, dtype=torch.float32)
    assert rewards.double().std() == 0
    assert not dynamic_sampling(rewards, torch.zeros(3)).any()


def test_advantages_are_those_of_grpo():
    rewards, group = tensor(0, 1, 5, 5), torch.tensor([0, 0, 1, 1])
    constants = {"std_eps": 1e-6, "correction": 1}
    got = dapo_advantages(rewards, group, **constants)
    assert torch.equal(got, grpo_advantages(rewards, group, **constants))


@given(length=st.integers(1, 300), cache=st.integers(1, 100), slack=st.integers(0, 100))
def test_the_penalty_falls_from_zero_to_one_below_without_a_jump(length, cache, slack):
    constants = {"max_length": cache + slack, "cache": cache}
    here, next_ = overlong_penalty(tensor(length, length + 1), **constants)
    assert -1 <= next_ <= here <= 0
    assert here - next_ <= 1 / cache + 1e-12
    knots = overlong_penalty(tensor(slack, slack + cache, 10_000), **constants)
    close(knots, [0, -1, -1])


def test_a_cache_longer_than_the_longest_response_is_refused():
    with pytest.raises(ValueError, match="cache is 9; it must be at most max_length, 8"):
        overlong_penalty(tensor(1), max_length=8, cache=9)
