from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from laws import (
    Setting,
    a_fully_masked_row_changes_nothing,
    an_empty_mask_is_refused,
    data_gets_no_gradient,
    gradient_equals_central_differences,
    masked_positions_are_dead,
    name_of,
    parts_add_up_with_the_global_denominator,
    precision_is_kept,
    row_order_does_not_matter,
    rows,
    tokens,
)

from evidence_matrix.objectives.aggregation import sequence_mean_token_mean, token_mean
from evidence_matrix.objectives.sft import sft

LOSS_MASK = torch.tensor([[0, 0, 1, 1], [0, 1, 0, 1]])
IDS = torch.tensor([[2, 0, 1, 2], [1, 0, 1, 1]])


def logits(seed: int = 0, shape: tuple[int, ...] = (2, 4, 3)) -> torch.Tensor:
    return torch.randn(shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def predicting(loss_mask: torch.Tensor) -> torch.Tensor:
    """1 at positions whose logits predict a token that counts: the mask, one place earlier."""
    return torch.cat([loss_mask[:, 1:], torch.zeros_like(loss_mask[:, :1])], dim=1)


def shifted(aggregation):
    """The loss for laws: `mask` covers the *positions of logits*, and is shifted to tokens."""

    def loss(logits, input_ids, mask, denominator=None):
        loss_mask = torch.cat([torch.zeros_like(mask[:, :1]), mask[:, :-1]], dim=1)
        return sft(logits, input_ids, loss_mask, aggregation=aggregation, denominator=denominator)[
            0
        ]

    return loss


SHIFT_LAWS = (
    gradient_equals_central_differences,
    masked_positions_are_dead,
    row_order_does_not_matter,
    data_gets_no_gradient,
    precision_is_kept,
    parts_add_up_with_the_global_denominator,
    a_fully_masked_row_changes_nothing,
    an_empty_mask_is_refused,
)


@pytest.mark.parametrize("law", SHIFT_LAWS, ids=name_of)
@pytest.mark.parametrize(
    ("aggregation", "count"), [(token_mean, tokens), (sequence_mean_token_mean, rows)]
)
def test_law(law, aggregation, count):
    tensors = {"logits": logits(), "input_ids": IDS, "mask": predicting(LOSS_MASK)}
    law(Setting(shifted(aggregation), tensors, leaves=("logits",), count=count))


def test_loss_and_gradient_are_those_of_torch_cross_entropy(vector):
    case = vector("sft-token-mean-0")
    leaf = case.leaf("logits")
    loss, _ = sft(leaf, case["input_ids"], case["loss_mask"], aggregation=token_mean)
    case.check_loss(loss, logits=leaf)


def test_reading_position_t_for_token_t_gives_another_number(vector):
    case = vector("sft-token-mean-0")
    ahead = torch.cat([case["logits"][:, 1:], case["logits"][:, :1]], dim=1)
    loss, _ = sft(ahead, case["input_ids"], case["loss_mask"], aggregation=token_mean)
    assert abs(loss.item() - case.record["outputs"]["loss"]) == pytest.approx(0.25903367)


def test_hand_worked():
    # Probabilities 1/2, 1/4, 1/4 at position 0; 1/8, 1/8, 3/4 at position 1.
    z = torch.tensor([[[2.0, 1.0, 1.0], [1.0, 1.0, 6.0], [9.0, 9.0, 9.0]]]).double().log()
    ids = torch.tensor([[0, 1, 2]])
    loss, stats = sft(z, ids, torch.tensor([[0, 1, 1]]), aggregation=token_mean)
    # Token 1 has probability 1/4 at position 0, token 2 has 3/4 at position 1.
    first, second = math.log(4), math.log(4 / 3)
    assert loss.item() == pytest.approx((first + second) / 2)
    assert stats["log_prob"].item() == pytest.approx(-(first + second) / 2)
    # Only token 2 was the likeliest where it stands.
    assert stats["accuracy"].item() == 0.5


def test_gradient_is_softmax_minus_one_hot_over_the_tokens_that_count():
    z = logits().requires_grad_()
    loss, _ = sft(z, IDS, LOSS_MASK, aggregation=token_mean)
    (gradient,) = torch.autograd.grad(loss, z)
    # Tokens that count: (0, 2), (0, 3), (1, 1), (1, 3); each is predicted one place earlier.
    expected = torch.zeros_like(z)
    for row, token in [(0, 2), (0, 3), (1, 1), (1, 3)]:
        softmax = z[row, token - 1].detach().softmax(dim=0)
        one_hot = torch.nn.functional.one_hot(IDS[row, token], 3)
        expected[row, token - 1] = (softmax - one_hot) / 4
    torch.testing.assert_close(gradient, expected, rtol=1e-12, atol=1e-15)
    assert gradient.sum(dim=2).abs().max() < 1e-15


def test_uniform_logits_cost_the_log_of_the_vocabulary():
    loss, _ = sft(torch.zeros(2, 4, 3).double(), IDS, LOSS_MASK, aggregation=token_mean)
    assert loss.item() == pytest.approx(math.log(3), abs=1e-15)


@given(st.integers(0, 50), st.lists(st.floats(-30, 30), min_size=8, max_size=8))
def test_a_constant_added_to_a_position_changes_nothing(seed, shifts):
    z = logits(seed)
    moved = z + torch.tensor(shifts, dtype=torch.float64).reshape(2, 4, 1)
    before, after = (sft(x, IDS, LOSS_MASK, aggregation=token_mean)[0] for x in (z, moved))
    torch.testing.assert_close(after, before, rtol=1e-12, atol=1e-12)


@given(st.integers(0, 50))
def test_token_mean_lets_a_long_answer_weigh_more_than_the_mean_of_means(seed):
    z = logits(seed)
    mask = torch.tensor([[0, 1, 1, 1], [0, 1, 0, 0]])
    by_token, _ = sft(z, IDS, mask, aggregation=token_mean)
    one, _ = sft(z[:1], IDS[:1], mask[:1], aggregation=token_mean)
    two, _ = sft(z[1:], IDS[1:], mask[1:], aggregation=token_mean)
    by_answer, _ = sft(z, IDS, mask, aggregation=sequence_mean_token_mean)
    torch.testing.assert_close(by_token, (3 * one + two) / 4, rtol=1e-12, atol=0)
    torch.testing.assert_close(by_answer, (one + two) / 2, rtol=1e-12, atol=0)


def test_masked_ids_may_be_anything():
    ids = IDS.masked_fill(LOSS_MASK == 0, -100)
    got, _ = sft(logits(), ids, LOSS_MASK, aggregation=token_mean)
    expected, _ = sft(logits(), IDS, LOSS_MASK, aggregation=token_mean)
    assert torch.equal(got, expected)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"logits": torch.zeros(2, 4)}, r"logits is torch.float32 \[2, 4\]"),
        ({"input_ids": IDS[:, :3]}, r"input_ids has shape \[2, 3\]; it must be \[2, 4\]"),
        ({"loss_mask": LOSS_MASK[:1]}, r"loss_mask has shape \[1, 4\]"),
        ({"loss_mask": LOSS_MASK * 2}, "loss_mask must hold only 0 and 1"),
        ({"loss_mask": torch.ones(2, 4)}, "keeps the first token of a row"),
        ({"input_ids": IDS + 3}, "outside the vocabulary of 3"),
    ],
)
def test_errors_say_what_was_given(changed, message):
    given_ = {"logits": logits(), "input_ids": IDS, "loss_mask": LOSS_MASK, **changed}
    with pytest.raises(ValueError, match=message):
        sft(**given_, aggregation=token_mean)
