from __future__ import annotations

import math
from functools import partial

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
from evidence_matrix.objectives.decoupled_ppo import capped, decoupled_ppo, popped, unbounded
from evidence_matrix.objectives.ppo import ppo_policy

CLIPS = {"clip_low": 0.2, "clip_high": 0.28}
BEHAVIOR = FIXED["old_log_prob"] - tensor([0.2, -0.5, 2, 0.9], [-0.8, 0.1, 0, 2], [0.4, 2, 2, -0.1])
TENSORS = {
    "log_prob": FIXED["log_prob"],
    "proximal_log_prob": FIXED["old_log_prob"],
    "behavior_log_prob": BEHAVIOR,
    "advantages": FIXED["advantages"],
    "mask": FIXED["mask"],
}
BOUNDS = {
    "unbounded": unbounded,
    "capped": partial(capped, weight_max=1.3),
    "popped": partial(popped, weight_min=0.5, weight_max=2.0),
}


@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
@pytest.mark.parametrize("bound", BOUNDS.values(), ids=BOUNDS)
def test_law(law, bound):
    constants = {**CLIPS, "bound": bound, "aggregation": sequence_mean_token_mean}
    law(Setting(lambda **given: decoupled_ppo(**given, **constants)[0], TENSORS, count=rows))


def test_the_plain_form_is_that_of_verl(vector):
    case = vector("decoupled-plain")
    log_prob = case.leaf("log_prob")
    names = ("proximal_log_prob", "behaviour_log_prob", "advantages", "mask")
    loss, _ = decoupled_ppo(
        log_prob,
        *(case[name] for name in names),
        clip_low=0.2,
        clip_high=0.2,
        bound=unbounded,
        aggregation=token_mean,
    )
    case.check_loss(loss, log_prob=log_prob)


def test_the_popped_form_with_the_engine_as_sampler_is_that_of_slime(vector):
    case = vector("mismatch-pop-grpo")
    log_prob = case.leaf("log_prob")
    names = ("old_log_prob", "inference_log_prob", "advantages", "mask")
    loss, _ = decoupled_ppo(
        log_prob,
        *(case[name] for name in names),
        **CLIPS,
        bound=BOUNDS["popped"],
        aggregation=sequence_mean_token_mean,
    )
    case.check_loss(loss, log_prob=log_prob)


def test_weights_below_inside_and_above_the_bounds_by_hand():
    weight = tensor(0.4, 0.5, 1.0, 2.0, 2.1)
    close(unbounded(weight), weight)
    close(capped(weight, weight_max=1.5), [0.4, 0.5, 1.0, 1.5, 1.5])
    close(popped(weight, weight_min=0.5, weight_max=2.0), [0, 0.5, 1.0, 2.0, 0])


def test_two_tokens_by_hand():
    behavior = tensor([-2.0, -2.0])
    proximal = behavior + tensor([math.log(3), math.log(0.5)])
    log_prob = (proximal + tensor([math.log(1.5), math.log(1.1)])).requires_grad_()
    loss, stats = decoupled_ppo(
        log_prob,
        proximal,
        behavior,
        tensor([1, 2]),
        torch.ones(1, 2),
        clip_low=0.2,
        clip_high=0.2,
        bound=unbounded,
        aggregation=token_sum,
    )
    # weights 3 and 1/2; ratios to the center 1.5, held to 1.2, and 1.1
    close(loss, -(3 * 1.2 * 1 + 0.5 * 1.1 * 2))
    close(gradient(loss, log_prob), [[0, -0.5 * 1.1 * 2]])
    close(stats["weight_mean"], 1.75)
    close(stats["ratio_mean"], 1.3)
    close(stats["clip_fraction"], 0.5)


def run(batch, leaf, proximal, behavior, **constants):
    given = {**CLIPS, "bound": unbounded, "aggregation": token_mean, **constants}
    return decoupled_ppo(leaf, proximal, behavior, batch.advantages, batch.mask, **given)


@given(batch=batches())
def test_with_the_sampler_in_the_center_it_is_ppo(batch):
    first, second = batch.leaf, batch.leaf
    mine, _ = run(batch, first, batch.old_log_prob, batch.old_log_prob)
    tensors = (batch.old_log_prob, batch.advantages, batch.mask)
    other, _ = ppo_policy(second, *tensors, **CLIPS, dual_clip=None, aggregation=token_mean)
    close(mine, other.item())
    close(gradient(mine, first), gradient(other, second))


@given(batch=batches())
def test_on_fresh_samples_of_the_center_it_is_weighted_reinforce(batch):
    leaf = batch.leaf
    loss, _ = run(batch, leaf, batch.log_prob, batch.old_log_prob)
    expected = -batch.ratio * batch.advantages / batch.mask.sum()
    close(gradient(loss, leaf), torch.where(batch.keep, expected, 0.0))


@given(batch=batches())
def test_unclipped_the_two_ratios_multiply_to_that_of_current_to_sampler(batch):
    leaf = batch.leaf
    wide = {"clip_low": math.inf, "clip_high": math.inf}
    loss, _ = run(batch, leaf, batch.other_log_prob, batch.old_log_prob, **wide)
    expected = -batch.ratio * batch.advantages / batch.mask.sum()
    close(gradient(loss, leaf), torch.where(batch.keep, expected, 0.0))


@given(batch=batches(), shift=st.floats(-2, 2))
def test_whether_a_token_is_clipped_does_not_depend_on_the_sampler(batch, shift):
    alive = []
    for behavior in (batch.other_log_prob, batch.other_log_prob + shift):
        leaf = batch.leaf
        loss, _ = run(batch, leaf, batch.old_log_prob, behavior)
        alive.append(gradient(loss, leaf) != 0)
    assert torch.equal(*alive)


@given(batch=batches(), cap=st.floats(0.1, 3))
def test_a_cap_binds_exactly(batch, cap):
    leaf = batch.leaf
    bound = partial(capped, weight_max=cap)
    loss, _ = run(batch, leaf, batch.log_prob, batch.old_log_prob, bound=bound)
    expected = -batch.ratio.clamp(max=cap) * batch.advantages / batch.mask.sum()
    close(gradient(loss, leaf), torch.where(batch.keep, expected, 0.0))


@given(batch=batches())
def test_tokens_left_out_stay_in_the_denominator(batch):
    gradients = []
    for bound in (unbounded, partial(popped, weight_min=0.8, weight_max=1.2)):
        leaf = batch.leaf
        loss, _ = run(batch, leaf, batch.log_prob, batch.old_log_prob, bound=bound)
        gradients.append(gradient(loss, leaf))
    everything, inside = gradients
    assert ((inside == everything) | (inside == 0)).all()


def test_an_empty_interval_is_an_error_and_drops_nothing_silently():
    with pytest.raises(ValueError, match=r"weight_min 2\.0 is above weight_max 0\.5"):
        popped(torch.ones(1), weight_min=2.0, weight_max=0.5)
