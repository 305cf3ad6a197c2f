from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.runs import distillation_states as run


def student(seed: int) -> torch.Tensor:
    random = torch.Generator().manual_seed(seed)
    return torch.randn(run.DISTANCES, run.TOKENS, dtype=torch.float64, generator=random)


@given(st.integers(0, 50), st.integers(1, 60))
def test_occupancy_is_a_distribution(seed, length):
    share = run.occupancy(student(seed), length)
    assert share.sum().item() == pytest.approx(1)
    assert (share >= 0).all()


def test_occupancy_by_hand():
    # Good token 3/4: at distance 0 first; then 3/4 at 0, 1/4 at 1.
    logits = torch.zeros(run.DISTANCES, run.TOKENS, dtype=torch.float64)
    logits[:, 0] = torch.log(torch.tensor(12.0))
    share = run.occupancy(logits, 2)
    assert share[:3].tolist() == pytest.approx([(1 + 0.75) / 2, 0.25 / 2, 0])


def test_sampled_walks_spend_their_time_as_the_exact_shares_say():
    logits = student(3)
    random = torch.Generator().manual_seed(0)
    places = torch.cat([run.walk(logits, random)[0] for _ in range(100)])
    drawn = places.flatten().bincount(minlength=run.DISTANCES) / places.numel()
    torch.testing.assert_close(drawn.double(), run.occupancy(logits, run.LENGTH), rtol=0, atol=0.03)


def test_the_teacher_is_at_no_distance_from_itself():
    got = run.measure(run.teacher(), run.teacher())
    assert got["kl_on_teacher_states"] == 0
    assert got["on_task_8"] > got["on_task_512"] > 0.96


def test_every_way_of_distillation_brings_the_student_nearer():
    untrained = run.train(0, 0, "own_sequences")
    for arm in ("teacher_sequences", "own_sequences", "teacher_tokens"):
        trained = run.train(0, 20, arm)
        assert trained["kl_on_teacher_states"] < untrained["kl_on_teacher_states"] / 2
