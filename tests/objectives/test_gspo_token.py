from __future__ import annotations

import pytest
import torch
from batches import FIXED, batches, close, gradient, tensor
from hypothesis import given
from hypothesis import strategies as st
from laws import TOKEN_LAWS, Setting, name_of, rows

from evidence_matrix.objectives.aggregation import token_mean
from evidence_matrix.objectives.gspo import gspo
from evidence_matrix.objectives.gspo_token import gspo_token
from evidence_matrix.objectives.ppo import ppo_policy

CLIPS = {"clip_low": 0.1, "clip_high": 0.2}
SETTING = Setting(lambda **given: gspo_token(**given, **CLIPS)[0], FIXED, count=rows)


@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
def test_law(law):
    law(SETTING)


def test_loss_and_gradient_are_those_of_verl(vector):
    for case, clips, atol in (
        # veRL adds 1e-8 to each count, and here the responses nearly cancel; the case itself
        # records that the printed equation differs by 1.5e-10.
        (vector("gspotoken-wide-seq-mean-token-mean"), CLIPS, 2e-10),
        (
            vector("gspotoken-constant-advantage-equals-gspo"),
            {"clip_low": 0.2, "clip_high": 0.2},
            0,
        ),
    ):
        log_prob = case.leaf("log_prob")
        names = ("old_log_prob", "advantages", "mask")
        loss, _ = gspo_token(log_prob, *(case[name] for name in names), **clips)
        case.check_loss(loss, atol=atol, log_prob=log_prob)


def test_a_fresh_response_of_two_tokens_by_hand():
    log_prob = tensor([-1.0, -2.0]).requires_grad_()
    tensors = (log_prob.detach(), tensor([1, -2]), torch.ones(1, 2))
    loss, stats = gspo_token(log_prob, *tensors, **CLIPS)
    close(loss, -(1 - 2) / 2)
    close(gradient(loss, log_prob), [[-1 / 2, 1]])
    assert stats == {"clip_fraction": 0, "ratio_mean": 1}


@given(batch=batches(), width=st.floats(0.01, 0.5))
def test_with_equal_advantages_along_rows_it_is_gspo(batch, width):
    clips = {"clip_low": width, "clip_high": 2 * width}
    first, second = batch.leaf, batch.leaf
    mine, _ = gspo_token(first, batch.old_log_prob, batch.level_advantages, batch.mask, **clips)
    other, _ = gspo(second, batch.old_log_prob, batch.row_advantages, batch.mask, **clips)
    close(mine, other.item())
    close(gradient(mine, first), gradient(other, second))


@given(batch=batches())
def test_a_free_token_is_moved_by_its_own_advantage_times_the_ratio_of_the_response(batch):
    leaf = batch.leaf
    wide = {"clip_low": 1.0, "clip_high": 1e9}
    loss, _ = gspo_token(leaf, batch.old_log_prob, batch.advantages, batch.mask, **wide)
    length = batch.mask.sum(1, keepdim=True).double()
    log_ratio = torch.where(batch.keep, batch.log_ratio, 0.0)
    ratio = (log_ratio.sum(1, keepdim=True) / length).exp()
    expected = -ratio * batch.advantages / length / len(batch.mask)
    close(gradient(loss, leaf), torch.where(batch.keep, expected, 0.0))


@given(batch=batches(width=1))
def test_a_response_of_one_token_is_the_term_of_ppo(batch):
    first, second = batch.leaf, batch.leaf
    tensors = (batch.old_log_prob, batch.advantages, batch.mask)
    mine, _ = gspo_token(first, *tensors, **CLIPS)
    other, _ = ppo_policy(second, *tensors, **CLIPS, dual_clip=None, aggregation=token_mean)
    close(mine, other.item())
    close(gradient(mine, first), gradient(other, second))


def test_one_response_may_have_clipped_and_free_tokens():
    log_prob = tensor([-1.0, -2.0]).requires_grad_()
    old = log_prob.detach() - 0.5  # ratio 1.65 for both and for the response
    loss, stats = gspo_token(log_prob, old, tensor([1, -1]), torch.ones(1, 2), **CLIPS)
    held, free = gradient(loss, log_prob)[0].tolist()
    assert held == 0
    assert free > 0
    assert stats["clip_fraction"] == 0.5
