r"""What learning from samples of an older policy costs, and what three remedies keep.

Samples come from the policy as it was some batches ago. PPO clips the ratio to *that* policy, so
that what has moved since may not move on. Decoupled PPO clips around the policy at the start of
the batch and weighs each sample by how much likelier it has become since it was drawn. The
double-sided mask of SAO weighs likewise and drops samples whose weight is out of bounds. Samples
may also be taken for fresh ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from evidence_matrix.objectives.advantages import group_centered
from evidence_matrix.objectives.aggregation import token_mean
from evidence_matrix.objectives.decoupled_ppo import decoupled_ppo, unbounded
from evidence_matrix.objectives.ppo import ppo_policy
from evidence_matrix.objectives.sao import sao
from evidence_matrix.runs.outcome import command_line, spreads

LAGS = (0, 4, 16, 64)
CONTEXTS = 128
TOKENS = 8
GROUP = 8
UPDATES = 2
"""Updates on each batch of samples."""
RATE = 0.5
"""How far one sample of advantage 1 moves a logit in one update, over its group."""
GOAL = 0.8
CLIP = {"clip_low": 0.2, "clip_high": 0.2}
INTERVAL = {"clip_low": 0.5, "clip_high": 1.0}

Loss = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]
"""From current, batch-start and sampling log-probabilities, advantages and mask."""


def uncorrected(now: Tensor, _: Tensor, __: Tensor, advantages: Tensor, mask: Tensor) -> Tensor:
    """The policy gradient, as if the current policy had sampled."""
    return -token_mean(advantages * now, mask)


def clipped_at_sampler(
    now: Tensor, _: Tensor, sampler: Tensor, advantages: Tensor, mask: Tensor
) -> Tensor:
    """PPO, whose old policy is the one that sampled."""
    return ppo_policy(
        now, sampler, advantages, mask, **CLIP, dual_clip=None, aggregation=token_mean
    )[0]


def clipped_at_batch(
    now: Tensor, start: Tensor, sampler: Tensor, advantages: Tensor, mask: Tensor
) -> Tensor:
    """Decoupled PPO, whose proximal policy is the one at the start of the batch."""
    return decoupled_ppo(
        now, start, sampler, advantages, mask, **CLIP, bound=unbounded, aggregation=token_mean
    )[0]


def double_sided(
    now: Tensor, _: Tensor, sampler: Tensor, advantages: Tensor, mask: Tensor
) -> Tensor:
    """SAO's loss with a detached weight."""
    return sao(now, sampler, advantages, mask, **INTERVAL, detach_weight=True)[0]


ARMS: dict[str, Loss] = {
    "uncorrected": uncorrected,
    "ppo": clipped_at_sampler,
    "decoupled": clipped_at_batch,
    "sao_mask": double_sided,
}


def program(
    *, seeds: Sequence[int] = range(8), batches: int = 150, lags: Sequence[int] = LAGS
) -> dict[str, Any]:
    """By lag and objective: pass rate, samples without gradient, and batches to the goal."""
    result: dict[str, Any] = {"batches": batches, "goal": GOAL}
    for lag in lags:
        result[f"lag_{lag}"] = {}
        for name, loss in ARMS.items():
            ends = [train(seed, batches, lag, loss) for seed in seeds]
            result[f"lag_{lag}"][name] = spreads(ends)
    return result


def train(seed: int, batches: int, lag: int, objective: Loss) -> dict[str, float]:
    """Pass rate at the end, batches until `GOAL` (all if never), and share of idle samples."""
    random = torch.Generator().manual_seed(seed)
    logits = torch.randn(CONTEXTS, TOKENS, generator=random, dtype=torch.float64).requires_grad_()
    group = torch.arange(CONTEXTS).repeat_interleave(GROUP)
    mask = torch.ones(len(group), 1)
    versions = [logits.detach().clone()]
    idle, reached = 0.0, float(batches)
    for batch in range(batches):
        sampling = versions[max(0, batch - lag)].log_softmax(dim=1)
        tokens = torch.multinomial(sampling.exp(), GROUP, replacement=True, generator=random)
        tokens = tokens.reshape(-1, 1)
        advantages = group_centered((tokens[:, 0] == 0).double(), group)[:, None]
        sampler = sampling[group].gather(1, tokens)
        start = versions[-1].log_softmax(dim=1)[group].gather(1, tokens)
        informed = advantages != 0
        for _ in range(UPDATES):
            now = logits.log_softmax(dim=1)[group].gather(1, tokens)
            loss = objective(now, start, sampler, advantages, mask)
            gradient, at_samples = torch.autograd.grad(loss, (logits, now))
            with torch.no_grad():
                logits -= RATE * CONTEXTS * gradient
            still = (at_samples == 0) & informed
            idle += float(still.sum() / informed.sum().clamp(min=1)) / (batches * UPDATES)
        versions.append(logits.detach().clone())
        if reached == batches and pass_rate(logits) >= GOAL:
            reached = float(batch + 1)
    return {"pass_rate": pass_rate(logits), "idle": idle, "batches_to_goal": reached}


def pass_rate(logits: Tensor) -> float:
    """Mean probability of the right token, which is the first."""
    return float(logits.detach().softmax(dim=1)[:, 0].mean())


if __name__ == "__main__":
    command_line(program, __doc__ or "")
