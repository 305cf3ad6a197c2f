from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from evidence_matrix.runs import dr_grpo_length_bias as run


def logit(probability: float) -> torch.Tensor:
    return torch.logit(torch.tensor(probability, dtype=torch.float64))


def test_answers_end_at_their_stop_or_where_they_are_cut_off():
    random = torch.Generator().manual_seed(0)
    stop, mask = run.sample(torch.full((200,), 0.05, dtype=torch.float64), random)
    lengths = mask.sum(dim=1)
    assert (mask.diff(dim=1) <= 0).all(), "once an answer has ended it stays ended"
    ended = lengths < run.LONGEST
    assert stop[torch.arange(200), lengths - 1][ended].all()
    assert (stop & (mask == 1)).sum(dim=1).le(1).all()


@settings(max_examples=10)
@given(st.floats(0.05, 0.9), st.integers(0, 1000))
def test_sampled_lengths_agree_with_the_exact_mean(probability, seed):
    random = torch.Generator().manual_seed(seed)
    _, mask = run.sample(torch.full((4000,), probability, dtype=torch.float64), random)
    exact = run.expected_length(logit(probability))
    # Five standard errors of a mean whose deviation is at most 1/p.
    error = 5 / probability / 4000**0.5
    assert mask.sum(dim=1).double().mean().item() == pytest.approx(exact, abs=error)


def test_dividing_by_length_drifts_and_not_dividing_does_not():
    p = 1 / run.START
    n = torch.arange(1, 5000, dtype=torch.float64)
    endless = (p * (1 - p) ** (n - 1) * (1 / n - p)).sum().item()
    # Nearly the series without an end, -p ln p / (1 - p) - p.
    assert run.drift() == pytest.approx(endless, rel=0.01)
    undivided = (p * (1 - p) ** (n - 1) * (1 - p * n)).sum().item()
    assert undivided == pytest.approx(0, abs=1e-9)


def test_one_step_moves_wrong_answers_longer_and_right_ones_shorter_under_grpo():
    wrong, right = run.train(0, 5, True, True)
    assert wrong > run.START > right


def test_under_dr_grpo_lengths_stay_within_noise():
    wrong, right = run.train(0, 5, False, False)
    assert abs(wrong - 10) < 0.5
    assert abs(right - 10) < 0.5
