from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from laws import name_of
from pairs import PAIR_LAWS, doubled, from_case, pairs, setting

from evidence_matrix.objectives.dpo import dpo

CONSTANTS = {"beta": 0.3, "label_smoothing": 0.1}


@pytest.mark.parametrize("law", PAIR_LAWS, ids=name_of)
def test_law(law):
    law(setting(lambda **given_: dpo(**given_, **CONSTANTS)[0]))


def test_loss_and_gradient_are_those_of_trl(vector):
    case = vector("dpo-beta0.2")
    arguments, leaves = from_case(case)
    loss, _ = dpo(**arguments, beta=0.2, label_smoothing=0.0)
    case.check_loss(loss, **leaves)


def test_hand_worked():
    tensors = {
        "chosen_log_prob": torch.tensor([[-1.0, -2.0]]),
        "rejected_log_prob": torch.tensor([[-3.0, -1.0]]),
        "ref_chosen_log_prob": torch.tensor([[-1.5, -2.5]]),
        "ref_rejected_log_prob": torch.tensor([[-2.0, -9.0]]),
        "chosen_mask": torch.tensor([[1, 1]]),
        "rejected_mask": torch.tensor([[1, 0]]),
    }
    loss, stats = dpo(**tensors, beta=0.5, label_smoothing=0.1)
    # Chosen: (-1 - 2) - (-1.5 - 2.5) = 1; rejected, first token only: -3 - (-2) = -1; h = 2.
    # beta h = 1: loss = -0.9 log sigma(1) - 0.1 log sigma(-1).
    softplus = math.log1p(math.exp(-1))
    assert loss.item() == pytest.approx(0.9 * softplus + 0.1 * (1 + softplus))
    assert stats["chosen_reward"].item() == pytest.approx(0.5)
    assert stats["rejected_reward"].item() == pytest.approx(-0.5)
    assert stats["margin"].item() == pytest.approx(1.0)
    assert stats["accuracy"].item() == 1.0


def test_a_policy_that_is_its_reference_costs_ln_2_and_moves_by_half_of_beta():
    tensors = pairs()
    tensors["ref_chosen_log_prob"] = tensors["chosen_log_prob"].clone()
    tensors["ref_rejected_log_prob"] = tensors["rejected_log_prob"].clone()
    leaves = [tensors[name].requires_grad_() for name in ("chosen_log_prob", "rejected_log_prob")]
    loss, _ = dpo(**tensors, beta=0.3, label_smoothing=0.0)
    assert loss.item() == pytest.approx(math.log(2), abs=1e-15)
    chosen, rejected = torch.autograd.grad(loss, leaves)
    torch.testing.assert_close(chosen, -0.3 / 2 / 3 * tensors["chosen_mask"].double())
    torch.testing.assert_close(rejected, 0.3 / 2 / 3 * tensors["rejected_mask"].double())


@given(st.integers(0, 50), st.lists(st.floats(-5, 5), min_size=3, max_size=3))
def test_the_reference_matters_only_through_its_margin(seed, shifts):
    # The same amount on the log-probability of both responses to a prompt cancels.
    tensors = pairs(seed)
    moved = dict(tensors)
    for side in ("chosen", "rejected"):
        first = torch.argmax(tensors[f"{side}_mask"], dim=1)
        reference = tensors[f"ref_{side}_log_prob"].clone()
        reference[torch.arange(3), first] += torch.tensor(shifts, dtype=torch.float64)
        moved[f"ref_{side}_log_prob"] = reference
    before, after = (dpo(**each, **CONSTANTS)[0] for each in (tensors, moved))
    torch.testing.assert_close(after, before, rtol=1e-12, atol=1e-12)


@given(st.integers(0, 50), st.floats(0.01, 2))
def test_exchanging_the_sides_turns_the_sign_of_the_margin(seed, beta):
    tensors = pairs(seed)
    swapped = {
        name: tensors[
            name.replace("chosen", "X").replace("rejected", "chosen").replace("X", "rejected")
        ]
        for name in tensors
    }
    loss, stats = dpo(**tensors, beta=beta, label_smoothing=0.0)
    other, other_stats = dpo(**swapped, beta=beta, label_smoothing=0.0)
    torch.testing.assert_close(other_stats["margin"], -stats["margin"])
    # softplus(x) - softplus(-x) = x, pair by pair.
    torch.testing.assert_close(other - loss, stats["margin"], rtol=1e-9, atol=1e-12)


@given(st.integers(0, 50))
def test_every_token_of_a_response_gets_the_same_gradient_and_the_sides_opposite_ones(seed):
    tensors = pairs(seed)
    leaves = [tensors[name].requires_grad_() for name in ("chosen_log_prob", "rejected_log_prob")]
    chosen, rejected = torch.autograd.grad(dpo(**tensors, **CONSTANTS)[0], leaves)
    for pair in range(3):
        up = chosen[pair][tensors["chosen_mask"][pair] == 1]
        down = rejected[pair][tensors["rejected_mask"][pair] == 1]
        torch.testing.assert_close(up, up[0].expand_as(up), rtol=1e-12, atol=0)
        torch.testing.assert_close(down, -up[0].expand_as(down), rtol=1e-12, atol=0)


@given(st.integers(0, 50))
def test_a_weak_pull_makes_all_pairs_alike(seed):
    loss, _ = dpo(**pairs(seed), beta=1e-9, label_smoothing=0.0)
    assert loss.item() == pytest.approx(math.log(2), abs=1e-7)


def test_log_probabilities_are_summed_so_writing_tokens_twice_doubles_the_margin():
    _, stats = dpo(**pairs(), **CONSTANTS)
    _, twice = dpo(**doubled(pairs()), **CONSTANTS)
    torch.testing.assert_close(twice["margin"], 2 * stats["margin"])


@pytest.mark.parametrize(
    ("constants", "message"),
    [
        ({"beta": 0.0, "label_smoothing": 0.0}, "beta is 0.0; it must be more than zero"),
        ({"beta": 0.1, "label_smoothing": 0.5}, r"label_smoothing is 0.5; it must be in \[0, 0.5"),
    ],
)
def test_constants_out_of_range_are_refused(constants, message):
    with pytest.raises(ValueError, match=message):
        dpo(**pairs(), **constants)
