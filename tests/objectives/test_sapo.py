from __future__ import annotations

import math

import pytest
import torch
from batches import FIXED, batches, close, gradient, tensor
from hypothesis import given
from hypothesis import strategies as st
from laws import TOKEN_LAWS, Setting, name_of, rows

from evidence_matrix.objectives.sapo import sapo

TAUS = {"tau_pos": 1.0, "tau_neg": 1.05}
SETTING = Setting(lambda **given: sapo(**given, **TAUS)[0], FIXED, count=rows)
temperatures = st.floats(0.05, 8)


@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
def test_law(law):
    law(SETTING)


def test_loss_and_gradient_are_those_of_verl(vector):
    for case, taus in (
        (vector("sapo-paper"), TAUS),
        (vector("sapo-on-policy"), {"tau_pos": 1.0, "tau_neg": 5.0}),
    ):
        log_prob = case.leaf("log_prob")
        names = ("old_log_prob", "advantages", "mask")
        loss, _ = sapo(log_prob, *(case[name] for name in names), **taus)
        case.check_loss(loss, log_prob=log_prob)


def test_one_token_of_each_sign_by_hand():
    old = tensor([-2.0], [-2.0])
    log_prob = (old + math.log(1.5)).requires_grad_()
    tensors = (old, tensor([1], [-1]), torch.ones(2, 1))
    loss, stats = sapo(log_prob, *tensors, tau_pos=2.0, tau_neg=4.0)
    p, q = 1 / (1 + math.exp(-1)), 1 / (1 + math.exp(-2))  # sigmoid(2 * 0.5), sigmoid(4 * 0.5)
    close(loss, -(4 / 2 * p - 4 / 4 * q) / 2)
    gates = 4 * p * (1 - p), 4 * q * (1 - q)
    close(gradient(loss, log_prob), [[-gates[0] * 1.5 / 2], [gates[1] * 1.5 / 2]])
    close(stats["gate_mean"], sum(gates) / 2)


def weights(batch):
    length = batch.mask.sum(1, keepdim=True)
    return batch.keep.double() / length / len(batch.mask)


@given(batch=batches(), tau_pos=temperatures, tau_neg=temperatures)
def test_the_coefficient_of_a_token_is_its_gate_times_ratio_times_advantage(
    batch, tau_pos, tau_neg
):
    leaf = batch.leaf
    tensors = (batch.old_log_prob, batch.advantages, batch.mask)
    loss, _ = sapo(leaf, *tensors, tau_pos=tau_pos, tau_neg=tau_neg)
    tau = torch.full_like(batch.advantages, tau_neg).masked_fill(batch.advantages > 0, tau_pos)
    p = torch.sigmoid(tau * (batch.ratio - 1))
    expected = -weights(batch) * 4 * p * (1 - p) * batch.ratio * batch.advantages
    close(gradient(loss, leaf), torch.where(batch.keep, expected, 0.0))


@given(batch=batches(), tau_pos=temperatures, tau_neg=temperatures)
def test_at_ratio_one_it_is_reinforce_whatever_the_temperatures(batch, tau_pos, tau_neg):
    leaf = batch.leaf
    tensors = (batch.log_prob, batch.advantages, batch.mask)
    loss, stats = sapo(leaf, *tensors, tau_pos=tau_pos, tau_neg=tau_neg)
    expected = torch.where(batch.keep, -weights(batch) * batch.advantages, 0.0)
    close(gradient(loss, leaf), expected)
    close(stats["gate_mean"], 1)


def gate(ratio, tau):
    """The gradient of one fresh token's term at `ratio`, over ratio and advantage."""
    log_prob = tensor([math.log(ratio)]).requires_grad_()
    ones = torch.ones(1, 1, dtype=torch.float64)
    loss, _ = sapo(log_prob, 0 * ones, ones, ones, tau_pos=tau, tau_neg=1.0)
    return -gradient(loss, log_prob).item() / ratio


@given(distance=st.floats(0.01, 0.9), tau=temperatures)
def test_the_gate_is_even_around_ratio_one_and_fades_faster_for_a_larger_tau(distance, tau):
    assert gate(1 + distance, tau) == pytest.approx(gate(1 - distance, tau), rel=1e-6)
    assert gate(1 + distance, 2 * tau) < gate(1 + distance, tau) < 1


@given(batch=batches())
def test_a_small_tau_gives_the_importance_weighted_gradient(batch):
    leaf = batch.leaf
    tensors = (batch.old_log_prob, batch.advantages, batch.mask)
    loss, _ = sapo(leaf, *tensors, tau_pos=1e-5, tau_neg=1e-5)
    expected = -weights(batch) * batch.ratio * batch.advantages
    close(gradient(loss, leaf), torch.where(batch.keep, expected, 0.0), atol=1e-7)


@given(batch=batches(), tau_pos=temperatures, tau_neg=temperatures)
def test_no_token_weighs_more_than_without_a_gate(batch, tau_pos, tau_neg):
    leaf = batch.leaf
    tensors = (batch.old_log_prob, batch.advantages, batch.mask)
    loss, _ = sapo(leaf, *tensors, tau_pos=tau_pos, tau_neg=tau_neg)
    bound = weights(batch) * batch.ratio * batch.advantages.abs()
    assert (gradient(loss, leaf).abs()[batch.keep] <= bound[batch.keep] + 1e-12).all()


def test_an_advantage_of_zero_has_neither_value_nor_gradient():
    leaf = FIXED["log_prob"].clone().requires_grad_()
    zero = torch.zeros_like(leaf)
    loss, _ = sapo(leaf, FIXED["old_log_prob"], zero, FIXED["mask"], **TAUS)
    assert loss == 0
    assert (gradient(loss, leaf) == 0).all()


def test_a_ratio_that_would_overflow_gives_no_nan():
    leaf = torch.tensor([[0.0]], requires_grad=True)
    ones = torch.ones(1, 1)
    loss, _ = sapo(leaf, -500 * ones, ones, ones, **TAUS)
    assert loss.isfinite()
    assert gradient(loss, leaf).tolist() == [[0]]


def test_a_temperature_must_be_positive():
    with pytest.raises(ValueError, match=r"tau_neg is 0\.0; it must be more than zero"):
        sapo(**FIXED, tau_pos=1.0, tau_neg=0)
