from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from laws import name_of
from pairs import PAIR_LAWS, doubled, from_case, pairs, setting

from evidence_matrix.objectives.ipo import ipo


@pytest.mark.parametrize("average_tokens", [True, False])
@pytest.mark.parametrize("law", PAIR_LAWS, ids=name_of)
def test_law(law, average_tokens):
    law(setting(lambda **given_: ipo(**given_, tau=0.3, average_tokens=average_tokens)[0]))


def test_averaged_loss_and_gradient_are_those_of_trl(vector):
    case = vector("ipo-length-averaged-beta0.3")
    arguments, leaves = from_case(case)
    loss, _ = ipo(**arguments, tau=0.3, average_tokens=True)
    case.check_loss(loss, **leaves)


def test_summed_loss_and_gradient_are_those_of_openrlhf(vector):
    case = vector("ipo-summed-beta0.3")
    arguments, leaves = from_case(case)
    loss, _ = ipo(**arguments, tau=0.3, average_tokens=False)
    case.check_loss(loss, **leaves)


def one_pair(margin: torch.Tensor) -> dict[str, torch.Tensor]:
    """One pair of one token each whose margin h is `margin`."""
    zero, one = torch.zeros(1, 1, dtype=torch.float64), torch.ones(1, 1)
    return {
        "chosen_log_prob": margin.reshape(1, 1),
        "rejected_log_prob": zero,
        "ref_chosen_log_prob": zero,
        "ref_rejected_log_prob": zero,
        "chosen_mask": one,
        "rejected_mask": one,
    }


def test_hand_worked():
    tensors = {
        "chosen_log_prob": torch.tensor([[-1.0, -2.0]]),
        "rejected_log_prob": torch.tensor([[-3.0, -1.0]]),
        "ref_chosen_log_prob": torch.tensor([[-1.5, -2.5]]),
        "ref_rejected_log_prob": torch.tensor([[-2.0, -9.0]]),
        "chosen_mask": torch.tensor([[1, 1]]),
        "rejected_mask": torch.tensor([[1, 0]]),
    }
    # Chosen log-ratio 0.5 a token over 2 tokens, rejected -1 over 1 token; target 1/(2*0.25) = 2.
    loss, stats = ipo(**tensors, tau=0.25, average_tokens=False)
    assert stats["margin"].item() == pytest.approx(2.0)
    assert loss.item() == pytest.approx(0.0, abs=1e-12)
    loss, stats = ipo(**tensors, tau=0.25, average_tokens=True)
    assert stats["margin"].item() == pytest.approx(1.5)
    assert loss.item() == pytest.approx(0.25)


def test_accuracy_is_the_share_of_pairs_whose_margin_is_above_zero():
    three = one_pair(torch.zeros(1, dtype=torch.float64))
    three = {name: each.repeat(3, 1) for name, each in three.items()}
    three["chosen_log_prob"] = torch.tensor([[0.5], [-0.5], [-2.0]], dtype=torch.float64)
    _, stats = ipo(**three, tau=0.25, average_tokens=False)
    assert stats["accuracy"].item() == pytest.approx(1 / 3)
    assert stats["margin"].item() == pytest.approx(-2 / 3)


@given(st.floats(0.05, 5), st.floats(-3, 3))
def test_least_at_half_of_one_over_tau_and_symmetric_and_quadratic_about_it(tau, distance):
    target = 1 / (2 * tau)
    margin = torch.tensor(target, dtype=torch.float64, requires_grad=True)
    loss, _ = ipo(**one_pair(margin), tau=tau, average_tokens=False)
    loss.backward()
    assert loss.item() == 0.0
    assert margin.grad.item() == 0.0
    for side in (distance, -distance):
        away = torch.tensor(target + side, dtype=torch.float64)
        got, _ = ipo(**one_pair(away), tau=tau, average_tokens=False)
        assert got.item() == pytest.approx(distance**2, rel=1e-9, abs=1e-12)


@given(st.integers(0, 50))
def test_writing_every_token_twice_matters_to_the_sum_and_not_to_the_average(seed):
    once, twice = pairs(seed), doubled(pairs(seed))
    mean = [ipo(**each, tau=0.3, average_tokens=True) for each in (once, twice)]
    torch.testing.assert_close(mean[1][0], mean[0][0], rtol=1e-12, atol=1e-12)
    total = [ipo(**each, tau=0.3, average_tokens=False)[1]["margin"] for each in (once, twice)]
    torch.testing.assert_close(total[1], 2 * total[0], rtol=1e-12, atol=1e-12)


def test_tau_must_be_positive():
    with pytest.raises(ValueError, match=r"tau is -1.0; it must be more than zero"):
        ipo(**pairs(), tau=-1.0, average_tokens=True)
