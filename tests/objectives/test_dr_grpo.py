from __future__ import annotations

import pytest
import torch
from batches import FIXED, batches, close, gradient, groups, tensor
from hypothesis import given
from hypothesis import strategies as st
from laws import TOKEN_LAWS, Setting, name_of, padding_changes_nothing, rows

from evidence_matrix.objectives.dr_grpo import dr_grpo, dr_grpo_advantages
from evidence_matrix.objectives.rloo import rloo, rloo_advantages

CLIPS = {"clip_low": 0.2, "clip_high": 0.2}
SETTING = Setting(lambda **given: dr_grpo(**given, **CLIPS, length=7)[0], FIXED, count=rows)


@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
def test_law(law):
    law(SETTING)


def test_loss_and_gradient_are_those_of_trl(vector):
    case = vector("drgrpo-loss-L32")
    log_prob = case.leaf("log_prob")
    names = ("old_log_prob", "advantages", "mask")
    loss, _ = dr_grpo(log_prob, *(case[name] for name in names), **CLIPS, length=32)
    case.check_loss(loss, log_prob=log_prob)


def test_advantages_are_those_of_verl(vector):
    case = vector("drgrpo-adv")
    rewards = (case["token_level_rewards"] * case["mask"]).sum(1)
    advantages = dr_grpo_advantages(rewards, case["group_index"])
    case.check("advantages", advantages[:, None] * case["mask"])


def test_two_responses_of_unequal_length_by_hand():
    advantages = dr_grpo_advantages(tensor(1, 0), torch.tensor([0, 0]))
    close(advantages, [0.5, -0.5])
    log_prob = tensor([-1.0, -1, -1], [-1.0, 9, 9]).requires_grad_()
    loss, _ = dr_grpo(
        log_prob,
        log_prob.detach(),
        advantages[:, None].expand_as(log_prob),
        torch.tensor([[1, 1, 1], [1, 0, 0]]),
        **CLIPS,
        length=10,
    )
    # on fresh samples the surrogate is the advantage: sums 1.5 and -0.5, over two rows and ten
    close(loss, -(1.5 - 0.5) / 2 / 10)
    close(gradient(loss, log_prob), [[-0.5 / 20] * 3, [0.5 / 20, 0, 0]])


@given(drawn=groups(), scale=st.floats(-5, 5))
def test_advantages_scale_with_the_rewards_and_a_uniform_group_has_none(drawn, scale):
    plain = dr_grpo_advantages(drawn.rewards, drawn.group)
    close(dr_grpo_advantages(scale * drawn.rewards, drawn.group), scale * plain, atol=1e-9)
    uniform = dr_grpo_advantages(torch.full_like(drawn.rewards, 0.1), drawn.group)
    assert (uniform == 0).all()


@given(batch=batches())
def test_every_token_has_the_same_weight_whatever_the_lengths(batch):
    leaf = batch.leaf
    ones = torch.ones_like(leaf)
    loss, _ = dr_grpo(leaf, batch.log_prob, ones, batch.mask, **CLIPS, length=9)
    close(gradient(loss, leaf)[batch.keep], -1 / (9 * len(batch.mask)))


@given(batch=batches(rows=4), drawn=groups())
def test_on_fresh_samples_it_is_rloo_up_to_a_constant(batch, drawn):
    """The gradients differ by (G-1)/G and by the length that only one of them divides by."""
    size = len(batch.mask)
    rewards, group = batch.row_advantages.repeat(2), torch.zeros(2 * size)
    mask, old = batch.mask.repeat(2, 1), batch.log_prob.repeat(2, 1)
    first, second = old.clone().requires_grad_(), old.clone().requires_grad_()
    level = dr_grpo_advantages(rewards, group)[:, None].expand_as(old)
    mine, _ = dr_grpo(first, old, level, mask, **CLIPS, length=5)
    others, _ = rloo(second, rloo_advantages(rewards, group), mask)
    factor = (2 * size - 1) / (2 * size) / 5
    close(gradient(mine, first), factor * gradient(others, second))


def test_a_length_that_is_the_padded_width_would_break_the_law_of_padding():
    def padded(**given):
        return dr_grpo(**given, **CLIPS, length=given["mask"].shape[1])[0]

    with pytest.raises(AssertionError, match="not close"):
        padding_changes_nothing(Setting(padded, FIXED, count=rows))
