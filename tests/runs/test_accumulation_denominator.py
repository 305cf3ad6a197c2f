from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.runs import accumulation_denominator as run

START = torch.tensor(run.START, dtype=torch.float64)


@given(st.integers(0, 50))
def test_answers_are_as_long_as_their_kind(seed):
    ids, mask = run.answers(seed, run.LONG)
    lengths = mask.sum(dim=1)
    short = (lengths >= run.SHORT[0]) & (lengths <= run.SHORT[1])
    long = (lengths >= run.LONG[0]) & (lengths <= run.LONG[1])
    assert short.sum() == long.sum() == run.ANSWERS // 2
    assert (mask[:, 0] == 0).all()
    assert ids.shape == mask.shape


def test_answers_of_one_length():
    _, mask = run.answers(0, None)
    assert (mask.sum(dim=1) == run.SHORT[1]).all()


def test_gradient_by_hand():
    # Two answers: one token 0, and three tokens 1, 1, 0; the policy says 0 with probability 1/4.
    ids = torch.tensor([[1, 0, 1, 1], [1, 1, 1, 0]])
    mask = torch.tensor([[0, 1, 0, 0], [0, 1, 1, 1]])
    logits = torch.tensor([0.0, 3.0], dtype=torch.float64)
    logits[1] = torch.log(logits[1])
    parts = [slice(0, 1), slice(1, 2)]
    # Predicted less observed frequency of token 0: over all tokens 1/4 - 2/4; answer by answer
    # 1/4 - 1 and 1/4 - 1/3, averaged -5/12.
    shared = run.gradient(logits, ids, mask, parts, shared=True)
    averaged = run.gradient(logits, ids, mask, parts, shared=False)
    assert shared.tolist() == pytest.approx([-1 / 4, 1 / 4])
    assert averaged.tolist() == pytest.approx([-5 / 12, 5 / 12])


@given(st.integers(0, 30), st.sampled_from(run.SIZES))
def test_one_denominator_gives_the_gradient_of_the_whole_batch(seed, size):
    ids, mask = run.answers(seed, run.LONG)
    parts = [slice(at, at + size) for at in range(0, run.ANSWERS, size)]
    whole = run.gradient(START, ids, mask, [slice(None)], shared=False)
    shared = run.gradient(START, ids, mask, parts, shared=True)
    torch.testing.assert_close(shared, whole, rtol=1e-12, atol=1e-14)


def test_what_is_learned_with_one_denominator_is_the_frequency():
    ids, mask = run.answers(0, run.LONG)
    parts = [slice(at, at + 16) for at in range(0, run.ANSWERS, 16)]
    frequency = ((ids == 0) & (mask == 1)).sum() / mask.sum()
    assert run.learn(ids, mask, parts, 20, shared=True) == pytest.approx(frequency.item(), abs=1e-4)
