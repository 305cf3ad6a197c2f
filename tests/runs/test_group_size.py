from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.runs import group_size as run


def test_uniform_groups_expected_by_hand():
    # Pass rates of 1/2 and, with a logit of ln 7 against seven others, 1/2 again; then 1/8.
    logits = torch.zeros(2, 8, dtype=torch.float64)
    logits[0, 0] = torch.log(torch.tensor(7.0))
    half, eighth = 2 * 0.5**4, (1 / 8) ** 4 + (7 / 8) ** 4
    assert run.expected_uniform(logits, 4) == pytest.approx((half + eighth) / 2)


@given(st.integers(0, 20))
def test_larger_groups_are_uniform_less_often(seed):
    shares = [run.expected_uniform(run.start(seed), size) for size in run.SIZES]
    assert shares == sorted(shares, reverse=True)


def test_groups_drawn_at_the_start_are_uniform_as_often_as_expected():
    drawn = run.train(0, 10, 8)["uniform_at_first"]
    # 64 groups: two standard errors are an eighth.
    assert drawn == pytest.approx(run.expected_uniform(run.start(0), 8), abs=0.13)


def test_what_is_learned_raises_the_pass_rate():
    assert run.train(0, 20, 16)["pass_rate_gain"] > 0.02
