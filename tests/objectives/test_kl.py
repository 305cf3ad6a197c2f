from __future__ import annotations

import math

import pytest
import torch
from batches import FIXED, batches, close, gradient, tensor
from hypothesis import given
from hypothesis import strategies as st
from laws import TOKEN_LAWS, Setting, name_of

from evidence_matrix.objectives.aggregation import token_mean, token_sum
from evidence_matrix.objectives.kl import k1, k2, k3, k3_corrected, k3_straight_through, kl

ESTIMATORS = [k1, k2, k3, k3_straight_through]
every_estimator = pytest.mark.parametrize("estimator", ESTIMATORS)
TENSORS = {
    "log_prob": FIXED["log_prob"],
    "ref_log_prob": FIXED["old_log_prob"],
    "mask": FIXED["mask"],
}


@every_estimator
@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
def test_law(law, estimator):
    constants = {"estimator": estimator, "aggregation": token_mean}
    law(Setting(lambda **given: kl(**given, **constants)[0], TENSORS))


def test_values_and_gradients_are_those_of_verl(vector):
    for case, estimator in (
        (vector("kl-k1"), k1),
        (vector("kl-k3"), k3),
        (vector("kl-k3-straight-through"), k3_straight_through),
    ):
        log_prob, ref = case.leaf("log_prob"), case["ref_log_prob"]
        constants = {"estimator": estimator, "aggregation": token_sum}
        loss, _ = kl(log_prob, ref, torch.ones_like(ref), **constants)
        case.check_loss(loss, log_prob=log_prob)
        case.check("per_token", estimator(log_prob - ref))


def test_three_log_ratios_by_hand():
    log_ratios = tensor(0, math.log(2), -math.log(4))
    close(k1(log_ratios), [0, math.log(2), -math.log(4)])
    close(k2(log_ratios), [0, math.log(2) ** 2 / 2, math.log(4) ** 2 / 2])
    # reference over current is 1, 1/2 and 4
    close(k3(log_ratios), [0, 0.5 - 1 + math.log(2), 4 - 1 - math.log(4)])


class World:
    """Two policies over four answers, the first by logits, and what is true of them."""

    def __init__(self) -> None:
        self.logits = tensor(0.3, -0.8, 1.1, -0.2).requires_grad_()
        self.log_p = self.logits.log_softmax(0)
        self.log_q = tensor(-0.4, 0.9, 0.2, -1.3).log_softmax(0)
        self.p, self.q = self.log_p.detach().exp(), self.log_q.exp()
        self.forward = (self.log_p.exp() * (self.log_p - self.log_q)).sum()
        self.reverse = (self.q * (self.log_q - self.log_p)).sum()
        self.nabla_forward = self.grad(self.forward)
        self.nabla_reverse = self.grad(self.reverse)

    def grad(self, value):
        return torch.autograd.grad(value, self.logits, retain_graph=True)[0]


def test_expected_values_by_exact_enumeration():
    world = World()
    log_ratios = (world.log_p - world.log_q).detach()
    truth = world.forward.item()
    for estimator in (k1, k3, k3_straight_through):
        close((world.p * estimator(log_ratios)).sum(), truth)
    assert abs((world.p * k2(log_ratios)).sum() - truth) > 0.01


def test_expected_gradients_as_a_loss_by_exact_enumeration():
    world = World()
    log_ratios = world.log_p - world.log_q
    for estimator, truth in (
        (k1, torch.zeros(4)),
        (k2, world.nabla_forward),
        (k3, world.nabla_reverse),
        (k3_straight_through, world.nabla_forward),
    ):
        close(world.grad((world.p * estimator(log_ratios)).sum()), truth)
    assert (world.nabla_forward - world.nabla_reverse).abs().max() > 0.01


def test_corrected_for_an_old_sampler_value_and_gradient_are_right_by_exact_enumeration():
    world = World()
    log_old = tensor(0.5, 0.1, -0.6, 0.4).log_softmax(0)
    log_ratios, ratios = world.log_p - world.log_q, (world.log_p - log_old).exp()
    estimate = (log_old.exp() * k3_corrected(log_ratios, ratios)).sum()
    close(estimate, world.forward.item())
    close(world.grad(estimate), world.nabla_forward)
    # A ratio held constant leaves the value and breaks the gradient.
    constant = (log_old.exp() * k3_corrected(log_ratios, ratios.detach())).sum()
    close(constant, world.forward.item())
    assert (world.grad(constant) - world.nabla_forward).abs().max() > 0.01


def test_in_the_reward_only_k1_gives_the_gradient_by_exact_enumeration():
    world = World()
    log_ratios = (world.log_p - world.log_q).detach()

    def score_function(estimator):
        return world.grad((world.p * estimator(log_ratios) * world.log_p).sum())

    close(score_function(k1), world.nabla_forward)
    close(score_function(k3), world.nabla_forward - world.nabla_reverse)


@given(log_ratio=st.floats(-15, 15))
def test_k1_is_odd_and_the_others_are_never_negative(log_ratio):
    here = tensor(log_ratio)
    close(k1(here), -k1(-here))
    assert k2(here) >= 0
    assert k3(here) >= 0
    assert torch.equal(k3(here), k3_straight_through(here)) or log_ratio != 0
    close(k3_straight_through(here), k3(here), atol=1e-9)


def test_near_zero_k3_keeps_the_digits_that_a_difference_of_exponentials_loses():
    for size in (1e-8, 1e-6, 1e-4):
        log_ratios = tensor(size, -size)
        # k3 is l^2/2 - l^3/6 + ...
        expected = tensor(size**2 / 2 - size**3 / 6, size**2 / 2 + size**3 / 6)
        assert ((k3(log_ratios) - expected).abs() <= 3e-16 * size + size**4).all()
    naive = torch.exp(-tensor(1e-8)) - 1 + 1e-8
    assert abs(naive - 5e-17) > 1e-17


def test_the_exponent_is_held_and_has_no_gradient_there():
    log_ratios = torch.tensor([-200.0, 200.0], requires_grad=True)
    value = k3(log_ratios)
    assert value.isfinite().all()
    assert gradient(value.sum(), log_ratios).tolist() == [0, 0]


@every_estimator
@given(batch=batches())
def test_at_the_reference_all_are_zero(estimator, batch):
    constants = {"estimator": estimator, "aggregation": token_mean}
    loss, stats = kl(batch.log_prob, batch.log_prob, batch.mask, **constants)
    assert loss == 0
    assert stats["log_ratio_mean"] == 0
