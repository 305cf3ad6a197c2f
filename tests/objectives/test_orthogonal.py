from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.objectives.orthogonal import newton_schulz, orthogonal_step

CUBIC = (1.5, -0.5, 0.0)
QUINTIC = (3.4445, -4.775, 2.0315)


def matrix(seed: int, shape: tuple[int, ...]) -> torch.Tensor:
    """A random matrix whose singular values are not too far apart."""
    random = torch.Generator().manual_seed(seed)
    u, s, vh = torch.linalg.svd(
        torch.randn(shape, dtype=torch.float64, generator=random), full_matrices=False
    )
    return u @ torch.diag_embed(s.clamp(min=0.3)) @ vh


SHAPES = st.sampled_from([(3, 3), (2, 5), (6, 2)])


@given(st.integers(0, 50), SHAPES)
def test_the_convergent_iteration_gives_the_nearest_orthogonal_matrix(seed, shape):
    given_ = matrix(seed, shape)
    u, _, vh = torch.linalg.svd(given_, full_matrices=False)
    got = newton_schulz(given_, steps=30, coefficients=CUBIC)
    torch.testing.assert_close(got, u @ vh, rtol=0, atol=1e-10)


@given(st.integers(0, 50), SHAPES)
def test_the_fast_coefficients_keep_singular_vectors_and_bring_values_near_1(seed, shape):
    given_ = matrix(seed, shape)
    u, _, vh = torch.linalg.svd(given_, full_matrices=False)
    inside = u.T @ newton_schulz(given_, steps=5, coefficients=QUINTIC) @ vh.T
    values = inside.diagonal()
    torch.testing.assert_close(inside, torch.diag(values), rtol=0, atol=1e-10)
    assert ((values > 0.6) & (values < 1.3)).all()


@given(st.integers(0, 50), SHAPES, st.floats(1e-6, 1e6))
def test_the_size_of_the_momentum_does_not_matter(seed, shape, factor):
    given_ = matrix(seed, shape)
    torch.testing.assert_close(
        newton_schulz(factor * given_, steps=5, coefficients=QUINTIC),
        newton_schulz(given_, steps=5, coefficients=QUINTIC),
        rtol=1e-8,
        atol=1e-10,
    )


@given(st.integers(0, 50), SHAPES)
def test_transposing_commutes(seed, shape):
    given_ = matrix(seed, shape)
    torch.testing.assert_close(
        newton_schulz(given_.T, steps=5, coefficients=QUINTIC),
        newton_schulz(given_, steps=5, coefficients=QUINTIC).T,
    )


def test_several_matrices_are_taken_one_by_one_and_zeros_stay_zeros():
    several = torch.stack([matrix(0, (2, 3)), torch.zeros(2, 3, dtype=torch.float64)])
    got = newton_schulz(several, steps=5, coefficients=QUINTIC)
    torch.testing.assert_close(got[0], newton_schulz(several[0], steps=5, coefficients=QUINTIC))
    assert (got[1] == 0).all()


@given(st.integers(0, 50))
def test_a_sum_and_an_average_of_gradients_give_the_same_steps_without_nesterov(seed):
    weights, momenta = [matrix(seed, (3, 4))] * 2, [torch.zeros(3, 4, dtype=torch.float64)] * 2
    for step in range(3):
        for index, averaged in enumerate((False, True)):
            weights[index], momenta[index] = orthogonal_step(
                weights[index],
                matrix(seed + 1 + step, (3, 4)),
                momenta[index],
                learning_rate=0.1,
                weight_decay=0.0,
                momentum_decay=0.9,
                averaged=averaged,
                nesterov=False,
                steps=5,
                coefficients=QUINTIC,
                rms_scale=0.2,
            )
    torch.testing.assert_close(momenta[0], 10 * momenta[1])
    torch.testing.assert_close(weights[0], weights[1])


def test_two_steps_are_those_of_torch_within_its_bfloat16(vector):
    case = vector("muon-two-steps-match_rms_adamw")
    weight, momentum = case["w"], torch.zeros_like(case["w"])
    for gradient in (case["g1"], case["g2"]):
        weight, momentum = orthogonal_step(
            weight,
            gradient,
            momentum,
            learning_rate=0.02,
            weight_decay=0.1,
            momentum_decay=0.95,
            averaged=True,
            nesterov=True,
            steps=5,
            coefficients=QUINTIC,
            rms_scale=0.2,
        )
    case.check("weight_after_two_steps", weight)


def test_hand_worked_step():
    # A diagonal momentum: one iteration of a = 1.5, b = -0.5 maps singular values s to
    # 1.5 s - 0.5 s^3 after division by the Frobenius norm 5: 0.6 -> 0.792, 0.8 -> 0.944.
    weight = torch.eye(2, dtype=torch.float64)
    got, momentum = orthogonal_step(
        weight,
        torch.diag(torch.tensor([3.0, 4.0], dtype=torch.float64)),
        torch.zeros(2, 2, dtype=torch.float64),
        learning_rate=0.1,
        weight_decay=0.5,
        momentum_decay=0.9,
        averaged=False,
        nesterov=False,
        steps=1,
        coefficients=(1.5, -0.5, 0.0),
        rms_scale=0.2,
    )
    scale = 0.2 * math.sqrt(2)
    expected = [1 - 0.1 * (scale * 0.792 + 0.5), 1 - 0.1 * (scale * 0.944 + 0.5)]
    assert got.diagonal().tolist() == pytest.approx(expected)
    assert momentum.diagonal().tolist() == [3.0, 4.0]


def test_nesterov_looks_a_step_ahead():
    # With as much momentum as gradient: half of 3 + half of 3 + 1 against half of 3 + 1.
    _, after = orthogonal_step(
        *[torch.eye(2, dtype=torch.float64)] * 2,
        3 * torch.eye(2, dtype=torch.float64),
        learning_rate=0.1,
        weight_decay=0.0,
        momentum_decay=0.5,
        averaged=False,
        nesterov=True,
        steps=0,
        coefficients=QUINTIC,
        rms_scale=0.2,
    )
    assert after.diagonal().tolist() == [2.5, 2.5]
    # Gradient and momentum that disagree: (0, 2) of momentum, (1, 0) of gradient.
    moved = {}
    for nesterov in (False, True):
        weight, _ = orthogonal_step(
            torch.zeros(1, 2, dtype=torch.float64),
            torch.tensor([[1.0, 0.0]], dtype=torch.float64),
            torch.tensor([[0.0, 2.0]], dtype=torch.float64),
            learning_rate=1.0,
            weight_decay=0.0,
            momentum_decay=0.5,
            averaged=False,
            nesterov=nesterov,
            steps=0,
            coefficients=QUINTIC,
            rms_scale=1.0,
        )
        moved[nesterov] = (weight[0, 1] / weight[0, 0]).item()
    # (1, 1) without; half of that and the gradient again with: (1.5, 0.5).
    assert moved == {False: pytest.approx(1), True: pytest.approx(1 / 3)}


def test_only_matrices_are_orthogonalized():
    with pytest.raises(ValueError, match=r"weight has shape \[3\]; it must be a matrix"):
        orthogonal_step(
            *[torch.ones(3)] * 3,
            learning_rate=0.1,
            weight_decay=0.0,
            momentum_decay=0.9,
            averaged=False,
            nesterov=False,
            steps=5,
            coefficients=QUINTIC,
            rms_scale=0.2,
        )
