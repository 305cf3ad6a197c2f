from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from laws import TOKEN_LAWS, Setting, name_of, rows, tokens

from evidence_matrix.objectives.aggregation import (
    sequence_mean_token_mean,
    token_mean,
    token_sum,
)
from evidence_matrix.objectives.gkd import gkd
from evidence_matrix.objectives.opd import opd, opd_sampled_token, opd_token_rewards

MASK = torch.tensor([[1, 1, 1], [1, 0, 0]])
WEIGHTS = torch.tensor([[0.3, 0.7], [1.0, 0.0]], dtype=torch.float64)


def student_and_teachers(seed: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    random = torch.Generator().manual_seed(seed)
    return (
        torch.randn(2, 3, 4, dtype=torch.float64, generator=random),
        torch.randn(2, 2, 3, 4, dtype=torch.float64, generator=random),
    )


@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
def test_law_of_the_full_vocabulary(law):
    student, teachers = student_and_teachers()

    def loss(student_logits, teacher_logits, teacher_weight, mask, denominator=None):
        # The laws want rows, then tokens: teachers come as [B, T, K, V], weights as [B, T, K].
        first = (mask == 1).int().argmax(dim=1)
        return opd(
            student_logits,
            teacher_logits.permute(2, 0, 1, 3),
            teacher_weight[torch.arange(len(first)), first],
            mask,
            aggregation=token_mean,
            denominator=denominator,
        )[0]

    tensors = {
        "student_logits": student,
        "teacher_logits": teachers.permute(1, 2, 0, 3).contiguous(),
        "teacher_weight": WEIGHTS[:, None].expand(2, 3, 2).contiguous(),
        "mask": torch.tensor([[1, 1, 1], [1, 1, 0]]),
    }
    law(Setting(loss, tensors, leaves=("student_logits",), count=tokens))


def sampled(seed: int = 0) -> dict[str, torch.Tensor]:
    random = torch.Generator().manual_seed(seed)
    draw = [-0.1 - torch.rand(3, 4, dtype=torch.float64, generator=random) for _ in range(3)]
    return {
        "log_prob": draw[0],
        "sampler_log_prob": draw[1],
        "teacher_log_prob": draw[2],
        "outcome_advantages": torch.tensor([0.5, -1.0, 0.2], dtype=torch.float64),
        "mask": torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1]]),
    }


CONSTANTS = {"outcome_weight": 0.5, "weight_min": 0.7, "weight_max": 1.5, "reward_bound": 0.4}


@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
def test_law_of_the_sampled_token(law):
    def loss(**given_):
        return opd_sampled_token(**given_, **CONSTANTS, aggregation=sequence_mean_token_mean)[0]

    law(Setting(loss, sampled(), count=rows))


def test_sampled_token_loss_weight_and_advantage_are_those_of_the_report(vector):
    case = vector("mopd-sampled-token-surrogate-interior")
    leaf = case.leaf("log_prob")
    loss, stats = opd_sampled_token(
        leaf,
        case["sampler_log_prob"],
        case["teacher_log_prob"],
        case["orm_advantage"],
        case["mask"],
        outcome_weight=0.5,
        weight_min=0.6,
        weight_max=1.6,
        reward_bound=math.inf,
        aggregation=sequence_mean_token_mean,
    )
    case.check_loss(loss, log_prob=leaf)
    rewards = opd_token_rewards(
        leaf.detach(), case["teacher_log_prob"], case["mask"], reward_bound=math.inf
    )
    keep = case["mask"] == 1
    advantage = torch.where(keep, rewards + 0.5 * case["orm_advantage"][:, None], 0.0)
    case.check("advantage", advantage)
    rejected = (case["mask"] == 1) & (torch.tensor(case.record["outputs"]["weight"]) == 0)
    assert stats["rejected"].item() == pytest.approx((rejected.sum() / keep.sum()).item())


def test_token_rewards_are_clipped_as_in_the_report(vector):
    case = vector("opd-clipped-reward")
    got = opd_token_rewards(
        case["log_prob"], case["teacher_log_prob"], torch.ones(2, 4), reward_bound=1.0
    )
    case.check("reward", got)


def test_full_vocabulary_loss_is_built_from_reverse_kls(vector):
    case = vector("mopd-full-vocab-reverse-kl")
    leaf = case.leaf("student_logits")
    loss, _ = opd(
        leaf,
        case["teacher_logits"],
        case["teacher_weight"],
        case["mask"],
        aggregation=token_mean,
    )
    case.check_loss(loss, student_logits=leaf)


def test_added_to_advantages_it_is_the_penalty_of_slime(vector):
    case = vector("opd-sampled-token-advantage")
    rewards = opd_token_rewards(
        case["log_prob"], case["teacher_log_prob"], case["mask"], reward_bound=math.inf
    )
    after = torch.where(case["mask"] == 1, case["advantages"] + 0.7 * rewards, 0.0)
    case.check("advantages_after", after)


def test_hand_worked_full_vocabulary():
    student = torch.tensor([[[0.5, 0.5]]], dtype=torch.float64).log()
    teachers = torch.tensor([[[[0.5, 0.5]]], [[[0.75, 0.25]]]], dtype=torch.float64).log()
    loss, stats = opd(
        student,
        teachers,
        torch.tensor([[0.9, 0.1]], dtype=torch.float64),
        torch.ones(1, 1),
        aggregation=token_mean,
    )
    to_second = 0.5 * math.log(0.5 / 0.75) + 0.5 * math.log(0.5 / 0.25)
    assert loss.item() == pytest.approx(0.9 * 0 + 0.1 * to_second)
    assert stats["entropy"].item() == pytest.approx(math.log(2))


def test_hand_worked_sampled_token():
    # Student 0.5 and sampler 0.4: ratio 1.25, kept; then 0.5 and 0.1: ratio 5, rejected.
    log_prob = torch.log(torch.tensor([[0.5, 0.5]], dtype=torch.float64)).requires_grad_()
    loss, stats = opd_sampled_token(
        log_prob,
        torch.log(torch.tensor([[0.4, 0.1]], dtype=torch.float64)),
        torch.log(torch.tensor([[0.25, 0.25]], dtype=torch.float64)),
        torch.tensor([2.0], dtype=torch.float64),
        torch.ones(1, 2),
        outcome_weight=0.1,
        weight_min=0.5,
        weight_max=2.0,
        reward_bound=math.inf,
        aggregation=token_mean,
    )
    # Advantage ln(1/2) + 0.2; half of it, since the rejected token stays in the mean.
    advantage = math.log(0.5) + 0.2
    assert loss.item() == pytest.approx(-1.25 * advantage * math.log(0.5) / 2)
    (gradient,) = torch.autograd.grad(loss, log_prob)
    torch.testing.assert_close(gradient, torch.tensor([[-1.25 * advantage / 2, 0.0]]).double())
    assert stats["rejected"].item() == 0.5
    assert stats["reward"].item() == pytest.approx(math.log(0.5))


@given(st.integers(0, 30))
def test_the_expected_gradient_of_the_sampled_form_is_the_full_gradient(seed):
    # One position: every token in turn is the sampled one, weighed by its probability.
    student, teachers = student_and_teachers(seed)
    z = student[:1, :1].clone().requires_grad_()
    teacher = teachers[0, :1, :1]
    one = torch.ones(1, 1)
    full, _ = opd(z, teacher[None], torch.ones(1, 1).double(), one, aggregation=token_sum)
    (expected,) = torch.autograd.grad(full, z)
    got = torch.zeros_like(z)
    for token in range(4):
        log_prob = z.log_softmax(dim=2)[..., token]
        loss, _ = opd_sampled_token(
            log_prob,
            log_prob.detach(),
            teacher.log_softmax(dim=2)[..., token],
            torch.zeros(1, dtype=torch.float64),
            one,
            outcome_weight=0.0,
            weight_min=0.5,
            weight_max=2.0,
            reward_bound=math.inf,
            aggregation=token_sum,
        )
        got += log_prob.detach().exp()[..., None] * torch.autograd.grad(loss, z)[0]
    torch.testing.assert_close(got, expected, rtol=1e-9, atol=1e-12)


@given(st.integers(0, 30))
def test_the_log_ratio_as_a_loss_teaches_nothing_on_average(seed):
    student, teachers = student_and_teachers(seed)
    z = student[0, 0].clone().requires_grad_()
    log_prob = z.log_softmax(dim=0)
    difference = log_prob - teachers[0, 0, 0].log_softmax(dim=0)
    expected = (log_prob.detach().exp() * difference).sum()
    (gradient,) = torch.autograd.grad(expected, z)
    assert gradient.abs().max() < 1e-15


@given(st.integers(0, 30))
def test_one_teacher_is_gkd_at_its_reverse_end(seed):
    student, teachers = student_and_teachers(seed)
    ones = torch.ones(2, 1, dtype=torch.float64)
    loss, _ = opd(student, teachers[:1], ones, MASK, aggregation=token_mean)
    expected, _ = gkd(student, teachers[0], MASK, beta=1, temperature=1.0, aggregation=token_mean)
    torch.testing.assert_close(loss, expected, rtol=1e-12, atol=1e-14)


@given(st.integers(0, 30))
def test_one_hot_weights_route_each_row_to_its_teacher(seed):
    student, teachers = student_and_teachers(seed)
    routed = torch.tensor([[0.0, 1.0], [1.0, 0.0]], dtype=torch.float64)
    loss, _ = opd(student, teachers, routed, MASK, aggregation=token_mean)
    chosen = torch.stack([teachers[1, 0], teachers[0, 1]])
    ones = torch.ones(2, 1, dtype=torch.float64)
    expected, _ = opd(student, chosen[None], ones, MASK, aggregation=token_mean)
    torch.testing.assert_close(loss, expected, rtol=1e-12, atol=1e-14)
    agreeing, _ = opd(student, student[None], ones, MASK, aggregation=token_mean)
    assert agreeing.item() == pytest.approx(0, abs=1e-15)


@given(st.integers(0, 30), st.floats(0, 1))
def test_weights_that_sum_to_1_pull_to_the_geometric_mean_of_the_teachers(seed, share):
    student, teachers = student_and_teachers(seed)
    leaf = student.requires_grad_()
    weight = torch.tensor([[share, 1 - share]] * 2, dtype=torch.float64)
    several, _ = opd(leaf, teachers, weight, MASK, aggregation=token_mean)
    mean = share * teachers[0] + (1 - share) * teachers[1]
    ones = torch.ones(2, 1, dtype=torch.float64)
    one, _ = opd(leaf, mean[None], ones, MASK, aggregation=token_mean)
    torch.testing.assert_close(
        torch.autograd.grad(several, leaf)[0],
        torch.autograd.grad(one, leaf)[0],
        rtol=1e-9,
        atol=1e-12,
    )


@given(st.integers(0, 30), st.floats(0.1, 4))
def test_the_full_loss_is_linear_in_the_weights(seed, factor):
    student, teachers = student_and_teachers(seed)
    before, _ = opd(student, teachers, WEIGHTS, MASK, aggregation=token_mean)
    after, _ = opd(student, teachers, factor * WEIGHTS, MASK, aggregation=token_mean)
    torch.testing.assert_close(after, factor * before, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize(
    ("ratio", "kept"), [(0.5, True), (2.0, True), (0.49, False), (2.01, False)]
)
def test_both_ends_of_the_interval_count(ratio, kept):
    # Halving and doubling are exact in binary: log(2) - log(1) gives the ratio 2 again.
    log_prob = torch.tensor([[math.log(ratio)]], dtype=torch.float64, requires_grad=True)
    zero = torch.zeros(1, 1, dtype=torch.float64)
    loss, stats = opd_sampled_token(
        log_prob,
        zero,
        torch.ones(1, 1, dtype=torch.float64),
        torch.zeros(1, dtype=torch.float64),
        torch.ones(1, 1),
        outcome_weight=0.0,
        weight_min=0.5,
        weight_max=2.0,
        reward_bound=math.inf,
        aggregation=token_mean,
    )
    (gradient,) = torch.autograd.grad(loss, log_prob)
    assert stats["rejected"].item() == (0.0 if kept else 1.0)
    assert (gradient.item() != 0) is kept


def test_a_token_that_all_exclude_changes_neither_loss_nor_entropy():
    student, teachers = student_and_teachers()
    leaf = student.requires_grad_()
    loss, stats = opd(leaf, teachers, WEIGHTS, MASK, aggregation=token_mean)
    excluded = torch.full((2, 3, 1), -torch.inf, dtype=torch.float64)
    more, more_stats = opd(
        torch.cat([leaf, excluded], dim=2),
        torch.cat([teachers, excluded.expand(2, 2, 3, 1)], dim=3),
        WEIGHTS,
        MASK,
        aggregation=token_mean,
    )
    torch.testing.assert_close(more, loss)
    torch.testing.assert_close(more_stats["entropy"], stats["entropy"])
    torch.testing.assert_close(
        torch.autograd.grad(more, leaf)[0], torch.autograd.grad(loss, leaf)[0]
    )


def test_an_interval_of_one_point_keeps_what_the_student_itself_sampled():
    given_ = sampled() | {"sampler_log_prob": sampled()["log_prob"]}
    constants = CONSTANTS | {"weight_min": 1.0, "weight_max": 1.0}
    _, stats = opd_sampled_token(**given_, **constants, aggregation=token_mean)
    assert stats["rejected"].item() == 0.0


def test_when_every_token_is_rejected_the_loss_is_zero():
    given_ = sampled() | {"sampler_log_prob": sampled()["log_prob"] - 5}
    given_["log_prob"].requires_grad_()
    loss, stats = opd_sampled_token(**given_, **CONSTANTS, aggregation=token_mean)
    (gradient,) = torch.autograd.grad(loss, given_["log_prob"])
    assert loss.item() == 0.0
    assert (gradient == 0).all()
    assert stats["rejected"].item() == 1.0


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"teacher_logits": torch.zeros(2, 3, 4)}, r"must be \[K, B, T, V\]"),
        ({"teacher_logits": torch.zeros(2, 2, 3, 5).double()}, r"teacher_logits has shape"),
        ({"teacher_weight": torch.ones(2, 3)}, r"teacher_weight has shape \[2, 3\]"),
        ({"teacher_weight": -torch.ones(2, 2)}, "teacher_weight is -1.0"),
    ],
)
def test_errors_of_the_full_form_say_what_was_given(changed, message):
    student, teachers = student_and_teachers()
    given_ = {"student_logits": student, "teacher_logits": teachers, "teacher_weight": WEIGHTS}
    with pytest.raises(ValueError, match=message):
        opd(**(given_ | changed), mask=MASK, aggregation=token_mean)


@pytest.mark.parametrize(
    ("constants", "message"),
    [
        ({"weight_min": 2.0}, "weight_min 2.0 is above weight_max 1.5"),
        ({"reward_bound": 0.0}, "reward_bound is 0.0"),
        ({"outcome_weight": -1.0}, "outcome_weight is -1.0"),
    ],
)
def test_errors_of_the_sampled_form_say_what_was_given(constants, message):
    with pytest.raises(ValueError, match=message):
        opd_sampled_token(**sampled(), **(CONSTANTS | constants), aggregation=token_mean)
