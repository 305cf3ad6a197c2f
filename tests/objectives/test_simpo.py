from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from laws import name_of
from pairs import PAIR_LAWS, doubled, from_case, pairs, setting

from evidence_matrix.objectives.dpo import dpo
from evidence_matrix.objectives.simpo import simpo


@pytest.mark.parametrize("law", PAIR_LAWS, ids=name_of)
def test_law(law):
    law(setting(lambda **given_: simpo(**given_, beta=2.0, simpo_gamma=0.5)[0], reference=False))


def test_loss_and_gradient_are_those_of_trl(vector):
    case = vector("simpo-beta2.5")
    arguments, leaves = from_case(case, reference=False)
    loss, _ = simpo(**arguments, beta=2.5, simpo_gamma=1.375)
    case.check_loss(loss, **leaves)


def test_a_margin_taken_for_the_ratio_is_beta_times_as_large(vector):
    case = vector("simpo-beta2.5")
    arguments, _ = from_case(case, reference=False)
    loss, _ = simpo(**arguments, beta=2.5, simpo_gamma=2.5 * 1.375)
    assert loss.item() - case.record["outputs"]["loss"] == pytest.approx(1.892328010928535)


def test_hand_worked():
    loss, stats = simpo(
        torch.tensor([[-1.0, -3.0]]),
        torch.tensor([[-4.0, -9.0]]),
        torch.tensor([[1, 1]]),
        torch.tensor([[1, 0]]),
        beta=0.5,
        simpo_gamma=0.25,
    )
    # Means -2 and -4; rewards -1 and -2; margin 1, less 0.25.
    assert stats["chosen_reward"].item() == pytest.approx(-1)
    assert stats["rejected_reward"].item() == pytest.approx(-2)
    assert stats["margin"].item() == pytest.approx(1)
    assert loss.item() == pytest.approx(math.log1p(math.exp(-0.75)))
    assert stats["accuracy"].item() == 1.0


@given(st.integers(0, 50))
def test_writing_every_token_twice_changes_nothing(seed):
    tensors = pairs(seed, reference=False)
    once, twice = (
        simpo(**each, beta=2.0, simpo_gamma=0.5)[0] for each in (tensors, doubled(tensors))
    )
    torch.testing.assert_close(twice, once, rtol=1e-12, atol=1e-12)


@given(st.integers(0, 50), st.floats(0, 4))
def test_equal_responses_cost_softplus_of_the_margin(seed, gamma):
    tensors = pairs(seed, reference=False)
    tensors["rejected_log_prob"] = tensors["chosen_log_prob"]
    tensors["rejected_mask"] = tensors["chosen_mask"]
    loss, _ = simpo(**tensors, beta=2.0, simpo_gamma=gamma)
    assert loss.item() == pytest.approx(math.log1p(math.exp(gamma)), rel=1e-12)


@given(st.floats(-4, -0.1), st.floats(-4, -0.1), st.floats(0, 3))
def test_gamma_only_shifts_the_logit(chosen, rejected, gamma):
    one = torch.ones(1, 1)
    a, b = (torch.tensor([[x]], dtype=torch.float64) for x in (chosen, rejected))
    with_margin, _ = simpo(a, b, one, one, beta=2.0, simpo_gamma=gamma)
    shifted, _ = simpo(a - gamma / 2, b, one, one, beta=2.0, simpo_gamma=0.0)
    torch.testing.assert_close(with_margin, shifted, rtol=1e-10, atol=1e-12)


@given(st.integers(0, 50))
def test_without_a_margin_it_is_length_normalized_dpo_against_a_uniform_reference(seed):
    # A uniform reference gives every token one log-probability, which the means cancel.
    tensors = pairs(seed, reference=False)
    loss, _ = simpo(**tensors, beta=2.0, simpo_gamma=0.0)
    flat = {}
    for side in ("chosen", "rejected"):
        keep = tensors[f"{side}_mask"] == 1
        length = keep.sum(dim=1, keepdim=True)
        flat[f"{side}_log_prob"] = tensors[f"{side}_log_prob"] / length
        flat[f"ref_{side}_log_prob"] = torch.full((3, 4), -math.log(7)).double() / length
        flat[f"{side}_mask"] = tensors[f"{side}_mask"]
    expected, _ = dpo(**flat, beta=2.0, label_smoothing=0.0)
    torch.testing.assert_close(loss, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("constants", "message"),
    [
        ({"beta": 0.0, "simpo_gamma": 1.0}, "beta is 0.0"),
        ({"beta": 1.0, "simpo_gamma": -1.0}, "simpo_gamma is -1.0"),
    ],
)
def test_constants_out_of_range_are_refused(constants, message):
    with pytest.raises(ValueError, match=message):
        simpo(**pairs(reference=False), **constants)
