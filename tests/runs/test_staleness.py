from __future__ import annotations

import pytest
import torch

from evidence_matrix.runs import staleness as run


def gradient(objective, ratios: list[float]) -> list[float]:
    """Gradient at samples of advantage 1 whose probability is so many times that of the sampler."""
    now = torch.tensor(ratios, dtype=torch.float64).log()[:, None].requires_grad_()
    zero = torch.zeros_like(now).detach()
    ones = torch.ones_like(zero)
    loss = objective(now, now.detach(), zero, ones, ones)
    return (-torch.autograd.grad(loss, now)[0] * len(ratios)).flatten().tolist()


def test_what_each_objective_keeps_of_a_sample_that_has_become_likelier():
    ratios = [1.0, 1.1, 1.5, 3.0]
    assert gradient(run.uncorrected, ratios) == pytest.approx([1, 1, 1, 1])
    # PPO clips at the sampler, decoupled PPO where the batch began, which here is now.
    assert gradient(run.clipped_at_sampler, ratios) == pytest.approx([1, 1.1, 0, 0])
    assert gradient(run.clipped_at_batch, ratios) == pytest.approx(ratios)
    assert gradient(run.double_sided, ratios) == pytest.approx([1, 1.1, 1.5, 0])


def test_without_a_lag_all_start_alike():
    ends = [run.train(0, 1, 0, objective) for objective in run.ARMS.values()]
    rates = [end["pass_rate"] for end in ends]
    assert rates == pytest.approx([rates[0]] * len(rates), rel=0.02)
    assert all(end["idle"] == 0 for end in ends)


def test_with_a_lag_ppo_leaves_more_samples_idle():
    fresh = run.train(0, 12, 0, run.clipped_at_sampler)
    stale = run.train(0, 12, 10, run.clipped_at_sampler)
    assert stale["idle"] > fresh["idle"]


def test_a_goal_that_is_not_reached_counts_all_batches():
    assert run.train(0, 3, 0, run.uncorrected)["batches_to_goal"] == 3
