from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from laws import Setting, name_of, tokens
from test_sft import IDS, LOSS_MASK, SHIFT_LAWS, logits, predicting

from evidence_matrix.objectives.aggregation import token_mean
from evidence_matrix.objectives.dft import dft
from evidence_matrix.objectives.sft import sft


def shifted(logits, input_ids, mask, denominator=None):
    loss_mask = torch.cat([torch.zeros_like(mask[:, :1]), mask[:, :-1]], dim=1)
    return dft(logits, input_ids, loss_mask, denominator=denominator)[0]


@pytest.mark.parametrize("law", SHIFT_LAWS, ids=name_of)
def test_law(law):
    tensors = {"logits": logits(), "input_ids": IDS, "mask": predicting(LOSS_MASK)}
    law(Setting(shifted, tensors, leaves=("logits",), count=tokens))


def test_loss_and_gradient_are_those_of_trl(vector):
    case = vector("dft-token-mean-0")
    leaf = case.leaf("logits")
    loss, _ = dft(leaf, case["input_ids"], case["loss_mask"])
    case.check_loss(loss, logits=leaf)


def test_an_attached_weight_has_the_same_value_and_another_gradient(vector):
    case = vector("dft-token-mean-0")
    leaf = case.leaf("logits")
    log_prob = leaf[:, :-1].log_softmax(dim=2).gather(2, case["input_ids"][:, 1:, None]).squeeze(2)
    attached = token_mean(-log_prob.exp() * log_prob, case["loss_mask"][:, 1:])
    loss, _ = dft(leaf, case["input_ids"], case["loss_mask"])
    torch.testing.assert_close(attached, loss)
    difference = torch.autograd.grad(attached, leaf)[0] - torch.autograd.grad(loss, leaf)[0]
    assert difference.abs().max().item() == pytest.approx(0.05194140666610934)


def test_hand_worked():
    # Probabilities 1/4 for token 1 at position 0, 3/4 for token 2 at position 1.
    z = torch.tensor([[[2.0, 1.0, 1.0], [1.0, 1.0, 6.0], [9.0, 9.0, 9.0]]]).double().log()
    loss, stats = dft(z, torch.tensor([[0, 1, 2]]), torch.tensor([[0, 1, 1]]))
    first = 0.25 * math.log(4)
    second = 0.75 * math.log(4 / 3)
    # Divided by the two tokens, not by the weights' sum of 1.
    assert loss.item() == pytest.approx((first + second) / 2)
    assert stats["weight"].item() == pytest.approx(0.5)


@given(st.integers(0, 100))
def test_gradient_of_a_token_is_its_probability_times_that_of_sft(seed):
    z = logits(seed).requires_grad_()
    mask = torch.tensor([[0, 0, 1, 0], [0, 0, 0, 0]])
    (weighted,) = torch.autograd.grad(dft(z, IDS, mask)[0], z)
    (plain,) = torch.autograd.grad(sft(z, IDS, mask, aggregation=token_mean)[0], z)
    probability = z[0, 1].detach().softmax(dim=0)[IDS[0, 2]]
    torch.testing.assert_close(weighted, probability * plain, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize(("gap", "share"), [(-60.0, 0.0), (60.0, 1.0)])
def test_unlikely_tokens_do_not_move_and_certain_ones_move_as_in_sft(gap, share):
    z = torch.zeros(1, 2, 3, dtype=torch.float64)
    z[0, 0, 1] = gap
    z.requires_grad_()
    ids, mask = torch.tensor([[0, 1]]), torch.tensor([[0, 1]])
    loss, _ = dft(z, ids, mask)
    assert loss.isfinite()
    (weighted,) = torch.autograd.grad(loss, z)
    (plain,) = torch.autograd.grad(sft(z, ids, mask, aggregation=token_mean)[0], z)
    torch.testing.assert_close(weighted, share * plain, rtol=1e-12, atol=1e-20)
