from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.objectives.regularized import outside, regularized_surrogate

INTERVAL = {"ratio_min": 0.5, "ratio_max": 2.0}


def test_hand_worked():
    log_ratios = torch.tensor([[math.log(1.5), math.log(4)]], dtype=torch.float64)
    got = regularized_surrogate(log_ratios, torch.tensor([[2.0, -1.0]]), tau=0.1, **INTERVAL)
    # 1.5 * 2 and 2 * -1, less a tenth of the squared log-ratios.
    expected = [3 - 0.1 * math.log(1.5) ** 2, -2 - 0.1 * math.log(4) ** 2]
    assert got.tolist() == [pytest.approx(expected)]
    assert outside(log_ratios, **INTERVAL).tolist() == [[False, True]]


@given(st.floats(-5, 5), st.floats(-3, 3), st.floats(0.01, 2))
def test_gradient_is_that_of_the_policy_inside_and_of_the_regularizer_everywhere(
    value, advantage, tau
):
    leaf = torch.tensor([value], dtype=torch.float64, requires_grad=True)
    regularized_surrogate(leaf, torch.tensor([advantage]).double(), tau=tau, **INTERVAL).backward()
    inside = INTERVAL["ratio_min"] <= math.exp(value) <= INTERVAL["ratio_max"]
    policy = math.exp(value) * advantage if inside else 0.0
    assert leaf.grad.item() == pytest.approx(policy - 2 * tau * value, rel=1e-5, abs=1e-6)


def test_the_ends_of_the_interval_are_inside_and_a_point_is_no_interval():
    one = torch.zeros(1, dtype=torch.float64)
    assert not outside(one, ratio_min=1.0, ratio_max=2.0).any()
    assert not outside(one, ratio_min=0.5, ratio_max=1.0).any()
    with pytest.raises(ValueError, match=r"ratio_min 1\.0 is not below ratio_max 1\.0"):
        regularized_surrogate(one, one, tau=0.1, ratio_min=1.0, ratio_max=1.0)


@given(st.floats(-3, 3), st.booleans())
def test_the_sign_of_the_advantage_does_not_move_the_interval(value, positive):
    log_ratios = torch.tensor([value], dtype=torch.float64)
    advantage = torch.tensor([1.0 if positive else -1.0], dtype=torch.float64)
    got = regularized_surrogate(log_ratios, advantage, tau=1e-12, **INTERVAL)
    clipped = min(max(math.exp(value), 0.5), 2.0)
    assert got.item() == pytest.approx(clipped * advantage.item(), rel=1e-9)
