from __future__ import annotations

import math

import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

from evidence_matrix.objectives.warp import angle_between, ema_anchor, liti, slerp, warp

UNIT = st.floats(0, 1)


def vectors(seed: int, count: int = 3) -> list[torch.Tensor]:
    random = torch.Generator().manual_seed(seed)
    return [torch.randn(2, 3, dtype=torch.float64, generator=random) for _ in range(count)]


def test_slerp_is_that_of_mergekit_on_task_vectors(vector):
    case = vector("warp-slerp-t0.5")
    case.check("merged", slerp(case["init"], case["a"], case["b"], weight=0.5))


def test_anchor_and_linear_step(vector):
    case = vector("warp-ema-and-liti")
    case.check("anchor", ema_anchor(case["anchor"], case["policy"], mu=0.01))
    case.check("liti", liti(case["init"], case["slerp"], eta=0.3))


def test_hand_worked():
    # Moves (2, 0) and (0, 2) from (1, 1): a right angle; half way each gets sin 45 / sin 90.
    initial = torch.tensor([1.0, 1.0], dtype=torch.float64)
    policies = torch.tensor([[3.0, 1.0], [1.0, 3.0]], dtype=torch.float64)
    middle = slerp(initial, policies[0], policies[1], weight=0.5)
    assert middle.tolist() == pytest.approx([1 + math.sqrt(2), 1 + math.sqrt(2)])
    merged, stats = warp(initial, policies, eta=0.25)
    assert merged.tolist() == pytest.approx([1 + math.sqrt(2) / 4, 1 + math.sqrt(2) / 4])
    assert stats["moved"].item() == pytest.approx(0.5)
    assert stats["mean_moved"].item() == pytest.approx(2)


@given(st.integers(0, 50))
def test_ends_are_the_two_runs(seed):
    initial, first, second = vectors(seed)
    for weight, end in ((0.0, first), (1.0, second)):
        torch.testing.assert_close(
            slerp(initial, first, second, weight=weight), end, rtol=1e-12, atol=1e-12
        )


@given(st.integers(0, 50), UNIT)
def test_equal_runs_stay(seed, weight):
    initial, first, _ = vectors(seed)
    torch.testing.assert_close(
        slerp(initial, first, first.clone(), weight=weight), first, rtol=1e-12, atol=1e-12
    )


@given(st.integers(0, 50), UNIT, st.floats(0.1, 10))
def test_equal_lengths_are_kept_all_along_the_arc_and_a_line_would_shorten_them(
    seed, weight, length
):
    initial, first, second = vectors(seed)
    one, two = (length * move / move.norm() for move in (first, second))
    merged = slerp(initial, initial + one, initial + two, weight=weight) - initial
    assert merged.norm().item() == pytest.approx(length, rel=1e-9)
    straight = (1 - weight) * one + weight * two
    assert straight.norm().item() <= length * (1 + 1e-12)


@given(st.integers(0, 50), UNIT)
def test_exchanging_the_runs_mirrors_the_weight(seed, weight):
    initial, first, second = vectors(seed)
    torch.testing.assert_close(
        slerp(initial, first, second, weight=weight),
        slerp(initial, second, first, weight=1 - weight),
        rtol=1e-9,
        atol=1e-12,
    )


@given(st.integers(0, 50), st.floats(0.01, 100), UNIT)
def test_scaling_all_moves_scales_the_result(seed, factor, weight):
    initial, first, second = vectors(seed)
    merged = slerp(initial, first, second, weight=weight)
    scaled = slerp(
        initial,
        initial + factor * (first - initial),
        initial + factor * (second - initial),
        weight=weight,
    )
    torch.testing.assert_close(scaled - initial, factor * (merged - initial), rtol=1e-8, atol=1e-10)


@given(st.integers(0, 50), UNIT, st.floats(1e-9, 1e-3))
def test_a_small_angle_is_a_straight_line(seed, weight, size):
    initial, first, second = vectors(seed)
    near = first + size * second
    straight = (1 - weight) * first + weight * near
    torch.testing.assert_close(
        slerp(initial, first, near, weight=weight), straight, rtol=0, atol=10 * size**2 + 1e-12
    )


@given(st.floats(1e-8, 3.1))
def test_angles_are_exact_where_arccos_is_not(angle):
    one = torch.tensor([1.0, 0.0], dtype=torch.float64)
    two = 3 * torch.tensor([math.cos(angle), math.sin(angle)], dtype=torch.float64)
    assert angle_between(one, two).item() == pytest.approx(angle, rel=1e-7)


@given(st.integers(0, 50), UNIT)
def test_linear_step_goes_from_the_start_to_the_merged_weights(seed, eta):
    initial, merged, _ = vectors(seed)
    assert torch.equal(liti(initial, merged, eta=0.0), initial)
    assert torch.equal(liti(initial, merged, eta=1.0), merged)
    got = liti(initial, merged, eta=eta)
    torch.testing.assert_close(got - initial, eta * (merged - initial), rtol=1e-9, atol=1e-12)


@given(st.integers(0, 50), UNIT)
def test_the_anchor_copies_at_rate_1_and_rests_on_itself(seed, mu):
    anchor, policy, _ = vectors(seed)
    assert torch.equal(ema_anchor(anchor, policy, mu=1.0), policy)
    assert torch.equal(ema_anchor(anchor, policy, mu=0.0), anchor)
    assert torch.equal(ema_anchor(anchor, anchor.clone(), mu=mu), anchor)


def test_the_anchor_forgets_geometrically():
    anchor = torch.zeros(1, dtype=torch.float64)
    for _ in range(5):
        anchor = ema_anchor(anchor, torch.ones(1, dtype=torch.float64), mu=0.2)
    assert anchor.item() == pytest.approx(1 - 0.8**5)


@given(st.integers(0, 50))
def test_two_policies_meet_half_way_and_eta_zero_is_the_start(seed):
    initial, first, second = vectors(seed)
    both = torch.stack([first, second])
    middle, _ = warp(initial, both, eta=1.0)
    torch.testing.assert_close(middle, slerp(initial, first, second, weight=0.5))
    assert torch.equal(warp(initial, both, eta=0.0)[0], initial)


def test_what_is_told_beside_the_weights_is_detached():
    initial, first, second = vectors(0)
    policies = torch.stack([first, second]).requires_grad_()
    merged, stats = warp(initial, policies, eta=0.5)
    assert merged.requires_grad
    assert not any(each.requires_grad for each in stats.values())


def test_merging_three_depends_on_their_order():
    initial, *policies = vectors(7, 4)
    one, _ = warp(initial, torch.stack(policies), eta=1.0)
    other, _ = warp(initial, torch.stack(policies[::-1]), eta=1.0)
    assert (one - other).abs().max() > 1e-3
    # Orthogonal moves of one length: after the first two the third gets a third of the arc.
    axes = torch.eye(3, dtype=torch.float64)
    merged, _ = warp(torch.zeros(3, dtype=torch.float64), axes, eta=1.0)
    pair, third = math.sin(math.pi / 3) / math.sqrt(2), math.sin(math.pi / 6)
    assert merged.tolist() == pytest.approx([pair, pair, third])


@given(st.integers(0, 50))
def test_weights_themselves_are_not_what_is_interpolated(seed):
    initial, first, second = vectors(seed)
    zero = torch.zeros_like(initial)
    far = 50 * initial
    assume((first - second).norm() > 0.1)
    around_start = slerp(far, far + first, far + second, weight=0.5) - far
    of_weights = slerp(zero, far + first, far + second, weight=0.5) - far
    torch.testing.assert_close(around_start, slerp(zero, first, second, weight=0.5))
    assert (around_start - of_weights).abs().max() > 1e-3


ONE = torch.ones(2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: slerp(0 * ONE, ONE, -ONE, weight=0.5), "opposite directions"),
        (lambda: slerp(ONE, ONE, -ONE, weight=0.5), "has not moved from the start"),
        (lambda: slerp(0 * ONE, ONE, 2 * ONE, weight=1.5), "weight is 1.5; it must be from 0"),
        (lambda: slerp(0 * ONE, ONE, torch.ones(3), weight=0.5), r"second has shape \[3\]"),
        (lambda: ema_anchor(ONE, ONE, mu=-0.1), "mu is -0.1"),
        (lambda: liti(ONE, ONE, eta=2.0), "eta is 2.0"),
        (lambda: warp(ONE, ONE[None], eta=1.0), r"policies has shape \[1, 2\]"),
    ],
)
def test_errors_say_what_was_given(call, message):
    with pytest.raises(ValueError, match=message):
        call()
