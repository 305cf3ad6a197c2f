from __future__ import annotations

import math

import pytest
import torch

from evidence_matrix.runs import clip_entropy as run


def test_places_repeat_a_context_or_use_each_once():
    random = torch.Generator().manual_seed(0)
    repeated = run.REGIMES["repeated"].places(random)
    assert repeated.shape == (64 * 16, 1)
    assert torch.equal(repeated.flatten().bincount(), torch.full((64,), 16))
    unrepeated = run.REGIMES["unrepeated"].places(random)
    assert unrepeated.shape == (16 * 8, 8)
    assert torch.equal(unrepeated.flatten().bincount(), torch.ones(1024, dtype=torch.long))


def test_measures_of_a_uniform_policy():
    got = run.measure(torch.zeros(3, run.TOKENS, dtype=torch.float64))
    assert got["entropy"] == pytest.approx(math.log(12))
    assert got["entropy_of_right"] == pytest.approx(math.log(4))
    assert got["pass_rate"] == pytest.approx(4 / 12)


def test_a_measure_at_the_pass_rate_lies_between_two_batches():
    found = [
        {"pass_rate": 0.5, "entropy": 2.0},
        {"pass_rate": 0.7, "entropy": 1.0},
        {"pass_rate": 0.6, "entropy": 9.0},
    ]
    # The goal of 0.6 is half way from 0.5 to 0.7.
    assert run.at_pass_rate(found, "entropy", 0.6) == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("rates", "message"),
    [((0.4, 0.5), r"does not cross 0\.6: from 0\.4 to 0\.5"), ((0.7, 0.9), "does not cross")],
)
def test_a_pass_rate_that_is_not_crossed_is_said(rates, message):
    found = [{"pass_rate": rate, "x": 0.0} for rate in rates]
    with pytest.raises(ValueError, match=message):
        run.at_pass_rate(found, "x", 0.6)


def test_a_wider_clip_holds_fewer_samples():
    regime = run.REGIMES["unrepeated"]
    held = [run.train(0, 2, regime, high)[-1]["clipped"] for high in (0.2, 0.4)]
    assert held[0] > held[1] > 0
