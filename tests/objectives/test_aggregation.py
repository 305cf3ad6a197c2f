from __future__ import annotations

from functools import partial

import pytest
import torch
from batches import batches, close, gradient, tensor
from hypothesis import given

from evidence_matrix.objectives import aggregation
from evidence_matrix.objectives.aggregation import (
    sequence_mean_token_mean,
    sequence_mean_token_sum,
    sequence_mean_token_sum_norm,
    token_mean,
    token_sum,
)

NAMES = ("token_sum", "token_mean", "sequence_mean_token_mean", "sequence_mean_token_sum")
ALL = [getattr(aggregation, name) for name in NAMES] + [
    partial(sequence_mean_token_sum_norm, length=20)
]

every_aggregation = pytest.mark.parametrize("aggregate", ALL, ids=[*NAMES, "norm"])
TERMS = tensor([1, 2, 3], [10, 99, 99], [99, 99, 99])
MASK = torch.tensor([[1, 1, 1], [1, 0, 0], [0, 0, 0]])


def test_five_denominators_of_one_matrix_by_hand():
    # rows sum to 6 and 10, with 3 and 1 tokens; the third row has none and does not count
    close(token_sum(TERMS, MASK), 16)
    close(token_mean(TERMS, MASK), 16 / 4)
    close(sequence_mean_token_mean(TERMS, MASK), (2 + 10) / 2)
    close(sequence_mean_token_sum(TERMS, MASK), (6 + 10) / 2)
    close(sequence_mean_token_sum_norm(TERMS, MASK, length=5), (6 + 10) / 2 / 5)


def test_an_explicit_denominator_replaces_the_count():
    close(token_sum(TERMS, MASK, denominator=8), 2)
    close(token_mean(TERMS, MASK, denominator=8), 2)
    close(sequence_mean_token_mean(TERMS, MASK, denominator=3), (2 + 10) / 3)
    close(sequence_mean_token_sum(TERMS, MASK, denominator=3), 16 / 3)
    close(sequence_mean_token_sum_norm(TERMS, MASK, length=5, denominator=3), 16 / 15)


def test_values_and_gradients_are_those_of_verl(vector):
    norm = partial(sequence_mean_token_sum_norm, length=20)
    for case, aggregate, atol in (
        (vector("agg-token-mean"), token_mean, 0),
        # veRL adds 1e-8 to each count, and here two row means nearly cancel; the case itself
        # records that exact weights differ by 4.7e-10.
        (vector("agg-seq-mean-token-mean"), sequence_mean_token_mean, 5e-10),
        (vector("agg-seq-mean-token-sum-norm"), norm, 0),
    ):
        terms = case.leaf("loss_mat")
        case.check_loss(aggregate(terms, case["mask"]), atol=atol, loss_mat=terms)


@every_aggregation
@given(batch=batches())
def test_nan_under_the_mask_changes_nothing_and_gets_no_gradient(aggregate, batch):
    clean = batch.advantages.clone().requires_grad_()
    poisoned = batch.advantages.masked_fill(~batch.keep, float("nan")).requires_grad_()
    value, same = aggregate(clean, batch.mask), aggregate(poisoned, batch.mask)
    assert torch.equal(value, same)
    assert torch.equal(gradient(value, clean), gradient(same, poisoned))
    assert (gradient(aggregate(poisoned, batch.mask), poisoned)[~batch.keep] == 0).all()


@every_aggregation
@given(batch=batches())
def test_it_is_linear_with_weights_that_the_mask_alone_decides(aggregate, batch):
    terms = batch.advantages.clone().requires_grad_()
    weights = gradient(aggregate(terms, batch.mask), terms)
    close(aggregate(batch.advantages, batch.mask), float((weights * batch.advantages).sum()))


@every_aggregation
def test_a_part_without_tokens_adds_exactly_zero(aggregate):
    terms = TERMS.clone().requires_grad_()
    loss = aggregate(terms, torch.zeros_like(MASK), denominator=8)
    assert loss.item() == 0
    assert (gradient(loss, terms) == 0).all()


def test_mean_of_means_is_another_number():
    halves = [token_mean(TERMS[rows], MASK[rows]) for rows in (slice(0, 1), slice(1, 3))]
    assert abs(sum(halves) / 2 - token_mean(TERMS, MASK)) == 2


@pytest.mark.parametrize("aggregate", ALL[1:], ids=[*NAMES[1:], "norm"])
def test_no_token_and_no_denominator_is_an_error_that_says_what_to_do(aggregate):
    with pytest.raises(ValueError, match=r"keeps no token.* give the denominator"):
        aggregate(TERMS, torch.zeros_like(MASK))


@every_aggregation
@pytest.mark.parametrize("bad", [0, -1.0, float("nan"), torch.tensor(0)])
def test_a_denominator_must_be_positive(aggregate, bad):
    with pytest.raises(ValueError, match=r"denominator is .*; it must be more than zero"):
        aggregate(TERMS, MASK, denominator=bad)


def test_a_length_must_be_positive():
    with pytest.raises(ValueError, match=r"length is 0\.0"):
        sequence_mean_token_sum_norm(TERMS, MASK, length=0)
