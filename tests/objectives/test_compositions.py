"""Published objectives without a file of their own, composed from the shared pieces."""

from __future__ import annotations

import torch
from batches import close

from evidence_matrix.objectives.aggregation import sequence_mean_token_mean, token_mean
from evidence_matrix.objectives.ratios import (
    binding,
    clipped_surrogate,
    log_ratio,
    row_mean,
    token_ratio,
)


def test_clip_cov_detaches_the_tokens_whose_covariance_is_high(vector):
    case = vector("clipcov-lb0.2")
    log_prob, advantages, keep = case.leaf("log_prob"), case["advantages"], case["mask"] == 1
    band = {"clip_low": 0.2, "clip_high": 0.2}
    ratio = token_ratio(log_prob, case["old_log_prob"], keep)
    mean_advantage = token_mean(advantages, keep)
    mean_log_prob = token_mean(log_prob.detach(), keep)
    covariance = (advantages - mean_advantage) * (log_prob.detach() - mean_log_prob)
    dropped = (covariance > 0.2) & (covariance < 5.0)
    dropped &= ~binding(ratio, advantages, **band)
    surrogate = clipped_surrogate(ratio, advantages, **band)
    loss = -token_mean(torch.where(dropped, 0, surrogate), keep)
    case.check_loss(loss, log_prob=log_prob)


def test_gmpo_clips_the_log_ratio_of_tokens_before_the_geometric_mean(vector):
    case = vector("gmpo-log-clip")
    log_prob, keep = case.leaf("log_prob"), case["mask"] == 1
    sign = case["advantages"].sign()
    signed = sign * log_ratio(log_prob, case["old_log_prob"], keep)
    held = sign * torch.minimum(signed, signed.clamp(-0.4, 0.4))
    advantage = row_mean(case["advantages"], keep)
    surrogate = row_mean(held, keep).exp() * advantage
    loss = -sequence_mean_token_mean(surrogate[:, None], keep.any(dim=1, keepdim=True))
    case.check_loss(loss, log_prob=log_prob)
    assert (advantage != 0).all()
    close(loss, loss.item())
