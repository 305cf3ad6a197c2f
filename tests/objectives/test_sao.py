from __future__ import annotations

import math

import pytest
import torch
from batches import FIXED, batches, close, gradient, tensor
from hypothesis import given
from hypothesis import strategies as st
from laws import TOKEN_LAWS, Setting, name_of

from evidence_matrix.objectives.sao import double_sided_mask, gae, sao

BAND = {"clip_low": 0.3, "clip_high": 0.5}
TENSORS = {
    "log_prob": FIXED["log_prob"],
    "rollout_log_prob": FIXED["old_log_prob"],
    "advantages": FIXED["advantages"],
    "mask": FIXED["mask"],
}
SETTINGS = {
    "constant weight": Setting(
        lambda **given: sao(**given, **BAND, detach_weight=True)[0], TENSORS
    ),
    "differentiated weight": Setting(
        lambda **given: sao(**given, **BAND, detach_weight=False)[0], TENSORS
    ),
}


@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_law(law, setting):
    law(setting)


def test_loss_gradient_and_mask_are_those_of_the_derivation(vector):
    for case, band in (
        (vector("sao-tight-detached-weight"), {"clip_low": 0.2, "clip_high": 0.2}),
        (vector("sao-boundary-excluded"), {"clip_low": 0.0, "clip_high": 1.0}),
    ):
        log_prob = case.leaf("log_prob")
        names = ("rollout_log_prob", "advantages", "mask")
        loss, stats = sao(log_prob, *(case[name] for name in names), **band, detach_weight=True)
        case.check_loss(loss, log_prob=log_prob)
        case.check("rejected_fraction", stats["rejected_fraction"], atol=1e-7)
        ratio = (log_prob - case["rollout_log_prob"]).exp()
        case.check("trusted", double_sided_mask(ratio, **band) & (case["mask"] == 1))


def test_advantages_step_over_observations_as_on_the_actions_alone(vector):
    case = vector("sao-skip-observation-gae")
    tensors = (case[name] for name in ("rewards", "values", "mask"))
    advantages, targets = gae(*tensors, **case.constants)
    case.check("advantages", advantages)
    case.check("value_targets", targets)


def test_five_ratios_on_and_off_the_boundary_by_hand():
    # ratios 1/2 (below), 1 (the lower end), 3/2 (inside), 2 (the upper end), 3 (above)
    log_prob = tensor([-1.0] * 5).requires_grad_()
    rollout = tensor([-1.0 - math.log(ratio) for ratio in (0.5, 1, 1.5, 2, 3)])
    rollout[0, 3] = -1.0 - 0.6931471805599453  # exp of the difference is exactly 2
    advantages = tensor([1, -1, 2, 1, -1])
    loss, stats = sao(
        log_prob,
        rollout,
        advantages,
        torch.ones(1, 5),
        clip_low=0.0,
        clip_high=1.0,
        detach_weight=True,
    )
    close(loss, -(1.5 * 2 * -1.0) / 5)
    close(gradient(loss, log_prob), [[0, 0, -1.5 * 2 / 5, 0, 0]])
    close(stats["rejected_fraction"], 4 / 5, atol=1e-7)


@given(low=st.floats(0, 1), high=st.floats(0, 10), inside=st.floats(0.01, 0.99))
def test_the_band_is_open_at_both_ends(low, high, inside):
    ends = tensor(1 - low, 1 + high)
    assert not double_sided_mask(ends, clip_low=low, clip_high=high).any()
    between = ends[0] + inside * (ends[1] - ends[0])
    trusted = bool(double_sided_mask(between, clip_low=low, clip_high=high))
    assert trusted == bool(ends[0] < between < ends[1])


@given(batch=batches(), detach_weight=st.booleans())
def test_tokens_outside_get_nothing_whatever_their_advantage(batch, detach_weight):
    for sign in (1, -1):
        leaf = batch.leaf
        tensors = (batch.old_log_prob, sign * batch.advantages, batch.mask)
        loss, _ = sao(leaf, *tensors, **BAND, detach_weight=detach_weight)
        outside = (batch.ratio <= 0.7) | (batch.ratio >= 1.5)
        assert (gradient(loss, leaf)[outside & batch.keep] == 0).all()


@given(batch=batches(), detach_weight=st.booleans())
def test_with_nothing_trusted_loss_and_gradient_are_exactly_zero(batch, detach_weight):
    leaf = batch.leaf
    loss, stats = sao(
        leaf,
        batch.log_prob,
        batch.advantages,
        batch.mask,
        clip_low=0.0,
        clip_high=0.0,
        detach_weight=detach_weight,
    )
    assert loss == 0
    assert (gradient(loss, leaf) == 0).all()
    assert stats["rejected_fraction"] == 1


@given(batch=batches())
def test_without_a_band_it_has_the_importance_weighted_gradient_and_fresh_that_of_reinforce(batch):
    for rollout, ratio in ((batch.old_log_prob, batch.ratio), (batch.log_prob, 1.0)):
        leaf = batch.leaf
        loss, stats = sao(
            leaf,
            rollout,
            batch.advantages,
            batch.mask,
            clip_low=math.inf,
            clip_high=math.inf,
            detach_weight=True,
        )
        expected = -ratio * batch.advantages / batch.mask.sum()
        close(gradient(loss, leaf), torch.where(batch.keep, expected, 0.0))
        assert stats["rejected_fraction"] == 0


@given(batch=batches())
def test_differentiating_the_weight_multiplies_the_gradient_by_one_plus_log_probability(batch):
    """And so flips its sign for a token that is less likely than 1/e."""
    gradients = []
    for detach_weight in (True, False):
        leaf = batch.leaf
        tensors = (batch.old_log_prob, batch.advantages, batch.mask)
        loss, _ = sao(leaf, *tensors, **BAND, detach_weight=detach_weight)
        gradients.append(torch.where(batch.keep, gradient(loss, leaf), 0.0))
    factor = torch.where(batch.keep, 1 + batch.log_prob, 0.0)
    close(gradients[1], gradients[0] * factor)


@given(batch=batches())
def test_leaving_tokens_out_does_not_give_more_weight_to_the_others(batch):
    gradients = []
    for width in (0.9, 0.1):
        leaf = batch.leaf
        tensors = (batch.old_log_prob, batch.advantages, batch.mask)
        loss, _ = sao(leaf, *tensors, clip_low=width, clip_high=width, detach_weight=True)
        gradients.append(gradient(loss, leaf))
    wide, tight = gradients
    assert ((tight == wide) | (tight == 0)).all()
