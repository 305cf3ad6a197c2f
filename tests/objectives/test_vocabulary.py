from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.objectives.vocabulary import (
    divergence,
    jensen_shannon,
    log_distribution,
    target_log_prob,
    vocabulary_mask,
)


def logs(*probabilities: float) -> torch.Tensor:
    return torch.tensor(probabilities, dtype=torch.float64).log()


def test_targets_are_one_place_after_the_logits_that_predict_them():
    z = torch.stack([logs(0.1, 0.9), logs(0.7, 0.3), logs(0.5, 0.5)])[None]
    log_prob, keep, likeliest = target_log_prob(
        z, torch.tensor([[1, 1, 1]]), torch.tensor([[0, 1, 1]])
    )
    assert log_prob.exp().tolist() == [pytest.approx([0.9, 0.3])]
    assert keep.tolist() == [[True, True]]
    assert likeliest.tolist() == [[True, False]]


@pytest.mark.parametrize(("token", "known"), [(-1, False), (0, True), (2, True), (3, False)])
def test_ids_that_count_lie_in_the_vocabulary(token, known):
    z, mask = torch.zeros(1, 2, 3), torch.tensor([[0, 1]])
    ids = torch.tensor([[0, token]])
    if known:
        assert target_log_prob(z, ids, mask)[0].item() == pytest.approx(-math.log(3))
    else:
        with pytest.raises(ValueError, match="outside the vocabulary of 3"):
            target_log_prob(z, ids, mask)
    # Where nothing is learned an id may be anything.
    assert not target_log_prob(z, ids, 0 * mask)[1].any()


def test_divergence_hand_worked_and_with_excluded_tokens():
    assert divergence(logs(0.5, 0.5), logs(0.25, 0.75)).item() == pytest.approx(
        0.5 * math.log(2) + 0.5 * math.log(2 / 3)
    )
    assert divergence(logs(1, 0, 0), logs(0.5, 0.5, 0)).item() == pytest.approx(math.log(2))
    assert divergence(logs(0.5, 0.5), logs(1, 0)).item() == math.inf


@given(st.integers(0, 100))
def test_divergence_is_never_negative_and_zero_only_at_equality(seed):
    random = torch.Generator().manual_seed(seed)
    p, q = torch.randn(2, 5, dtype=torch.float64, generator=random).log_softmax(dim=1)
    assert divergence(p, q) > 0
    assert divergence(p, p) == 0


def test_temperature_divides_the_logits_and_masked_positions_are_uniform():
    z = torch.tensor([[[0.0, math.log(4)], [float("nan"), 1.0]]], dtype=torch.float64)
    got = log_distribution(z, torch.tensor([[True, False]]), temperature=2.0)
    # Odds of 4 to the power of a half are 2.
    assert got.exp()[0, 0].tolist() == pytest.approx([1 / 3, 2 / 3])
    assert got.exp()[0, 1].tolist() == pytest.approx([0.5, 0.5])


@given(st.floats(0, 1))
def test_jensen_shannon_is_bounded_by_the_entropy_of_its_weight(beta):
    far = jensen_shannon(logs(1, 0), logs(0, 1), beta=beta).item()
    if beta in (0, 1):
        assert far == math.inf
    else:
        entropy = -beta * math.log(beta) - (1 - beta) * math.log1p(-beta)
        assert far == pytest.approx(entropy, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("beta", [0, 0.4, 1])
def test_a_token_that_both_exclude_changes_nothing(beta):
    one, other = logs(0.5, 0.5), logs(0.25, 0.75)
    expected = jensen_shannon(one, other, beta=beta)
    got = jensen_shannon(logs(0.5, 0.5, 0), logs(0.25, 0.75, 0), beta=beta)
    torch.testing.assert_close(got, expected)


@pytest.mark.parametrize("beta", [-0.1, 1.1])
def test_a_weight_outside_0_to_1_is_refused(beta):
    with pytest.raises(ValueError, match=f"beta is {beta}; it must be from 0"):
        jensen_shannon(logs(0.5, 0.5), logs(0.25, 0.75), beta=beta)


def test_a_mask_that_fits_comes_back_as_booleans():
    keep = vocabulary_mask(torch.tensor([[1, 0]]), one=torch.zeros(1, 2, 3))
    assert keep.tolist() == [[True, False]]
    with pytest.raises(ValueError, match=r"mask has shape \[2, 1\]; it must be \[1, 2\]"):
        vocabulary_mask(torch.ones(2, 1), one=torch.zeros(1, 2, 3))


def test_logits_of_different_vocabularies_are_refused():
    with pytest.raises(ValueError, match=r"other has shape \[1, 2, 4\]; it must be \[1, 2, 3\]"):
        vocabulary_mask(torch.ones(1, 2), one=torch.zeros(1, 2, 3), other=torch.zeros(1, 2, 4))
