from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from laws import TOKEN_LAWS, Setting, name_of, rows, tokens

from evidence_matrix.objectives.kimi_mirror_descent import (
    kimi_centered_rewards,
    kimi_length_rewards,
    kimi_mirror_descent,
    kimi_token_mirror_descent,
)

INTERVAL = {"ratio_min": 0.8, "ratio_max": 1.3}


def batch(seed: int = 0) -> dict[str, torch.Tensor]:
    random = torch.Generator().manual_seed(seed)
    draw = [-0.1 - torch.rand(3, 4, dtype=torch.float64, generator=random) for _ in range(2)]
    return {
        "log_prob": draw[0],
        "old_log_prob": draw[1],
        "centered_rewards": torch.tensor([0.7, -0.4, -0.3], dtype=torch.float64),
        "mask": torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1]]),
    }


@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
def test_law_of_the_sequence_form(law):
    law(Setting(lambda **given_: kimi_mirror_descent(**given_, tau=0.5)[0], batch(), count=rows))


@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
def test_law_of_the_token_form(law):
    def loss(**given_):
        return kimi_token_mirror_descent(**given_, tau=0.5, **INTERVAL)[0]

    law(Setting(loss, batch(), count=tokens))


def test_loss_and_gradient_with_the_mean_baseline(vector):
    case = vector("kimi-mean-baseline-tau1.0")
    rewards, group = case["rewards"], case["group_index"]
    centered = kimi_centered_rewards(rewards, group, tau=1.0, log_partition=False)
    case.check("baseline", rewards - centered)
    leaf = case.leaf("log_prob")
    loss, _ = kimi_mirror_descent(leaf, case["old_log_prob"], centered, case["mask"], tau=1.0)
    case.check_loss(loss, log_prob=leaf)


def test_loss_and_gradient_with_the_partition_baseline(vector):
    case = vector("kimi-logZ-tau1.0")
    rewards, group = case["rewards"], case["group_index"]
    centered = kimi_centered_rewards(rewards, group, tau=1.0, log_partition=True)
    case.check("baseline", rewards - centered)
    leaf = case.leaf("log_prob")
    loss, _ = kimi_mirror_descent(leaf, case["old_log_prob"], centered, case["mask"], tau=1.0)
    case.check_loss(loss, log_prob=leaf)


def test_the_token_relative_of_verl_is_the_token_form_before_its_clip(vector):
    # veRL's dro has log pi for the ratio: on the sampler the same gradient. Its penalty is the
    # same with half the strength, and no interval; so the two regularizers can be compared.
    case = vector("dro-token-level-relative")
    leaf = case.leaf("log_prob")
    keep = case["mask"] == 1
    log_ratios = torch.where(keep, leaf - case["old_log_prob"], 0.0)
    terms = torch.where(keep, leaf * case["advantages"], 0.0) - 0.6 / 2 * log_ratios**2
    case.check_loss(-terms.sum() / keep.sum(), log_prob=leaf)
    on_sampler = case["old_log_prob"].requires_grad_()
    loss, _ = kimi_token_mirror_descent(
        on_sampler,
        case["old_log_prob"].detach(),
        case["advantages"][:, 0],
        case["mask"],
        tau=0.3,
        ratio_min=0.5,
        ratio_max=2.0,
    )
    (gradient,) = torch.autograd.grad(loss, on_sampler)
    expected = torch.where(keep, -case["advantages"][:, :1] / keep.sum(), 0.0)
    torch.testing.assert_close(gradient, expected.expand_as(gradient))


def test_hand_worked():
    log_prob = torch.tensor([[-1.0, -1.0], [-2.0, -9.0]])
    old = torch.tensor([[-1.5, -0.5], [-1.0, -9.0]])
    mask = torch.tensor([[1, 1], [1, 0]])
    centered = kimi_centered_rewards(
        torch.tensor([1.0, 0.0]), torch.tensor([4, 4]), tau=0.5, log_partition=False
    )
    assert centered.tolist() == [0.5, -0.5]
    loss, stats = kimi_mirror_descent(log_prob, old, centered, mask, tau=0.5)
    # Log-ratios 0.5 - 0.5 = 0 and -1; residuals 0.5 - 0 = 0.5 and -0.5 + 0.5 = 0.
    assert loss.item() == pytest.approx(0.25 / 2)
    assert stats["log_ratio"].item() == pytest.approx(-0.5)
    assert stats["residual"].item() == pytest.approx(0.25)


def test_token_form_hand_worked():
    log_prob = torch.log(torch.tensor([[1.1, 2.0], [0.5, 9.0]], dtype=torch.float64))
    old = torch.zeros(2, 2, dtype=torch.float64)
    loss, stats = kimi_token_mirror_descent(
        log_prob,
        old,
        torch.tensor([1.0, -1.0], dtype=torch.float64),
        torch.tensor([[1, 1], [1, 0]]),
        tau=0.1,
        **INTERVAL,
    )
    # Ratios 1.1, 2 -> 1.3 and 0.5 -> 0.8; the regularizer sees the ratios as they are.
    squares = math.log(1.1) ** 2 + math.log(2) ** 2 + math.log(0.5) ** 2
    assert loss.item() == pytest.approx(-(1.1 + 1.3 - 0.8 - 0.1 * squares) / 3)
    assert stats["clip_fraction"].item() == pytest.approx(2 / 3)
    assert stats["squared_log_ratio"].item() == pytest.approx(squares / 3)


@given(st.integers(0, 50), st.floats(0.1, 5))
def test_gradient_is_minus_two_tau_times_equation_3(seed, tau):
    given_ = batch(seed)
    leaf = given_["log_prob"].requires_grad_()
    (gradient,) = torch.autograd.grad(kimi_mirror_descent(**given_, tau=tau)[0], leaf)
    keep = given_["mask"] == 1
    sequence = torch.where(keep, leaf, 0.0).sum(dim=1)
    ratio = torch.where(keep, leaf - given_["old_log_prob"], 0.0).sum(dim=1)
    equation_3 = (sequence * given_["centered_rewards"] - tau / 2 * ratio**2).mean()
    (direction,) = torch.autograd.grad(equation_3, leaf)
    torch.testing.assert_close(gradient, -2 * tau * direction, rtol=1e-10, atol=1e-12)


@given(st.integers(0, 50), st.floats(0.1, 5))
def test_least_where_the_log_ratio_is_the_centered_reward_over_tau(seed, tau):
    given_ = batch(seed)
    first = torch.argmax(given_["mask"], dim=1)
    moved = given_["old_log_prob"].clone()
    moved[torch.arange(3), first] += given_["centered_rewards"] / tau
    leaf = moved.requires_grad_()
    loss, _ = kimi_mirror_descent(**(given_ | {"log_prob": leaf}), tau=tau)
    (gradient,) = torch.autograd.grad(loss, leaf)
    assert loss.item() == pytest.approx(0, abs=1e-20)
    assert gradient.abs().max().item() == pytest.approx(0, abs=1e-10)


@given(st.integers(0, 50), st.floats(0.1, 5))
def test_on_the_sampler_it_is_centered_reinforce(seed, tau):
    given_ = batch(seed)
    leaf = given_["old_log_prob"].clone().requires_grad_()
    loss, _ = kimi_mirror_descent(**(given_ | {"log_prob": leaf}), tau=tau)
    (gradient,) = torch.autograd.grad(loss, leaf)
    reinforce = -given_["centered_rewards"][:, None] * given_["mask"] / 3
    torch.testing.assert_close(gradient, 2 * tau * reinforce, rtol=1e-10, atol=1e-12)


def test_a_uniform_group_on_the_sampler_has_no_gradient():
    given_ = batch()
    rewards = torch.full((3,), 0.1, dtype=torch.float64)
    for log_partition in (False, True):
        centered = kimi_centered_rewards(
            rewards, torch.zeros(3), tau=0.5, log_partition=log_partition
        )
        assert centered.abs().max() < 1e-15
    leaf = given_["old_log_prob"].clone().requires_grad_()
    loss, _ = kimi_mirror_descent(
        **(given_ | {"log_prob": leaf, "centered_rewards": torch.zeros(3).double()}), tau=0.5
    )
    (gradient,) = torch.autograd.grad(loss, leaf)
    assert (gradient == 0).all()


@given(st.lists(st.floats(-2, 2), min_size=4, max_size=4), st.floats(-50, 50))
def test_a_shift_of_all_rewards_changes_nothing(values, shift):
    rewards, group = torch.tensor(values, dtype=torch.float64), torch.tensor([0, 1, 0, 1])
    for log_partition in (False, True):
        before, after = (
            kimi_centered_rewards(each, group, tau=0.7, log_partition=log_partition)
            for each in (rewards, rewards + shift)
        )
        torch.testing.assert_close(after, before, rtol=1e-10, atol=1e-10)


def test_each_of_three_groups_has_its_own_partition_baseline():
    rewards = torch.tensor([0.0, 1.0, 5.0, 5.0, -3.0, -1.0], dtype=torch.float64)
    group = torch.tensor([0, 0, 1, 1, 2, 2])
    centered = kimi_centered_rewards(rewards, group, tau=1.0, log_partition=True)
    # ln((1 + e) / 2), 5 and -3 + ln((1 + e^2) / 2).
    first, last = math.log((1 + math.e) / 2), math.log((1 + math.e**2) / 2)
    expected = [-first, 1 - first, 0, 0, -last, 2 - last]
    assert centered.tolist() == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.floats(-2, 2), min_size=4, max_size=4))
def test_the_partition_baseline_goes_to_the_mean_and_lies_above_it(values):
    rewards, group = torch.tensor(values, dtype=torch.float64), torch.zeros(4)
    mean = kimi_centered_rewards(rewards, group, tau=1.0, log_partition=False)
    far = kimi_centered_rewards(rewards, group, tau=1e6, log_partition=True)
    torch.testing.assert_close(far, mean, rtol=0, atol=1e-5)
    near = kimi_centered_rewards(rewards, group, tau=1.0, log_partition=True)
    assert (near <= mean + 1e-12).all()


@given(st.sampled_from([0.3, 3.0]), st.sampled_from([1.0, -1.0]))
def test_outside_the_interval_only_the_regularizer_moves_a_token(ratio, advantage):
    leaf = torch.tensor([[math.log(ratio)]], dtype=torch.float64, requires_grad=True)
    loss, _ = kimi_token_mirror_descent(
        leaf,
        torch.zeros(1, 1, dtype=torch.float64),
        torch.tensor([advantage], dtype=torch.float64),
        torch.ones(1, 1),
        tau=0.1,
        **INTERVAL,
    )
    (gradient,) = torch.autograd.grad(loss, leaf)
    assert gradient.item() == pytest.approx(2 * 0.1 * math.log(ratio))


def test_length_rewards_hand_worked():
    lengths = torch.tensor([10, 20, 30, 10, 30, 7, 7])
    correct = torch.tensor([1, 1, 1, 0, 0, 1, 0])
    group = torch.tensor([0, 0, 0, 0, 0, 1, 1])
    # Positions in 10 to 30: 0, 1/2, 1, 0, 1; lambda 0.5, 0, -0.5, 0.5, -0.5; wrong ones at most 0.
    got = kimi_length_rewards(lengths, correct, group)
    assert got.tolist() == [0.5, 0.0, -0.5, 0.0, -0.5, 0.0, 0.0]


@given(st.lists(st.integers(1, 100), min_size=3, max_size=6), st.integers(0, 40))
def test_length_rewards_see_only_where_in_the_group_a_length_lies(values, shift):
    lengths = torch.tensor(values)
    correct, group = torch.ones(len(values)), torch.zeros(len(values))
    before, after = (kimi_length_rewards(x, correct, group) for x in (lengths, lengths + shift))
    torch.testing.assert_close(before, after)
    assert (before.abs() <= 0.5).all()


@pytest.mark.parametrize(
    ("interval", "message"),
    [
        ({"ratio_min": 1.3, "ratio_max": 0.8}, "ratio_min 1.3 is not below ratio_max 0.8"),
        ({"ratio_min": 0.0, "ratio_max": 0.8}, "ratio_min is 0.0"),
    ],
)
def test_an_empty_interval_is_refused(interval, message):
    with pytest.raises(ValueError, match=message):
        kimi_token_mirror_descent(**batch(), tau=0.1, **interval)


def test_wrong_shapes_and_constants_are_refused():
    with pytest.raises(ValueError, match=r"centered_rewards has shape \[2\]; it must be \[3\]"):
        kimi_mirror_descent(**(batch() | {"centered_rewards": torch.zeros(2)}), tau=1.0)
    with pytest.raises(ValueError, match=r"tau is 0.0"):
        kimi_mirror_descent(**batch(), tau=0.0)
    with pytest.raises(ValueError, match=r"group\(s\) \[1\] have one member"):
        kimi_centered_rewards(torch.zeros(3), torch.tensor([0, 0, 1]), tau=1.0, log_partition=False)
