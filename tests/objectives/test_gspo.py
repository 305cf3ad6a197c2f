from __future__ import annotations

import math

import pytest
import torch
from batches import FIXED, batches, close, gradient, tensor
from hypothesis import given
from laws import TOKEN_LAWS, Setting, name_of, rows

from evidence_matrix.objectives.gspo import gspo

CLIPS = {"clip_low": 0.1, "clip_high": 0.2}
TENSORS = {**FIXED, "advantages": tensor(0.8, -0.6, 0.3)}
SETTING = Setting(lambda **given: gspo(**given, **CLIPS)[0], TENSORS, count=rows)


@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
def test_law(law):
    law(SETTING)


def test_loss_and_gradient_are_those_of_trl(vector):
    case = vector("gspo-wide")
    log_prob = case.leaf("log_prob")
    loss, _ = gspo(log_prob, case["old_log_prob"], case["advantages"][:, 0], case["mask"], **CLIPS)
    case.check_loss(loss, log_prob=log_prob)


def test_two_responses_by_hand():
    old = tensor([-3.0, -3.0], [-3.0, 9])
    # token ratios 4 and 1 of the first response, 0.5 of the second
    log_prob = (old + tensor([math.log(4), 0], [math.log(0.5), 9])).requires_grad_()
    loss, stats = gspo(
        log_prob,
        old,
        tensor(-3, -1),
        torch.tensor([[1, 1], [1, 0]]),
        clip_low=0.2,
        clip_high=0.2,
    )
    # response ratios 2 and 0.5: the first is free since its advantage is negative, the second held
    close(loss, -(2 * -3 + 0.8 * -1) / 2)
    close(gradient(loss, log_prob), [[2 * 3 / 2 / 2] * 2, [0, 0]])
    close(stats["clip_fraction"], 1 / 2)
    close(stats["ratio_mean"], 1.25)


def test_tokens_far_outside_the_band_are_not_clipped_when_their_mean_is_inside():
    old = tensor([-3.0, -3.0])
    log_prob = (old + tensor([2.0, -2.0])).requires_grad_()
    loss, stats = gspo(log_prob, old, tensor(1), torch.ones(1, 2), **CLIPS)
    close(loss, -1)
    close(gradient(loss, log_prob), [[-0.5, -0.5]])
    assert stats["clip_fraction"] == 0


@given(batch=batches())
def test_all_tokens_of_a_response_have_the_same_gradient(batch):
    leaf = batch.leaf
    loss, _ = gspo(leaf, batch.old_log_prob, batch.row_advantages, batch.mask, **CLIPS)
    for row, keep in zip(gradient(loss, leaf), batch.keep, strict=True):
        close(row[keep], row[keep][0].item())


@given(batch=batches())
def test_doubling_every_token_of_the_responses_changes_nothing(batch):
    tensors = (batch.log_prob, batch.old_log_prob, batch.mask)
    first, _ = gspo(*tensors[:2], batch.row_advantages, tensors[2], **CLIPS)
    log_prob, old, mask = (tensor.repeat(1, 2) for tensor in tensors)
    second, _ = gspo(log_prob, old, batch.row_advantages, mask, **CLIPS)
    close(second, first.item())


def test_advantages_of_tokens_are_refused():
    with pytest.raises(ValueError, match=r"advantages has shape \[3, 4\]; it must be \[3\]"):
        gspo(**FIXED, **CLIPS)
