from __future__ import annotations

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
