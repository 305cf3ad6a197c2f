r"""How large a group should be, when uniform groups teach nothing.

A group whose answers are all right or all wrong has no advantage: its rollouts are spent for
nothing. With pass rate $p$ that happens with probability $p^G+(1-p)^G$. Large groups are rarely
uniform, but few of them fit into a budget of rollouts. Three things are counted: the share of
uniform groups, rollouts spent for each group that is of use, and what is learned from the same
number of rollouts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from evidence_matrix.objectives.dapo import dapo_advantages, dynamic_sampling
from evidence_matrix.objectives.grpo import grpo
from evidence_matrix.runs.outcome import command_line, spread, spreads

SIZES = (2, 4, 8, 16, 32, 64)
PROMPTS = 512
TOKENS = 8
"""Answers that a prompt may get; one of them is right."""
BUDGET = 512
"""Rollouts in each batch, whatever the size of a group."""
RATE = 0.1
"""How far one rollout of advantage 1 moves a logit at most."""
HARDNESS = (-1.0, 2.0)
"""Mean and deviation of the right answer's logit at the start; the others are 0."""


def program(*, seeds: Sequence[int] = range(10), batches: int = 150) -> dict[str, Any]:
    """By group size: uniform groups drawn and expected, cost of a useful one, and learning."""
    result: dict[str, Any] = {"batches": batches, "rollouts_a_batch": BUDGET}
    for size in SIZES:
        ends = [train(seed, batches, size) for seed in seeds]
        expected = [expected_uniform(start(seed), size) for seed in seeds]
        result[f"size_{size}"] = {
            "expected_uniform": spread(expected),
            "rollouts_for_a_useful_group": spread(size / (1 - share) for share in expected),
        } | spreads(ends)
    gains = {size: result[f"size_{size}"]["pass_rate_gain"]["mean"] for size in SIZES}
    costs = {size: result[f"size_{size}"]["rollouts_for_a_useful_group"]["mean"] for size in SIZES}
    result["learned_most_at"] = max(gains, key=lambda size: gains[size])
    result["cheapest_useful_group_at"] = min(costs, key=lambda size: costs[size])
    return result


def start(seed: int) -> Tensor:
    """Logits of prompts between easy and hopeless, `[PROMPTS, TOKENS]`; answer 0 is right."""
    random = torch.Generator().manual_seed(seed)
    mean, deviation = HARDNESS
    logits = torch.zeros(PROMPTS, TOKENS, dtype=torch.float64)
    logits[:, 0] = mean + deviation * torch.randn(PROMPTS, generator=random, dtype=torch.float64)
    return logits


def expected_uniform(logits: Tensor, size: int) -> float:
    """Share of groups that come out uniform, by the pass rates of all prompts."""
    p = logits.softmax(dim=1)[:, 0]
    return float((p**size + (1 - p) ** size).mean())


def train(seed: int, batches: int, size: int) -> dict[str, float]:
    """Pass rate gained, and shares of uniform groups in the first and the last tenth."""
    random = torch.Generator().manual_seed(seed + 1_000_000)
    logits = start(seed).requires_grad_()
    before = float(logits.detach().softmax(dim=1)[:, 0].mean())
    uniform = []
    for _ in range(batches):
        prompts = torch.randperm(PROMPTS, generator=random)[: BUDGET // size]
        group = prompts.repeat_interleave(size)
        old = logits.detach().log_softmax(dim=1)[prompts]
        answers = torch.multinomial(old.exp(), size, replacement=True, generator=random)
        answers = answers.reshape(-1, 1)
        rewards = (answers[:, 0] == 0).double()
        useful = dynamic_sampling(rewards, group)
        uniform.append(1 - float(useful.double().mean()))
        advantages = dapo_advantages(rewards, group, std_eps=1e-6, correction=1)[:, None]
        log_prob = logits.log_softmax(dim=1)[group].gather(1, answers)
        loss, _ = grpo(
            log_prob,
            log_prob.detach(),
            log_prob.detach(),
            advantages,
            torch.ones(len(group), 1),
            clip_low=0.2,
            clip_high=0.2,
            kl_coef=0.0,
            # Every rollout has one weight, whatever the size of its group.
            denominator=1,
        )
        (gradient,) = torch.autograd.grad(loss, logits)
        with torch.no_grad():
            logits -= RATE * gradient
    tenth = max(1, batches // 10)
    return {
        "pass_rate_gain": float(logits.detach().softmax(dim=1)[:, 0].mean()) - before,
        "uniform_at_first": sum(uniform[:tenth]) / tenth,
        "uniform_at_last": sum(uniform[-tenth:]) / tenth,
    }


if __name__ == "__main__":
    command_line(program, __doc__ or "")
