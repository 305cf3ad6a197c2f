r"""Whether wrong answers grow longer when each answer's loss is divided by its length.

A policy writes one token after another and only chooses, at each, whether to stop. Whether an
answer will be right is decided by chance before its first token and known to the policy, which has
one stop probability for right and one for wrong answers. Length has no influence on the reward, so
the true gradient of the expected reward is exactly zero, and an unbiased objective leaves lengths
alone.

With $p$ the stop probability, the gradient of the log-probability of an answer of $n$ tokens in
the stop logit is $1-pn$, whose mean is 0. Divided by the length it is $1/n-p$, whose mean is above
0: wrong answers, with their negative advantage, then learn not to stop, and right ones to stop
sooner.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

from evidence_matrix.objectives.dr_grpo import dr_grpo, dr_grpo_advantages
from evidence_matrix.objectives.grpo import grpo, grpo_advantages
from evidence_matrix.runs.outcome import command_line, spread

LONGEST = 64
START = 10.0
"""Mean length at the start, if answers could go on forever; also Dr. GRPO's constant."""
GROUP = 8
PROMPTS = 32
RATE = 0.5
RIGHT = 0.5
ARMS = {
    "grpo": (True, True),
    "length_only": (True, False),
    "deviation_only": (False, True),
    "dr_grpo": (False, False),
}
"""Whether the loss is divided by the answer's length, and the advantage by the deviation."""


def program(*, seeds: Sequence[int] = range(10), steps: int = 100) -> dict[str, Any]:
    """Mean lengths at the end, by objective and outcome, and the mean bias at the start."""
    ends = {name: [train(seed, steps, *arm) for seed in seeds] for name, arm in ARMS.items()}
    start = expected_length(torch.logit(torch.tensor(1 / START, dtype=torch.float64)))
    ratios = [grpo[0] / dr[0] for grpo, dr in zip(ends["grpo"], ends["dr_grpo"], strict=True)]
    return {
        "start": {"length": start, "drift_of_log_probability_per_length": drift()},
        "wrong_length": {name: spread(wrong for wrong, _ in end) for name, end in ends.items()},
        "right_length": {name: spread(right for _, right in end) for name, end in ends.items()},
        "ratio": spread(ratios),
        "steps": steps,
    }


def train(seed: int, steps: int, by_length: bool, by_deviation: bool) -> tuple[float, float]:
    """Mean length of wrong and of right answers after `steps` updates, each on new samples."""
    random = torch.Generator().manual_seed(seed)
    logit = torch.logit(torch.full((2,), 1 / START, dtype=torch.float64)).requires_grad_()
    group = torch.arange(PROMPTS).repeat_interleave(GROUP)
    for _ in range(steps):
        right = (torch.rand(len(group), generator=random) < RIGHT).long()
        stop, mask = sample(torch.sigmoid(logit.detach())[right], random)
        chosen = torch.where(stop, logsigmoid(logit)[right, None], logsigmoid(-logit)[right, None])
        rewards = right.double()
        if by_deviation:
            advantages = grpo_advantages(rewards, group, std_eps=1e-6, correction=1)
        else:
            advantages = dr_grpo_advantages(rewards, group)
        given = (chosen, chosen.detach(), advantages[:, None].expand_as(chosen), mask)
        if by_length:
            loss, _ = grpo(*given[:2], given[1], *given[2:], clip_low=0.2, clip_high=0.2, kl_coef=0)
        else:
            loss, _ = dr_grpo(*given, clip_low=0.2, clip_high=0.2, length=START)
        (gradient,) = torch.autograd.grad(loss, logit)
        with torch.no_grad():
            logit -= RATE * gradient
    wrong, good = (expected_length(each) for each in logit.detach())
    return wrong, good


def sample(stop_probability: Tensor, random: torch.Generator) -> tuple[Tensor, Tensor]:
    """Where each answer stops `[B, T]`, and which tokens it has; the longest are cut off."""
    draws = torch.rand(len(stop_probability), LONGEST, generator=random, dtype=torch.float64)
    stop = draws < stop_probability[:, None]
    before = stop.cumsum(dim=1) - stop.long()
    return stop, (before == 0).long()


def expected_length(logit: Tensor) -> float:
    """Mean length of an answer that is cut off at `LONGEST`: $(1-(1-p)^L)/p$."""
    p = torch.sigmoid(logit)
    return float((1 - (1 - p) ** LONGEST) / p)


def drift() -> float:
    """Mean of $1/n-p$ at the start, summed over lengths: what division by length adds."""
    p = torch.tensor(1 / START, dtype=torch.float64)
    n = torch.arange(1, LONGEST + 1, dtype=torch.float64)
    probability = p * (1 - p) ** (n - 1)
    probability[-1] = (1 - p) ** (LONGEST - 1)
    # An answer that is cut off may end in a token that did not stop.
    stopped = torch.ones_like(n)
    stopped[-1] = p
    return float((probability * (stopped / n - p)).sum())


if __name__ == "__main__":
    command_line(program, __doc__ or "")
