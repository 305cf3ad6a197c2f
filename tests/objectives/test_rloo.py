from __future__ import annotations

import pytest
import torch
from batches import FIXED, batches, close, gradient, groups, tensor
from hypothesis import given
from laws import TOKEN_LAWS, Setting, name_of, rows

from evidence_matrix.objectives.dr_grpo import dr_grpo_advantages
from evidence_matrix.objectives.rloo import rloo, rloo_advantages

TENSORS = {
    "log_prob": FIXED["log_prob"],
    "advantages": tensor(0.5, -1.5, 1.0),
    "mask": FIXED["mask"],
}
SETTING = Setting(lambda **given: rloo(**given)[0], TENSORS, count=rows)


@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
def test_law(law):
    law(SETTING)


def test_advantages_are_those_of_verl(vector):
    case = vector("rloo-adv")
    rewards = (case["token_level_rewards"] * case["mask"]).sum(1)
    advantages = rloo_advantages(rewards, case["group_index"])
    case.check("advantages", advantages[:, None] * case["mask"])


def test_three_responses_by_hand():
    advantages = rloo_advantages(tensor(1, 0, 0.5), torch.tensor([3, 3, 3]))
    # the others' means are 0.25, 0.75 and 0.5
    close(advantages, [0.75, -0.75, 0])
    log_prob = tensor([-1.0, -2.0], [-0.5, 9], [-3.0, -1.0]).requires_grad_()
    loss, stats = rloo(log_prob, advantages, torch.tensor([[1, 1], [1, 0], [1, 1]]))
    # responses have log-probabilities -3, -1/2 and -4
    close(loss, -(0.75 * -3 + -0.75 * -0.5) / 3)
    close(gradient(loss, log_prob), [[-0.25, -0.25], [0.25, 0], [0, 0]])
    close(stats["log_likelihood"], -7.5 / 3)


@given(drawn=groups())
def test_advantages_sum_to_zero_and_are_a_multiple_of_those_of_dr_grpo(drawn):
    advantages = rloo_advantages(drawn.rewards, drawn.group)
    centered = dr_grpo_advantages(drawn.rewards, drawn.group)
    for label in drawn.group.unique():
        members = drawn.group == label
        size = int(members.sum())
        close(advantages[members].sum(), 0, atol=1e-9)
        close(advantages[members], size / (size - 1) * centered[members], atol=1e-9)


def test_the_expected_gradient_is_that_of_the_expected_reward():
    """Exactly, over all groups of two answers from a policy that has two."""
    logit = tensor(0.3).requires_grad_()
    log_probs = torch.stack([torch.nn.functional.logsigmoid(sign * logit[0]) for sign in (1, -1)])
    probabilities, rewards = log_probs.detach().exp(), tensor(0.2, 1.0)
    expected = torch.zeros(1, dtype=torch.float64)
    for first in (0, 1):
        for second in (0, 1):
            chosen = torch.tensor([first, second])
            advantages = rloo_advantages(rewards[chosen], torch.tensor([0, 0]))
            loss, _ = rloo(log_probs[chosen][:, None], advantages, torch.ones(2, 1))
            weight = probabilities[first] * probabilities[second]
            expected += weight * torch.autograd.grad(loss, logit, retain_graph=True)[0]
    truth = gradient((log_probs.exp() * rewards).sum(), logit)
    close(-expected, truth)
    assert truth.abs() > 0.1


@given(batch=batches())
def test_a_uniform_group_moves_nothing(batch):
    size = 2 * len(batch.mask)
    advantages = rloo_advantages(torch.full((size,), 0.1), torch.zeros(size))
    leaf = batch.leaf
    loss, _ = rloo(leaf, advantages[: len(batch.mask)].double(), batch.mask)
    assert (gradient(loss, leaf) == 0).all()


def test_a_lone_response_is_refused():
    with pytest.raises(ValueError, match=r"group\(s\) \[5\] have one member"):
        rloo_advantages(tensor(1, 2, 3), torch.tensor([4, 4, 5]))
    with pytest.raises(ValueError, match=r"advantages has shape \[2\]; it must be \[3\]"):
        rloo(FIXED["log_prob"], tensor(1, 2), FIXED["mask"])
