from __future__ import annotations

import math

import pytest
import torch
from batches import FIXED, batches, close, gradient, tensor
from hypothesis import given
from hypothesis import strategies as st
from laws import TOKEN_LAWS, Setting, name_of

from evidence_matrix.objectives.cispo import cispo, cispo_unified
from evidence_matrix.objectives.dapo import dapo

BOUNDS = {"weight_min": 0.7, "weight_max": 1.2}
FREE = {"weight_min": 0.0, "weight_max": math.inf}
SETTINGS = {
    "plain": Setting(lambda **given: cispo(**given, **BOUNDS)[0], FIXED),
    "unified": Setting(
        lambda **given: cispo_unified(**given, **BOUNDS, clip_low=0.2, clip_high=0.28)[0], FIXED
    ),
}


@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_law(law, setting):
    law(setting)


def test_loss_and_gradient_are_those_of_verl(vector):
    case = vector("cispo-one-sided")
    log_prob = case.leaf("log_prob")
    names = ("old_log_prob", "advantages", "mask")
    bounds = {"weight_min": 0.0, "weight_max": 1.2}
    loss, _ = cispo(log_prob, *(case[name] for name in names), **bounds)
    case.check_loss(loss, log_prob=log_prob)


def test_the_unified_form_is_that_of_the_derivation(vector):
    case = vector("cispo-unified-ppo-mask")
    log_prob = case.leaf("log_prob")
    tensors = (case[name] for name in ("old_log_prob", "advantages", "mask"))
    loss, _ = cispo_unified(log_prob, *tensors, **FREE, clip_low=0.2, clip_high=0.28)
    # The case's oracle is the clipped surrogate, and so is its value; only the gradient is shared.
    case.check_loss(loss, log_prob=log_prob)


def test_weights_below_inside_and_above_the_bounds_by_hand():
    old = tensor([-1.0, -1.0, -1.0])
    log_prob = (old + tensor([math.log(0.5), math.log(1.1), math.log(3)])).requires_grad_()
    tensors = (old, tensor([1, -2, 1]), torch.ones(1, 3))
    loss, stats = cispo(log_prob, *tensors, weight_min=0.8, weight_max=2.0)
    terms = [0.8 * (math.log(0.5) - 1), 1.1 * -2 * (math.log(1.1) - 1), 2.0 * (math.log(3) - 1)]
    close(loss, -sum(terms) / 3)
    close(gradient(loss, log_prob), [[-0.8 / 3, 2.2 / 3, -2.0 / 3]])
    close(stats["bound_fraction"], 2 / 3, atol=1e-7)
    close(stats["ratio_mean"], 4.6 / 3)


@given(batch=batches(), low=st.floats(0, 1), high=st.floats(1, 3))
def test_every_token_keeps_its_gradient_and_the_weight_has_none(batch, low, high):
    leaf = batch.leaf
    tensors = (batch.old_log_prob, batch.advantages, batch.mask)
    loss, _ = cispo(leaf, *tensors, weight_min=low, weight_max=high)
    expected = -batch.ratio.clamp(low, high) * batch.advantages / batch.mask.sum()
    close(gradient(loss, leaf), torch.where(batch.keep, expected, 0.0))


@given(batch=batches())
def test_without_bounds_it_has_the_importance_weighted_gradient_and_fresh_that_of_reinforce(batch):
    for old, ratio in ((batch.old_log_prob, batch.ratio), (batch.log_prob, 1.0)):
        leaf = batch.leaf
        loss, _ = cispo(leaf, old, batch.advantages, batch.mask, **FREE)
        expected = -ratio * batch.advantages / batch.mask.sum()
        close(gradient(loss, leaf), torch.where(batch.keep, expected, 0.0))


@given(batch=batches(), low=st.floats(0, 0.9), high=st.floats(0, 2))
def test_unified_without_bounds_has_exactly_the_gradient_of_the_clip_but_another_value(
    batch, low, high
):
    first, second = batch.leaf, batch.leaf
    tensors = (batch.old_log_prob, batch.advantages, batch.mask)
    clips = {"clip_low": low, "clip_high": high}
    mine, stats = cispo_unified(first, *tensors, **FREE, **clips)
    other, other_stats = dapo(second, *tensors, **clips)
    close(gradient(mine, first), gradient(other, second))
    assert stats["dropped_fraction"] == other_stats["clip_fraction"]


def test_a_bound_of_the_other_convention_is_refused_when_it_crosses():
    with pytest.raises(
        ValueError, match=r"weight_max is 0\.2; it must be at least weight_min 0\.7"
    ):
        cispo(**FIXED, weight_min=0.7, weight_max=0.2)
