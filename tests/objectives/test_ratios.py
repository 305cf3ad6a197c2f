from __future__ import annotations

import math

import torch
from batches import batches, close, gradient, tensor
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.objectives.ratios import (
    LOG_RATIO_GUARD,
    binding,
    clip_stats,
    clipped_surrogate,
    log_ratio,
    sequence_ratio,
    share,
    token_ratio,
)

BAND = {"clip_low": 0.2, "clip_high": 0.3}


def test_ratios_of_two_rows_by_hand():
    new = tensor([math.log(0.4), math.log(0.1), 5], [math.log(0.3), 5, 5])
    old = tensor([math.log(0.1), math.log(0.1), 8], [math.log(0.6), 8, 8])
    keep = torch.tensor([[True, True, False], [True, False, False]])
    # token ratios 4, 1 and 1/2; their geometric means 2 and 1/2
    close(token_ratio(new, old, keep), [[4, 1, 1], [0.5, 1, 1]])
    close(sequence_ratio(new, old, keep), [2, 0.5])


def test_the_clip_has_four_quadrants():
    ratio = tensor(1.5, 0.5, 1.5, 0.5).requires_grad_()
    advantages = tensor(1, 1, -1, -1)
    surrogate = clipped_surrogate(ratio, advantages, **BAND)
    close(surrogate, [1.3, 0.5, -1.5, -0.8])  # held, free, free, held
    close(gradient(surrogate.sum(), ratio), [0, 1, -1, 0])
    assert binding(ratio, advantages, **BAND).tolist() == [True, False, False, True]


@given(ratio=st.floats(0.01, 5), advantage=st.floats(-3, 3))
def test_the_surrogate_is_the_worse_of_both_and_scales_with_the_advantage(ratio, advantage):
    value = clipped_surrogate(tensor(ratio), tensor(advantage), **BAND)
    assert value <= ratio * advantage
    close(clipped_surrogate(tensor(ratio), tensor(3 * advantage), **BAND), 3 * value)


def test_on_fresh_samples_neither_branch_of_the_minimum_is_lost():
    ratio = tensor(1.0, 1.0).requires_grad_()
    surrogate = clipped_surrogate(ratio, tensor(2, -3), clip_low=0.0, clip_high=0.0)
    close(gradient(surrogate.sum(), ratio), [2, -3])


@given(batch=batches())
def test_the_other_policy_is_data(batch):
    other = batch.old_log_prob.clone().requires_grad_()
    leaf = batch.leaf
    token_ratio(leaf, other, batch.keep).sum().backward()
    assert other.grad is None
    close(leaf.grad[batch.keep], batch.ratio[batch.keep])


def test_the_guard_stops_overflow_and_lies_outside_every_band():
    far = torch.tensor([[500.0, -500.0]], requires_grad=True)
    ratio = token_ratio(far, torch.zeros(1, 2), torch.tensor([[True, True]]))
    assert ratio.isfinite().all()
    assert gradient(ratio.sum(), far).tolist() == [[0, 0]]
    held = clipped_surrogate(ratio, torch.tensor([[1.0, -1.0]]), clip_low=0.99, clip_high=100.0)
    close(held, [[101, -0.01]], atol=1e-6)
    assert math.exp(-LOG_RATIO_GUARD) < 1e-8 < 1e8 < math.exp(LOG_RATIO_GUARD)


@given(batch=batches())
def test_a_long_response_with_repeated_tokens_has_the_same_sequence_ratio(batch):
    once = sequence_ratio(batch.log_prob, batch.old_log_prob, batch.keep)
    twice = sequence_ratio(
        batch.log_prob.repeat(1, 2), batch.old_log_prob.repeat(1, 2), batch.keep.repeat(1, 2)
    )
    close(once, twice)


def test_stats_are_means_over_unmasked_tokens():
    ratio = tensor([1.5, 1.0, 9.0]).requires_grad_()
    keep = torch.tensor([[True, True, False]])
    stats = clip_stats(ratio, tensor([1, 1, 1]), keep, **BAND)
    assert {name: value.item() for name, value in stats.items()} == {
        "clip_fraction": 0.5,
        "ratio_mean": 1.25,
    }
    assert not any(value.requires_grad for value in stats.values())
    assert share(ratio, torch.zeros_like(keep)) == 0


def test_a_row_without_tokens_has_log_ratio_zero():
    nothing = torch.zeros(1, 2, dtype=torch.bool)
    nan = torch.full((1, 2), float("nan"))
    assert log_ratio(nan, nan, nothing).tolist() == [[0, 0]]
    assert sequence_ratio(nan, nan, nothing).tolist() == [1]


@given(batch=batches())
def test_a_share_of_booleans_is_the_mean_of_the_same_as_numbers(batch):
    above = batch.ratio > 1
    close(share(above, batch.keep), share(above.float(), batch.keep))
