from __future__ import annotations

import pytest
import torch
from batches import batches, close, groups, tensor
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.objectives.advantages import (
    gae,
    group_centered,
    group_leave_one_out,
    group_standardized,
    mixed_groups,
    returns_to_go,
    transition_gae,
    whitened,
)

BASELINES = [
    group_centered,
    group_leave_one_out,
    lambda rewards, group: group_standardized(rewards, group, std_eps=1e-6, correction=1),
]
every_baseline = pytest.mark.parametrize("baseline", BASELINES, ids=["mean", "others", "std"])


def test_three_baselines_of_two_groups_by_hand():
    rewards, group = tensor(1, 5, 4, 9, 3), torch.tensor([0, 8, 0, 8, 0])
    # group 0: rewards 1, 4, 3 with mean 8/3; group 8: rewards 5, 9 with mean 7
    close(group_centered(rewards, group), [1 - 8 / 3, -2, 4 - 8 / 3, 2, 3 - 8 / 3])
    close(group_leave_one_out(rewards, group), [1 - 3.5, 5 - 9, 4 - 2, 9 - 5, 3 - 2.5])
    deviations = (25 / 9 + 16 / 9 + 1 / 9) / 2, (4 + 4) / 1
    first, second = (variance**0.5 + 0.5 for variance in deviations)
    close(
        group_standardized(rewards, group, std_eps=0.5, correction=1),
        [-5 / 3 / first, -2 / second, 4 / 3 / first, 2 / second, 1 / 3 / first],
    )
    population = ((25 + 16 + 1) / 9 / 3) ** 0.5
    close(
        group_standardized(rewards, group, std_eps=0, correction=0)[[0, 2, 4]],
        [-5 / 3 / population, 4 / 3 / population, 1 / 3 / population],
    )


@every_baseline
@given(drawn=groups(), shift=st.floats(-5, 5))
def test_baselines_sum_to_zero_in_each_group_and_ignore_a_shift(baseline, drawn, shift):
    advantages = baseline(drawn.rewards, drawn.group)
    for label in drawn.group.unique():
        close(advantages[drawn.group == label].sum(), 0, atol=1e-9)
    close(baseline(drawn.rewards + shift, drawn.group), advantages, atol=1e-9)


@every_baseline
@given(value=st.floats(-1e6, 1e6), size=st.integers(2, 9))
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_uniform_group_gives_exactly_zero(baseline, dtype, value, size):
    rewards = torch.full((size,), value, dtype=dtype)
    assert (baseline(rewards, torch.zeros(size)) == 0).all()


def test_a_plain_mean_of_equal_floats_would_leave_a_residue():
    """The fault that comparing with a member first avoids."""
    rewards = torch.full((3,), 0.1, dtype=torch.float64)
    assert (rewards - rewards.sum() / 3 != 0).any()


@given(drawn=groups())
def test_leave_one_out_is_what_it_says_and_a_multiple_of_centering(drawn):
    advantages = group_leave_one_out(drawn.rewards, drawn.group)
    for row in range(len(drawn.group)):
        others = drawn.group == drawn.group[row]
        size = int(others.sum())
        others[row] = False
        close(advantages[row], drawn.rewards[row] - drawn.rewards[others].mean(), atol=1e-9)
        centered = group_centered(drawn.rewards, drawn.group)[row]
        close(advantages[row], size / (size - 1) * centered, atol=1e-9)


@every_baseline
@given(drawn=groups(), seed=st.integers(0, 99))
def test_the_order_of_rows_does_not_matter(baseline, drawn, seed):
    order = torch.randperm(len(drawn.group), generator=torch.Generator().manual_seed(seed))
    permuted = baseline(drawn.rewards[order], drawn.group[order])
    close(permuted, baseline(drawn.rewards, drawn.group)[order], atol=1e-9)


@given(drawn=groups(), scale=st.floats(0.1, 10))
def test_a_scale_scales_the_mean_baselines_and_leaves_the_standardized_alone(drawn, scale):
    for baseline in (group_centered, group_leave_one_out):
        scaled = baseline(scale * drawn.rewards, drawn.group)
        close(scaled, scale * baseline(drawn.rewards, drawn.group), atol=1e-9)
    close(
        group_standardized(scale * drawn.rewards, drawn.group, std_eps=0, correction=1),
        group_standardized(drawn.rewards, drawn.group, std_eps=0, correction=1),
        atol=1e-9,
    )


@pytest.mark.parametrize("function", [*BASELINES, mixed_groups])
@pytest.mark.parametrize(
    ("rewards", "group", "message"),
    [
        (tensor(1, 2, 3), torch.tensor([0, 0, 4]), r"group\(s\) \[4\] have one member"),
        (tensor(1, float("nan")), torch.tensor([0, 0]), "rewards must be finite"),
        (tensor(1, 2, 3), torch.tensor([0, 0]), r"group has shape \[2\]; it must be \[3\]"),
        (tensor([1, 2]), torch.tensor([[0, 0]]), r"it must be float \[B\]"),
        (torch.tensor([1, 2]), torch.tensor([0, 0]), r"torch\.int64"),
    ],
)
def test_groups_that_have_no_baseline_are_refused(function, rewards, group, message):
    with pytest.raises(ValueError, match=message):
        function(rewards, group)


def test_correction_is_zero_or_one():
    with pytest.raises(ValueError, match="correction is 2"):
        group_standardized(tensor(1, 2), torch.tensor([0, 0]), std_eps=0, correction=2)


def test_mixed_groups_by_hand():
    rewards = tensor(1, 1, 0, 1, 0, 0)
    group = torch.tensor([0, 0, 1, 1, 2, 2])
    assert mixed_groups(rewards, group).tolist() == [False, False, True, True, False, False]


def test_gae_by_hand():
    # V = 1, 2, 3 and reward 10 at the end; gamma 1/2, lambda 1/2, so a trace of 1/4
    # deltas: 0 + 2/2 - 1 = 0;  0 + 3/2 - 2 = -1/2;  10 - 3 = 7
    # advantages: 7;  -1/2 + 7/4 = 5/4;  0 + 5/16
    advantages, targets = gae(
        tensor([0, 0, 10]), tensor([1, 2, 3]), torch.ones(1, 3), gamma=0.5, lam=0.5
    )
    close(advantages, [[5 / 16, 5 / 4, 7]])
    close(targets, [[21 / 16, 13 / 4, 10]])


def test_gae_is_that_of_verl(vector):
    for case in (vector("gae-trailing-pad"), vector("gae-interior-observations")):
        advantages, targets = gae(case["rewards"], case["values"], case["mask"], **case.constants)
        case.check("advantages_raw", advantages)
        case.check("returns", targets)
        case.check(
            "advantages_whitened", whitened(advantages, case["mask"], eps=1e-8, correction=1)
        )


def test_termination_and_truncation_are_those_of_torchrl(vector):
    case = vector("gae-terminated-vs-truncated")
    names = ("rewards", "values", "next_values", "done", "terminated")
    advantages, targets = transition_gae(*(case[name] for name in names), **case.constants)
    case.check("advantages", advantages)
    case.check("value_targets", targets)


@given(batch=batches(), gamma=st.floats(0, 1), lam=st.floats(0, 1))
def test_masked_columns_anywhere_change_no_advantage(batch, gamma, lam):
    rewards, values = batch.advantages, batch.log_prob
    advantages, targets = gae(rewards, values, batch.mask, gamma=gamma, lam=lam)
    for row, keep in enumerate(batch.keep):
        alone = gae(
            rewards[row : row + 1, keep],
            values[row : row + 1, keep],
            torch.ones(1, int(keep.sum())),
            gamma=gamma,
            lam=lam,
        )
        close(advantages[row, keep], alone[0][0])
        close(targets[row, keep], alone[1][0])
        assert (advantages[row, ~keep] == 0).all()
        assert (targets[row, ~keep] == 0).all()


@given(batch=batches(), gamma=st.floats(0, 1))
def test_a_full_trace_gives_return_minus_value_and_no_trace_the_one_step_error(batch, gamma):
    rewards, values = batch.advantages, batch.log_prob
    _, targets = gae(rewards, values, batch.mask, gamma=gamma, lam=1)
    close(targets, returns_to_go(rewards, batch.mask, gamma=gamma), atol=1e-9)
    everywhere = torch.ones_like(batch.mask)
    advantages, _ = gae(rewards, values, everywhere, gamma=gamma, lam=0)
    following = torch.cat([values[:, 1:], torch.zeros_like(values[:, :1])], dim=1)
    close(advantages, rewards + gamma * following - values)


@given(batch=batches(), shift=st.floats(-2, 2))
def test_undiscounted_a_constant_reward_adds_itself_for_each_remaining_token(batch, shift):
    plain, _ = gae(batch.advantages, batch.log_prob, batch.mask, gamma=1, lam=1)
    moved, _ = gae(batch.advantages + shift, batch.log_prob, batch.mask, gamma=1, lam=1)
    remaining = batch.mask.flip(1).cumsum(1).flip(1).double()
    close(moved - plain, shift * remaining * batch.mask, atol=1e-9)


@given(batch=batches(), lam=st.floats(0, 1))
def test_a_cut_response_bootstraps_from_the_value_after_it(batch, lam):
    """The same as a last step whose reward is that value, discounted."""
    final = batch.row_advantages
    cut, _ = gae(batch.advantages, batch.log_prob, batch.mask, final, gamma=0.9, lam=lam)
    last = (batch.mask.flip(1).cumsum(1).flip(1) == 1) & batch.keep
    paid = batch.advantages + torch.where(last, 0.9 * final[:, None], 0.0)
    close(cut, gae(paid, batch.log_prob, batch.mask, gamma=0.9, lam=lam)[0])


def test_a_trace_for_each_row():
    rewards, values = tensor([0, 1], [0, 1]), tensor([0, 0], [0, 0])
    advantages, _ = gae(rewards, values, torch.ones(2, 2), gamma=1, lam=tensor(0.5, 0.25))
    close(advantages, [[0.5, 1], [0.25, 1]])
    with pytest.raises(ValueError, match=r"lam has shape \[3\]; it must be \[2\]"):
        gae(rewards, values, torch.ones(2, 2), gamma=1, lam=tensor(1, 1, 1))


@given(batch=batches(), gamma=st.floats(0, 1), lam=st.floats(0, 1))
def test_one_episode_a_row_is_a_special_case_of_many(batch, gamma, lam):
    rewards, values = batch.advantages, batch.log_prob
    everywhere = torch.ones_like(batch.mask)
    done = torch.zeros_like(batch.mask)
    done[:, -1] = 1
    # What a terminated step says of the next value is ignored.
    following = torch.cat([values[:, 1:], torch.full_like(values[:, :1], 999)], dim=1)
    many = transition_gae(rewards, values, following, done, done, gamma=gamma, lam=lam)
    one = gae(rewards, values, everywhere, gamma=gamma, lam=lam)
    close(many[0], one[0])
    close(many[1], one[1])


def test_truncation_keeps_the_bootstrap_that_termination_cuts():
    step = {"rewards": tensor([0]), "values": tensor([1]), "next_values": tensor([3])}
    one, none = torch.tensor([[1]]), torch.tensor([[0]])
    close(transition_gae(**step, done=one, terminated=none, gamma=0.5, lam=1)[0], 0.5)
    close(transition_gae(**step, done=one, terminated=one, gamma=0.5, lam=1)[0], -1)
    with pytest.raises(ValueError, match="terminated and not done"):
        transition_gae(**step, done=none, terminated=one, gamma=0.5, lam=1)


@given(batch=batches(rows=4, width=6))
def test_whitened_tokens_have_mean_zero_and_variance_one(batch):
    count = int(batch.mask.sum())
    if count < 2:
        with pytest.raises(ValueError, match="keeps 1 token"):
            whitened(batch.advantages, batch.mask, eps=0, correction=1)
        return
    for correction in (0, 1):
        got = whitened(batch.advantages, batch.mask, eps=0, correction=correction)
        assert (got[~batch.keep] == 0).all()
        close(got.sum(), 0, atol=1e-9)
        close((got**2).sum(), count - correction, atol=1e-9)


def test_whitening_equal_terms_gives_exactly_zero_and_not_a_residue_or_nan():
    terms, mask = torch.full((1, 3), 0.1, dtype=torch.float64), torch.ones(1, 3)
    for eps in (0.0, 1e-8):
        got = whitened(terms, mask, eps=eps, correction=1)
        assert (got == 0).all()


def test_nothing_carries_gradient():
    rewards = tensor(1, 2).requires_grad_()
    group = torch.tensor([0, 0])
    assert not group_centered(rewards, group).requires_grad
    values = tensor([1, 2]).requires_grad_()
    for result in gae(values, values, torch.ones(1, 2), gamma=1, lam=1):
        assert not result.requires_grad


@pytest.mark.parametrize("wrong", [{"gamma": 1.1, "lam": 1.0}, {"gamma": 1.0, "lam": -0.1}])
def test_a_discount_or_trace_outside_its_range_is_an_error_in_every_recursion(wrong):
    zeros = torch.zeros(1, 2)
    message = "must be from 0 to 1"
    with pytest.raises(ValueError, match=message):
        gae(zeros, zeros, torch.ones(1, 2), **wrong)
    with pytest.raises(ValueError, match=message):
        transition_gae(zeros, zeros, zeros, zeros, zeros, **wrong)
