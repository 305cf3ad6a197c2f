from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from laws import LAWS, name_of
from pairs import (
    an_empty_response_is_refused,
    another_number_of_pairs_is_refused,
    from_case,
    pairs,
    parts_of_the_pairs_add_up,
    setting,
    widths_may_differ,
)

from evidence_matrix.objectives.aggregation import sequence_mean_token_mean, token_mean
from evidence_matrix.objectives.orpo import log_odds, orpo

ORPO_LAWS = (
    *LAWS,
    parts_of_the_pairs_add_up,
    an_empty_response_is_refused,
    another_number_of_pairs_is_refused,
    widths_may_differ,
)
PER_RESPONSE = {"likelihood_aggregation": sequence_mean_token_mean, "likelihood_denominator": None}
PER_TOKEN = {"likelihood_aggregation": token_mean, "likelihood_denominator": None}


@pytest.mark.parametrize("law", ORPO_LAWS, ids=name_of)
@pytest.mark.parametrize(("aggregation", "whole"), [(sequence_mean_token_mean, 3), (token_mean, 7)])
def test_law(law, aggregation, whole):
    # 3 chosen responses with 4 + 2 + 1 tokens: each term has a denominator of its own.
    def loss(denominator=None, **given_):
        return orpo(
            **given_,
            orpo_lambda=0.2,
            likelihood_aggregation=aggregation,
            likelihood_denominator=None if denominator is None else whole,
            denominator=denominator,
        )[0]

    law(setting(loss, reference=False))


def test_loss_and_gradient_are_those_of_the_paper_form(vector):
    case = vector("orpo-per-example-nll-lam0.2")
    arguments, leaves = from_case(case, reference=False)
    loss, _ = orpo(**arguments, orpo_lambda=0.2, **PER_RESPONSE)
    case.check_loss(loss, **leaves)


def test_loss_and_gradient_are_those_of_trl(vector):
    case = vector("orpo-trl-lam0.2")
    arguments, leaves = from_case(case, reference=False)
    loss, _ = orpo(**arguments, orpo_lambda=0.2, **PER_TOKEN)
    case.check_loss(loss, **leaves)


def test_hand_worked():
    # Mean log-probability ln(1/2) chosen, ln(1/4) rejected: odds 1 and 1/3, log-odds ratio ln 3.
    chosen = torch.tensor([[math.log(0.25), 0.0]], dtype=torch.float64)
    rejected = torch.tensor([[math.log(0.25), -5.0]], dtype=torch.float64)
    loss, stats = orpo(
        chosen,
        rejected,
        torch.tensor([[1, 1]]),
        torch.tensor([[1, 0]]),
        orpo_lambda=0.5,
        **PER_RESPONSE,
    )
    assert stats["log_odds_ratio"].item() == pytest.approx(math.log(3))
    assert stats["nll"].item() == pytest.approx(math.log(2))
    # sigma(ln 3) = 3/4.
    assert loss.item() == pytest.approx(math.log(2) - 0.5 * math.log(0.75))
    assert stats["accuracy"].item() == 1.0


def test_what_is_told_beside_the_loss_is_detached():
    tensors = pairs(reference=False)
    tensors["chosen_log_prob"].requires_grad_()
    loss, stats = orpo(**tensors, orpo_lambda=0.2, **PER_RESPONSE)
    assert loss.requires_grad
    assert not any(each.requires_grad for each in stats.values())


@given(st.integers(0, 50))
def test_weight_zero_leaves_the_log_loss_of_the_chosen_response(seed):
    tensors = pairs(seed, reference=False)
    loss, stats = orpo(**tensors, orpo_lambda=0.0, **PER_RESPONSE)
    expected = sequence_mean_token_mean(-tensors["chosen_log_prob"], tensors["chosen_mask"])
    torch.testing.assert_close(loss, expected, rtol=0, atol=0)
    torch.testing.assert_close(stats["nll"], expected, rtol=0, atol=0)


@given(st.integers(0, 50), st.floats(0, 3))
def test_equal_responses_cost_ln_2_times_the_weight(seed, weight):
    tensors = pairs(seed, reference=False)
    tensors["rejected_log_prob"] = tensors["chosen_log_prob"]
    tensors["rejected_mask"] = tensors["chosen_mask"]
    loss, stats = orpo(**tensors, orpo_lambda=weight, **PER_RESPONSE)
    assert (loss - stats["nll"]).item() == pytest.approx(weight * math.log(2), abs=1e-12)


@given(st.floats(-8, -0.01), st.floats(-8, -0.01))
def test_gradient_of_the_odds_term_has_the_two_factors_of_its_derivation(chosen, rejected):
    # d/da of -log sigma(d) is -(1 - sigma(d)) / (1 - e^a), d the log-odds ratio.
    a = torch.tensor([[chosen]], dtype=torch.float64, requires_grad=True)
    b = torch.tensor([[rejected]], dtype=torch.float64, requires_grad=True)
    ones = torch.ones(1, 1)
    loss, stats = orpo(a, b, ones, ones, orpo_lambda=1.0, **PER_RESPONSE)
    up, down = torch.autograd.grad(loss, (a, b))
    lost = 1 - torch.sigmoid(stats["log_odds_ratio"]).item()
    assert up.item() == pytest.approx(-1 - lost / -math.expm1(chosen), rel=1e-9)
    assert down.item() == pytest.approx(lost / -math.expm1(rejected), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("mean", "expected"),
    [
        (-1e-12, 12 * math.log(10)),
        (-50.0, -50.0),
        (-math.log(2), 0.0),
        (-math.log(4), -math.log(3)),
    ],
)
def test_log_odds_keep_their_digits_at_both_ends(mean, expected):
    means = torch.tensor([mean], dtype=torch.float64, requires_grad=True)
    got = log_odds(means)
    assert got.item() == pytest.approx(expected, rel=1e-11, abs=1e-15)
    got.backward()
    # 1 / (1 - e^a): log1p(-exp(a)) would have lost four digits of it at the first mean.
    assert means.grad.item() == pytest.approx(-1 / math.expm1(mean), rel=1e-11)


def test_certainty_is_held_finite_and_does_not_move():
    certain = torch.zeros(1, dtype=torch.float64, requires_grad=True)
    odds = log_odds(certain)
    odds.sum().backward()
    assert odds.isfinite().all()
    assert certain.grad.item() == 0.0


@given(st.floats(-6, -0.1), st.floats(0.01, 0.09))
def test_log_odds_rise_with_the_mean(mean, more):
    low, high = log_odds(torch.tensor([mean, mean + more], dtype=torch.float64))
    assert low < high


def test_a_negative_weight_is_refused():
    with pytest.raises(ValueError, match=r"orpo_lambda is -0.1"):
        orpo(**pairs(reference=False), orpo_lambda=-0.1, **PER_RESPONSE)
