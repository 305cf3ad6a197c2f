from __future__ import annotations

import math

import pytest
import torch
from batches import FIXED, batches, close, gradient, tensor
from hypothesis import given
from hypothesis import strategies as st
from laws import TOKEN_LAWS, Setting, name_of, rows

from evidence_matrix.objectives.aggregation import (
    sequence_mean_token_mean,
    token_mean,
    token_sum,
)
from evidence_matrix.objectives.ppo import ppo, ppo_policy, ppo_value

POLICY = {"clip_low": 0.2, "clip_high": 0.28, "dual_clip": 1.1}
VALUES = {
    "values": tensor([0.5, -0.2, 3, 0.1], [1.0, 0.4, -0.6, 3], [0.2, 3, 3, -1.0]),
    "old_values": tensor([0.1, -0.1, 8, 0.4], [1.1, 0.9, -0.5, 8], [0.3, 8, 8, -0.2]),
    "returns": tensor([1.0, 0.3, 9, -0.4], [0.2, 1.2, -0.9, 9], [0.7, 9, 9, -0.1]),
}
SETTINGS = {
    "policy, mean over tokens": Setting(
        lambda **given: ppo_policy(**given, **POLICY, aggregation=token_mean)[0], FIXED
    ),
    "policy, mean over rows": Setting(
        lambda **given: ppo_policy(**given, **POLICY, aggregation=sequence_mean_token_mean)[0],
        FIXED,
        count=rows,
    ),
    "value": Setting(
        lambda **given: ppo_value(**given, value_clip=0.25, aggregation=token_mean)[0],
        {**VALUES, "mask": FIXED["mask"]},
        leaves=("values",),
    ),
    "both": Setting(
        lambda **given: ppo(
            **given, **POLICY, value_clip=0.25, value_coef=0.3, aggregation=token_mean
        )[0],
        {**FIXED, **VALUES},
        leaves=("log_prob", "values"),
    ),
}


@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_law(law, setting):
    law(setting)


def policy(case, log_prob, **constants):
    given = {"clip_low": 0.2, "clip_high": 0.2, "dual_clip": None, "aggregation": token_mean}
    old, advantages, mask = case["old_log_prob"], case["advantages"], case["mask"]
    return ppo_policy(log_prob, old, advantages, mask, **{**given, **constants})[0]


def test_policy_loss_and_gradient_are_those_of_verl(vector):
    for case, constants in (
        (vector("ppo-sym-interior-token-mean"), {}),
        (
            vector("ppo-sym-interior-seq-mean-token-mean"),
            {"aggregation": sequence_mean_token_mean},
        ),
        (vector("ppo-dual-clip-token-mean"), {"dual_clip": 3.0}),
        (vector("ppo-ratio-one-token-mean"), {}),
    ):
        log_prob = case.leaf("log_prob")
        case.check_loss(policy(case, log_prob, **constants), log_prob=log_prob)


def test_logits_are_read_one_position_before_the_token_they_predict(vector):
    case = vector("ppo-from-logits")
    logits = case.leaf("logits")
    responses = case["input_ids"][:, 2:]
    log_prob = logits.log_softmax(-1)[:, 1:-1].gather(-1, responses[..., None]).squeeze(-1)
    case.check("log_prob", log_prob)
    case.check_loss(policy(case, log_prob, clip_high=0.28), logits=logits)


def test_value_loss_and_gradient_are_those_of_verl(vector):
    case = vector("value-clip-token-mean")
    values = case.leaf("values")
    loss, _ = ppo_value(
        values,
        case["old_values"],
        case["returns"],
        case["mask"],
        value_clip=0.2,
        aggregation=token_mean,
    )
    case.check_loss(loss, values=values)


def test_four_quadrants_and_the_dual_clip_by_hand():
    ratios = [1.5, 0.5, 1.5, 0.5, 4.0]
    log_prob = tensor([math.log(ratio) - 1 for ratio in ratios]).requires_grad_()
    old_log_prob, advantages = tensor([-1.0] * 5), tensor([1, 1, -1, -1, -1])
    # surrogate: 1.2 held, 0.5 free, -1.5 free, -0.8 held, and -4 lifted to -3
    loss, stats = ppo_policy(
        log_prob,
        old_log_prob,
        advantages,
        torch.ones(1, 5),
        clip_low=0.2,
        clip_high=0.2,
        dual_clip=3.0,
        aggregation=token_mean,
    )
    close(loss, -(1.2 + 0.5 - 1.5 - 0.8 - 3.0) / 5)
    close(gradient(loss, log_prob), [[0, -0.5 / 5, 1.5 / 5, 0, 0]])
    close(stats["clip_fraction"], 2 / 5, atol=1e-7)
    close(stats["floor_fraction"], 1 / 5, atol=1e-7)
    close(stats["ratio_mean"], 8 / 5)


def test_the_larger_of_two_value_errors_by_hand():
    # V - V_old is +0.5 and -0.5, held to 0.2; returns 1 and 1
    values = tensor([1.5, 0.5]).requires_grad_()
    loss, stats = ppo_value(
        values,
        tensor([1.0, 1.0]),
        tensor([1.0, 1.0]),
        torch.ones(1, 2),
        value_clip=0.2,
        aggregation=token_mean,
    )
    close(loss, 0.5 * (0.25 + 0.25) / 2)  # the free errors are larger
    far = tensor([1.5]).requires_grad_()
    held, stats = ppo_value(
        far, tensor([1.0]), tensor([2.0]), torch.ones(1, 1), value_clip=0.2, aggregation=token_sum
    )
    close(held, 0.5 * 0.8**2)  # 1.2 - 2, held, is worse than 1.5 - 2
    close(gradient(held, far), 0)
    close(stats["value_clip_fraction"], 1)
    close(stats["value_error"], -0.5)


@given(batch=batches())
def test_at_ratio_one_it_is_reinforce(batch):
    leaf = batch.leaf
    loss, stats = ppo_policy(
        leaf,
        batch.log_prob,
        batch.advantages,
        batch.mask,
        clip_low=0.2,
        clip_high=0.2,
        dual_clip=None,
        aggregation=token_mean,
    )
    kept = torch.where(batch.keep, batch.advantages, 0.0)
    close(loss, float(-kept.sum() / batch.mask.sum()))
    close(gradient(loss, leaf), -kept / batch.mask.sum())
    assert stats["clip_fraction"] == 0


@given(batch=batches())
def test_without_a_band_it_is_the_importance_weighted_gradient(batch):
    leaf = batch.leaf
    loss, _ = ppo_policy(
        leaf,
        batch.old_log_prob,
        batch.advantages,
        batch.mask,
        clip_low=math.inf,
        clip_high=math.inf,
        dual_clip=None,
        aggregation=token_sum,
    )
    expected = torch.where(batch.keep, -batch.ratio * batch.advantages, 0.0)
    close(gradient(loss, leaf), expected)


@given(batch=batches())
def test_dual_clip_lifts_only_negative_terms_and_only_up_to_its_floor(batch):
    def loss(dual_clip, advantages=batch.advantages):
        return ppo_policy(
            batch.log_prob,
            batch.old_log_prob,
            advantages,
            batch.mask,
            clip_low=0.2,
            clip_high=0.2,
            dual_clip=dual_clip,
            aggregation=token_sum,
        )[0]

    without = loss(None)
    assert loss(1.5) <= without
    close(loss(1e6), without)
    positive = batch.advantages.abs()
    assert torch.equal(loss(1.01, positive), loss(None, positive))
    lifted = torch.where(batch.keep, batch.ratio.clamp(0.8, 1.5), 0.0).sum()
    close(loss(1.5, -torch.ones_like(positive)), lifted.item())


@given(batch=batches(), value_clip=st.floats(0, 2))
def test_the_value_clip_never_helps_and_is_silent_at_the_old_value(batch, value_clip):
    def loss(old_values, clip):
        return ppo_value(
            batch.log_prob,
            old_values,
            batch.advantages,
            batch.mask,
            value_clip=clip,
            aggregation=token_mean,
        )[0]

    assert loss(batch.other_log_prob, value_clip) >= loss(batch.other_log_prob, None)
    close(loss(batch.log_prob, value_clip), loss(batch.log_prob, None), atol=1e-9)


def test_both_losses_and_all_stats_come_out():
    constants = {**POLICY, "aggregation": token_mean}
    loss, stats = ppo(**FIXED, **VALUES, **constants, value_clip=None, value_coef=0.5)
    close(loss, float(stats["policy_loss"] + 0.5 * stats["value_loss"]))
    close(ppo_policy(**FIXED, **constants)[0], float(stats["policy_loss"]))
    close(
        ppo(**FIXED, **VALUES, **constants, value_clip=None, value_coef=0)[0], stats["policy_loss"]
    )
    assert all(value.ndim == 0 and not value.requires_grad for value in stats.values())


@pytest.mark.parametrize("bad", [1.0, 0.5, -3])
def test_a_dual_clip_below_one_would_undo_the_band(bad):
    with pytest.raises(ValueError, match=f"dual_clip is {bad}; it must be more than 1, or None"):
        ppo_policy(**FIXED, **{**POLICY, "dual_clip": bad}, aggregation=token_mean)
