from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from laws import TOKEN_LAWS, Setting, name_of, rows, tokens

from evidence_matrix.objectives.aggregation import sequence_mean_token_mean, token_mean
from evidence_matrix.objectives.gkd import gkd
from evidence_matrix.objectives.vocabulary import divergence, jensen_shannon

MASK = torch.tensor([[1, 1, 1], [1, 0, 0]])
BETAS = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0.01, 0.99))


def logits(seed: int, count: int = 2) -> list[torch.Tensor]:
    random = torch.Generator().manual_seed(seed)
    return [torch.randn(2, 3, 4, dtype=torch.float64, generator=random) for _ in range(count)]


def loss_of(student, teacher, *, beta, temperature=1.0):
    return gkd(student, teacher, MASK, beta=beta, temperature=temperature, aggregation=token_mean)[
        0
    ]


@pytest.mark.parametrize("beta", [0, 0.3, 1])
@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
def test_law(law, beta):
    student, teacher = logits(0)
    aggregation, count = (token_mean, tokens) if beta else (sequence_mean_token_mean, rows)
    law(
        Setting(
            lambda **given_: gkd(**given_, beta=beta, temperature=1.5, aggregation=aggregation)[0],
            {"student_logits": student, "teacher_logits": teacher, "mask": MASK},
            leaves=("student_logits",),
            count=count,
        )
    )


def check(case, beta, temperature):
    leaf = case.leaf("student_logits")
    loss, _ = gkd(
        leaf,
        case["teacher_logits"],
        case["mask"],
        beta=beta,
        temperature=temperature,
        aggregation=token_mean,
    )
    case.check_loss(loss, student_logits=leaf)


def test_loss_and_gradient_inside_are_those_of_trl(vector):
    check(vector("gkd-beta0.4-T1.5"), 0.4, 1.5)


def test_loss_and_gradient_at_the_end_are_those_of_trl(vector):
    check(vector("gkd-beta1-T1.0"), 1, 1.0)


def test_hand_worked():
    # Teacher (1/2, 1/2), student (3/4, 1/4); mixture at one half (5/8, 3/8).
    teacher = torch.tensor([[[0.5, 0.5]]], dtype=torch.float64).log()
    student = torch.tensor([[[0.75, 0.25]]], dtype=torch.float64).log()
    loss, stats = gkd(
        student, teacher, torch.ones(1, 1), beta=0.5, temperature=1.0, aggregation=token_mean
    )
    from_teacher = 0.5 * math.log(0.5 / 0.625) + 0.5 * math.log(0.5 / 0.375)
    from_student = 0.75 * math.log(0.75 / 0.625) + 0.25 * math.log(0.25 / 0.375)
    assert loss.item() == pytest.approx((from_teacher + from_student) / 2)
    forward = 0.5 * math.log(0.5 / 0.75) + 0.5 * math.log(0.5 / 0.25)
    reverse = 0.75 * math.log(0.75 / 0.5) + 0.25 * math.log(0.25 / 0.5)
    assert stats["forward_kl"].item() == pytest.approx(forward)
    assert stats["reverse_kl"].item() == pytest.approx(reverse)


@given(st.integers(0, 50), BETAS)
def test_equal_distributions_are_at_the_minimum(seed, beta):
    student, other = logits(seed)
    leaf = student.requires_grad_()
    loss = loss_of(leaf, student.detach(), beta=beta)
    (gradient,) = torch.autograd.grad(loss, leaf)
    assert loss.item() == pytest.approx(0, abs=1e-15)
    assert gradient.abs().max() < 1e-15
    assert loss_of(student.detach(), other, beta=beta) > 0


@given(st.integers(0, 50))
def test_symmetric_at_one_half(seed):
    student, teacher = logits(seed)
    torch.testing.assert_close(
        loss_of(student, teacher, beta=0.5), loss_of(teacher, student, beta=0.5)
    )


@given(st.integers(0, 50), st.floats(0.05, 0.95))
def test_exchanging_student_and_teacher_mirrors_beta(seed, beta):
    student, teacher = logits(seed)
    torch.testing.assert_close(
        loss_of(student, teacher, beta=beta), loss_of(teacher, student, beta=1 - beta)
    )


@given(st.integers(0, 50))
def test_the_slope_at_each_end_is_the_divergence_of_that_end(seed):
    student, teacher = (each.log_softmax(dim=-1) for each in logits(seed))
    small = 1e-6
    near_zero = jensen_shannon(teacher, student, beta=small) / small
    near_one = jensen_shannon(teacher, student, beta=1 - small) / small
    forward = jensen_shannon(teacher, student, beta=0)
    reverse = jensen_shannon(teacher, student, beta=1)
    torch.testing.assert_close(near_zero, forward, rtol=1e-4, atol=1e-8)
    torch.testing.assert_close(near_one, reverse, rtol=1e-4, atol=1e-8)
    torch.testing.assert_close(forward, divergence(teacher, student))


def test_the_loss_jumps_at_the_ends():
    student, teacher = logits(3)
    for end, near in ((0.0, 1e-9), (1.0, 1 - 1e-9)):
        assert loss_of(student, teacher, beta=end) > 0.1
        assert loss_of(student, teacher, beta=near) < 1e-6


@given(st.integers(0, 50), BETAS, st.floats(-20, 20), st.floats(0.5, 3))
def test_a_constant_added_to_a_position_changes_nothing(seed, beta, shift, temperature):
    student, teacher = logits(seed)
    before = loss_of(student, teacher, beta=beta, temperature=temperature)
    after = loss_of(student + shift, teacher - shift, beta=beta, temperature=temperature)
    torch.testing.assert_close(after, before, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("beta", [0, 0.4, 1])
def test_a_token_that_both_exclude_changes_nothing(beta):
    student, teacher = logits(5)
    expected = loss_of(student, teacher, beta=beta)
    excluded = torch.full((2, 3, 1), -torch.inf, dtype=torch.float64)
    leaf = student.clone().requires_grad_()
    got = loss_of(
        torch.cat([leaf, excluded], dim=2), torch.cat([teacher, excluded], dim=2), beta=beta
    )
    torch.testing.assert_close(got, expected)
    (gradient,) = torch.autograd.grad(got, leaf)
    other = student.clone().requires_grad_()
    (plain,) = torch.autograd.grad(loss_of(other, teacher, beta=beta), other)
    torch.testing.assert_close(gradient, plain)


def test_what_the_student_may_say_and_the_teacher_never_does_is_infinitely_wrong_in_reverse():
    student = torch.zeros(1, 1, 2)
    teacher = torch.tensor([[[0.0, -torch.inf]]])
    one = torch.ones(1, 1)
    reverse, _ = gkd(student, teacher, one, beta=1, temperature=1.0, aggregation=token_mean)
    forward, _ = gkd(student, teacher, one, beta=0, temperature=1.0, aggregation=token_mean)
    assert reverse.item() == math.inf
    assert forward.item() == pytest.approx(math.log(2))


@pytest.mark.parametrize(
    ("changed", "constants", "message"),
    [
        ({"teacher_logits": torch.zeros(2, 3, 5)}, {}, r"teacher_logits has shape \[2, 3, 5\]"),
        ({"student_logits": torch.zeros(2, 3)}, {}, r"student_logits is torch.float32 \[2, 3\]"),
        ({"mask": torch.ones(2, 4)}, {}, r"mask has shape \[2, 4\]; it must be \[2, 3\]"),
        ({}, {"beta": 1.5}, "beta is 1.5; it must be from 0"),
        ({}, {"temperature": 0.0}, "temperature is 0.0"),
    ],
)
def test_errors_say_what_was_given(changed, constants, message):
    student, teacher = logits(0)
    given_ = {"student_logits": student, "teacher_logits": teacher, "mask": MASK} | changed
    with pytest.raises(ValueError, match=message):
        gkd(**given_, **({"beta": 0.5, "temperature": 1.0} | constants), aggregation=token_mean)
