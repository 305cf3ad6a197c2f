from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.objectives.muonclip import (
    clip_factors,
    max_logits,
    muonclip,
    qk_clip,
    qk_clip_latent,
)
from evidence_matrix.objectives.orthogonal import orthogonal_step

CAUSAL = torch.ones(5, 5).tril()
STEP = {
    "learning_rate": 0.02,
    "weight_decay": 0.1,
    "momentum_decay": 0.95,
    "averaged": False,
    "nesterov": False,
    "steps": 5,
    "coefficients": (3.4445, -4.775, 2.0315),
    "rms_scale": 0.2,
}


def layer(seed: int, *, scale: float = 1.0) -> tuple[torch.Tensor, ...]:
    """Inputs `[N, T, D]` of a small batch, and query and key weights `[H, d, D]`."""
    random = torch.Generator().manual_seed(seed)
    x = torch.randn(2, 5, 4, dtype=torch.float64, generator=random)
    weights = [torch.randn(3, 2, 4, dtype=torch.float64, generator=random) for _ in range(2)]
    return x, scale * weights[0], scale * weights[1]


def logits_of(x: torch.Tensor, query_weight: torch.Tensor, key_weight: torch.Tensor):
    query, key = (torch.einsum("...td,hed->...hte", x, w) for w in (query_weight, key_weight))
    return max_logits(query, key, CAUSAL)


def test_clip_per_head_caps_the_largest_logit_and_leaves_other_heads(vector):
    case = vector("qkclip-per-head")
    x, wq, wk = case["x"], case["wq"], case["wk"]
    largest = logits_of(x, wq, wk)
    case.check("max_logit", largest)
    case.check("gamma", clip_factors(largest, threshold=20.0))
    query, key = qk_clip(wq, wk, largest, threshold=20.0, alpha=0.5)
    case.check("wq", query)
    case.check("wk", key)
    case.check("max_logit_after", logits_of(x, query, key))
    assert torch.equal(query[1], wq[1])
    assert torch.equal(key[1], wk[1])


def test_latent_attention_leaves_the_shared_rotary_key(vector):
    case = vector("qkclip-mla-split")
    s_max = case["s_max"].double()
    case.check("gamma", clip_factors(s_max, threshold=100.0))
    query, key, rotary = qk_clip_latent(
        case["q_c"], case["k_c"], case["q_r"], s_max, threshold=100.0
    )
    case.check("q_c", query)
    case.check("k_c", key)
    case.check("q_r", rotary)
    case.check("k_r", case["k_r"])
    # Content and rotary logits of a clipped head both shrink by gamma.
    content = (query[1] * key[1]).sum() / (case["q_c"][1] * case["k_c"][1]).sum()
    turned = (rotary[1] * case["k_r"]).sum() / (case["q_r"][1] * case["k_r"]).sum()
    assert content.item() == pytest.approx(0.4)
    assert turned.item() == pytest.approx(0.4)


def test_hand_worked_max_logits():
    # One head of width 4: q = (2, 0, 0, 0) and (0, 4, 0, 0); k = (3, 9, 0, 0) and (5, 1, 0, 0).
    query = torch.tensor([[[2.0, 0, 0, 0], [0, 4, 0, 0]]])
    key = torch.tensor([[[3.0, 9, 0, 0], [5, 1, 0, 0]]])
    # q k^T: 6 and 10, 36 and 4, halved by root 4. Causally query 0 sees key 0 alone.
    assert max_logits(query, key, torch.ones(2, 2).tril()).tolist() == [18.0]
    assert max_logits(query, key, torch.eye(2)).tolist() == [3.0]


def test_the_largest_logit_is_that_of_the_whole_batch():
    x, wq, wk = layer(0)
    together = logits_of(x, wq, wk)
    apart = torch.stack([logits_of(each[None], wq, wk) for each in x])
    assert torch.equal(together, apart.amax(dim=0))
    assert not torch.equal(together, apart.amin(dim=0))


@given(st.integers(0, 100), st.floats(0.1, 0.9), st.floats(0.05, 3))
def test_after_the_clip_no_logit_exceeds_the_threshold_and_clipped_heads_reach_it(
    seed, alpha, threshold
):
    x, wq, wk = layer(seed)
    before = logits_of(x, wq, wk)
    query, key = qk_clip(wq, wk, before, threshold=threshold, alpha=alpha)
    after = logits_of(x, query, key)
    expected = torch.where(before > threshold, threshold, before)
    torch.testing.assert_close(after, expected, rtol=1e-10, atol=1e-12)
    untouched = before <= threshold
    assert torch.equal(query[untouched], wq[untouched])
    assert torch.equal(key[untouched], wk[untouched])


@given(st.integers(0, 100), st.floats(0, 1))
def test_clipping_twice_is_clipping_once(seed, alpha):
    x, wq, wk = layer(seed)
    once = qk_clip(wq, wk, logits_of(x, wq, wk), threshold=0.5, alpha=alpha)
    # A rounding error above the threshold may be clipped by as much again.
    twice = qk_clip(*once, logits_of(x, *once), threshold=0.5, alpha=alpha)
    for first, second in zip(once, twice, strict=True):
        torch.testing.assert_close(second, first, rtol=1e-12, atol=0)


@given(st.lists(st.floats(-1000, 1000), min_size=1, max_size=6), st.floats(0.1, 200))
def test_factors_never_enlarge_and_negative_logits_are_no_reason_to_clip(values, threshold):
    largest = torch.tensor(values, dtype=torch.float64)
    factors = clip_factors(largest, threshold=threshold)
    assert ((factors > 0) & (factors <= 1)).all()
    assert (factors[largest <= threshold] == 1).all()


def test_alpha_says_who_bears_the_scaling():
    _, wq, wk = layer(0)
    largest = torch.full((3,), 4.0, dtype=torch.float64)
    query, key = qk_clip(wq, wk, largest, threshold=1.0, alpha=1.0)
    assert torch.equal(key, wk)
    torch.testing.assert_close(query, wq / 4)
    half = qk_clip(wq, wk, largest, threshold=1.0, alpha=0.5)
    torch.testing.assert_close(half[0], wq / 2)
    torch.testing.assert_close(half[1], wk / 2)


def full_step(seed: int, *, per_head: bool, largest: torch.Tensor, **changed):
    _, wq, wk = layer(seed)
    _, gq, gk = layer(seed + 1000)
    zero = torch.zeros_like(wq)
    constants = STEP | {"threshold": 100.0, "alpha": 0.5} | changed
    return muonclip(wq, wk, gq, gk, zero, zero, largest, per_head=per_head, **constants)


@given(st.integers(0, 30))
def test_a_step_is_muon_and_then_the_clip(seed):
    _, wq, wk = layer(seed)
    _, gq, gk = layer(seed + 1000)
    largest = torch.tensor([50.0, 200.0, 400.0], dtype=torch.float64)
    (query, key, query_after, _), stats = full_step(seed, per_head=True, largest=largest)
    for head, factor in enumerate((1.0, 0.5, 0.25)):
        zero = torch.zeros_like(wq[head])
        stepped, momentum = orthogonal_step(wq[head], gq[head], zero, **STEP)
        torch.testing.assert_close(query[head], stepped * math.sqrt(factor))
        torch.testing.assert_close(query_after[head], momentum)
        stepped, _ = orthogonal_step(wk[head], gk[head], zero, **STEP)
        torch.testing.assert_close(key[head], stepped * math.sqrt(factor))
    assert stats["clipped"].item() == pytest.approx(2 / 3)
    assert stats["least_factor"].item() == 0.25


@given(st.integers(0, 30))
def test_orthogonalizing_whole_projections_lets_a_large_head_set_the_direction(seed):
    largest = torch.zeros(3, dtype=torch.float64)
    _, wq, _ = layer(seed)
    (whole, *_), _ = full_step(seed, per_head=False, largest=largest)
    _, gq, _ = layer(seed + 1000)
    stepped, _ = orthogonal_step(
        wq.reshape(6, 4), gq.reshape(6, 4), torch.zeros(6, 4, dtype=torch.float64), **STEP
    )
    torch.testing.assert_close(whole, stepped.reshape(3, 2, 4))
    (by_head, *_), _ = full_step(seed, per_head=True, largest=largest)
    assert (whole - by_head).abs().max() > 1e-4


def test_nothing_is_changed_in_place():
    _, wq, wk = layer(0)
    _, gq, gk = layer(1)
    given_ = [wq, wk, gq, gk, torch.ones_like(wq), torch.ones_like(wk), torch.full((3,), 1e3)]
    kept = [each.clone() for each in given_]
    muonclip(*given_, per_head=True, **STEP, threshold=1.0, alpha=0.5)
    assert all(torch.equal(now, before) for now, before in zip(given_, kept, strict=True))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda w: qk_clip(w, w, torch.ones(2), threshold=1.0, alpha=0.5), r"max_logit has shape"),
        (lambda w: qk_clip(w, w, torch.ones(3), threshold=0.0, alpha=0.5), "threshold is 0.0"),
        (lambda w: max_logits(w, w[:2], torch.ones(2, 2)), r"key has shape \[2, 2, 4\]"),
        (
            lambda w: muonclip(
                w, w, w[:2], w, w, w, torch.ones(3), per_head=True, **STEP, threshold=1.0, alpha=1.0
            ),
            r"gradient has shape \[2, 2, 4\]",
        ),
    ],
)
def test_errors_say_what_was_given(call, message):
    with pytest.raises(ValueError, match=message):
        call(torch.ones(3, 2, 4))


def test_a_share_of_the_scaling_outside_0_to_1_is_an_error():
    weight = torch.ones(1, 2, 2)
    with pytest.raises(ValueError, match=r"alpha is 1\.5; it must be from 0 to 1"):
        qk_clip(weight, weight, torch.ones(1), threshold=1.0, alpha=1.5)
