from __future__ import annotations

import math

import pytest
import torch
from batches import FIXED, batches, close, gradient, tensor
from hypothesis import given
from hypothesis import strategies as st
from laws import TOKEN_LAWS, Setting, name_of

from evidence_matrix.objectives.advantages import gae, returns_to_go
from evidence_matrix.objectives.dapo import dapo
from evidence_matrix.objectives.vapo import (
    length_adaptive_lambda,
    vapo,
    vapo_advantages,
    vapo_value,
)

CLIPS = {"clip_low": 0.2, "clip_high": 0.28}
CORRECT = torch.tensor([1, 0, 1])
SETTINGS = {
    "policy": Setting(
        # The second denominator, too, is that of the whole batch: three and two tokens.
        lambda **given: vapo(**given, **CLIPS, nll_coef=0.3, nll_denominator=5)[0],
        {**FIXED, "correct": CORRECT},
    ),
    "value": Setting(
        lambda **given: vapo_value(**given)[0],
        {
            "values": FIXED["log_prob"],
            "returns": FIXED["advantages"],
            "mask": FIXED["mask"],
        },
        leaves=("values",),
    ),
}


@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_law(law, setting):
    law(setting)


def test_traces_advantages_and_targets_are_those_of_the_derivation(vector):
    case = vector("vapo-length-adaptive-gae-alpha0.5")
    advantages, targets = vapo_advantages(
        case["rewards"], case["values"], case["mask"], alpha=0.5, gamma=1.0, lam_critic=1.0
    )
    case.check("lambda_policy", length_adaptive_lambda(case["mask"].sum(1), alpha=0.5))
    case.check("advantages", advantages)
    case.check("value_targets", targets)


def test_the_value_loss_in_pretraining_is_that_of_verl(vector):
    case = vector("vapo-value-pretraining")
    returns = returns_to_go(case["rewards"], case["mask"], gamma=1.0)
    case.check("targets", returns)
    values = case.leaf("values")
    loss, stats = vapo_value(values, returns, case["mask"])
    case.check_loss(loss, values=values)
    error = ((values.detach() - returns) * case["mask"]).sum() / case["mask"].sum()
    close(stats["value_error"], error.item())


def test_one_correct_and_one_wrong_response_by_hand():
    old = tensor([-1.0, -2.0], [-0.5, 9])
    log_prob = (old + tensor([math.log(1.5), 0], [math.log(0.5), 9])).requires_grad_()
    loss, stats = vapo(
        log_prob,
        old,
        tensor([1, 2], [-1, 9]),
        torch.tensor([1, 0]),
        torch.tensor([[1, 1], [1, 0]]),
        **CLIPS,
        nll_coef=0.1,
    )
    policy = -(1.28 + 2 - 0.8) / 3  # held, fresh, held
    nll = -(math.log(1.5) - 1 - 2) / 2  # of the two tokens of the first response
    close(loss, policy + 0.1 * nll)
    close(stats["policy_loss"], policy)
    close(stats["nll_loss"], nll)
    close(gradient(loss, log_prob), [[-0.1 / 2, -2 / 3 - 0.1 / 2], [0, 0]])


@given(batch=batches(), alpha=st.floats(0.05, 3))
def test_the_trace_grows_with_length_is_never_negative_and_belongs_to_its_row(batch, alpha):
    length = batch.mask.sum(1).double()
    lam = length_adaptive_lambda(length, alpha=alpha)
    assert ((lam >= 0) & (lam < 1)).all()
    order = length.argsort()
    assert (lam[order].diff() >= 0).all()
    alone = torch.cat([length_adaptive_lambda(one[None], alpha=alpha) for one in length])
    assert torch.equal(lam, alone)
    assert ((lam == 0) == (alpha * length <= 1)).all()


@given(batch=batches(), alpha=st.floats(0.05, 3))
def test_the_critics_target_is_the_return_and_does_not_depend_on_the_critic(batch, alpha):
    constants = {"alpha": alpha, "gamma": 1.0, "lam_critic": 1.0}
    returns = returns_to_go(batch.advantages, batch.mask, gamma=1.0)
    for values in (batch.log_prob, torch.zeros_like(batch.log_prob)):
        _, targets = vapo_advantages(batch.advantages, values, batch.mask, **constants)
        close(targets, returns, atol=1e-9)


@given(batch=batches())
def test_each_row_has_the_advantages_of_its_own_trace(batch):
    advantages, _ = vapo_advantages(
        batch.advantages, batch.log_prob, batch.mask, alpha=0.4, gamma=0.9, lam_critic=1.0
    )
    for row, lam in enumerate(
        length_adaptive_lambda(batch.mask.sum(1).double(), alpha=0.4).tolist()
    ):
        part = slice(row, row + 1)
        alone, _ = gae(
            batch.advantages[part], batch.log_prob[part], batch.mask[part], gamma=0.9, lam=lam
        )
        close(advantages[part], alone)


@given(batch=batches(), nll_coef=st.floats(0, 2))
def test_without_correct_responses_or_weight_it_is_dapo(batch, nll_coef):
    tensors = (batch.log_prob, batch.old_log_prob, batch.advantages)
    same, _ = dapo(*tensors, batch.mask, **CLIPS)
    nobody, everybody = torch.zeros(len(batch.mask)), torch.ones(len(batch.mask))
    loss, stats = vapo(*tensors, nobody, batch.mask, **CLIPS, nll_coef=nll_coef)
    close(loss, same.item())
    assert stats["nll_loss"] == 0
    close(vapo(*tensors, everybody, batch.mask, **CLIPS, nll_coef=0)[0], same.item())


@given(batch=batches())
def test_imitation_reaches_tokens_of_correct_responses_only_and_all_alike(batch):
    leaf = batch.leaf
    correct = torch.arange(len(batch.mask)) % 2 == 0
    zero = torch.zeros_like(leaf)
    loss, _ = vapo(leaf, batch.log_prob, zero, correct, batch.mask, **CLIPS, nll_coef=0.5)
    imitated = batch.keep & correct[:, None]
    close(gradient(loss, leaf), -0.5 / imitated.sum().item() * imitated.double())


def test_correct_is_one_flag_a_row():
    for correct, message in (
        (torch.ones(2), r"correct has shape \[2\]; it must be \[3\]"),
        (torch.tensor([0.5, 1, 0]), "correct must hold only 0 and 1"),
    ):
        with pytest.raises(ValueError, match=message):
            vapo(**FIXED, correct=correct, **CLIPS, nll_coef=0.1)


def test_a_part_of_a_batch_needs_both_denominators_of_the_whole():
    """Else each part would divide its imitation by its own tokens, and no error would show."""
    correct = torch.tensor([1, 0, 1])
    with pytest.raises(ValueError, match="nll_denominator is missing"):
        vapo(**FIXED, correct=correct, **CLIPS, nll_coef=0.1, denominator=6)
