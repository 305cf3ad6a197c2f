r"""Whether a raised upper clip keeps entropy that a symmetric clip loses.

The argument for raising it: a likely token gains much probability before the clip at a symmetric
bound holds it, a rare one almost none, so exploration starves. How often the *same context* comes
up in a batch decides whether that happens. Here the same table of logits, with several right
tokens in every context, is trained in two regimes.

`repeated`: answers are one token, and all answers of a group come from one context. A likely right
token is sampled many times there and meets the clip first.

`unrepeated`: answers are several tokens, each in a context that comes up once in the batch. A
sampled token moves its own logit by $1-\pi$, so that rare tokens move most and meet the clip
first.

Policies that learn at different speed are compared at one pass rate, besides at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean as mean
from typing import Any

import torch
from torch import Tensor

from evidence_matrix.objectives.dapo import dapo, dapo_advantages
from evidence_matrix.runs.outcome import command_line, spread, spreads

TOKENS = 12
RIGHT = 4
"""The first so many tokens are right in every context."""
SHARPNESS = 2.0
"""Standard deviation of the logits at the start."""
UPDATES = 8
"""Updates on each batch of samples."""
CLIP_LOW = 0.2
CLIP_HIGH = {"symmetric": 0.2, "raised": 0.28, "doubled": 0.4, "unbounded": 1e6}
PASS_RATE = 0.6
"""Share of right tokens at which arms are compared."""


@dataclass(frozen=True)
class Regime:
    """How many groups of how many answers of how many tokens, and when an answer is right."""

    groups: int
    members: int
    length: int
    needed: int
    contexts: int
    rate: float

    @property
    def answers(self) -> int:
        """Answers in a batch."""
        return self.groups * self.members

    def places(self, random: torch.Generator) -> Tensor:
        """The context of each token of a batch, `[answers, length]`."""
        if self.contexts == self.groups:
            return torch.arange(self.groups).repeat_interleave(self.members)[:, None]
        return torch.randperm(self.contexts, generator=random).reshape(self.answers, self.length)


REGIMES = {
    "repeated": Regime(groups=64, members=16, length=1, needed=1, contexts=64, rate=0.05),
    "unrepeated": Regime(groups=16, members=8, length=8, needed=4, contexts=1024, rate=0.1),
}


def program(
    *, seeds: Sequence[int] = range(8), batches: int = 120, goal: float = PASS_RATE
) -> dict[str, Any]:
    """By regime and upper clip: what was measured at the end, and entropy at one pass rate."""
    return {"batches": batches, "compared_at": goal} | {
        name: _summary(
            {
                arm: [train(seed, batches, regime, high) for seed in seeds]
                for arm, high in CLIP_HIGH.items()
            },
            goal,
        )
        for name, regime in REGIMES.items()
    }


def train(seed: int, batches: int, regime: Regime, clip_high: float) -> list[dict[str, float]]:
    """What `measure` finds before the first batch and after each, and how often the clip held."""
    random = torch.Generator().manual_seed(seed)
    logits = SHARPNESS * torch.randn(regime.contexts, TOKENS, generator=random, dtype=torch.float64)
    logits.requires_grad_()
    group = torch.arange(regime.groups).repeat_interleave(regime.members)
    mask = torch.ones(regime.answers, regime.length)
    found = [measure(logits) | {"clipped": 0.0}]
    for _ in range(batches):
        places = regime.places(random)
        old = logits.detach().log_softmax(dim=1)[places]
        draws = torch.multinomial(old.exp().reshape(-1, TOKENS), 1, generator=random)
        tokens = draws.reshape(*places.shape, 1)
        right = (tokens[..., 0] < RIGHT).sum(dim=1) >= regime.needed
        scores = dapo_advantages(right.double(), group, std_eps=1e-6, correction=1)
        advantages = scores[:, None].expand(mask.shape)
        held = 0.0
        for _ in range(UPDATES):
            log_prob = logits.log_softmax(dim=1)[places].gather(2, tokens)[..., 0]
            loss, stats = dapo(
                log_prob,
                old.gather(2, tokens)[..., 0],
                advantages,
                mask,
                clip_low=CLIP_LOW,
                clip_high=clip_high,
                denominator=1,
            )
            (gradient,) = torch.autograd.grad(loss, logits)
            with torch.no_grad():
                logits -= regime.rate * gradient
            held += float(stats["clip_fraction"]) / UPDATES
        found.append(measure(logits) | {"clipped": held})
    return found


@torch.no_grad()
def measure(logits: Tensor) -> dict[str, float]:
    """Mean entropy of a token in nats, mean entropy among right tokens, and share of right ones."""
    log_prob = logits.log_softmax(dim=1)
    right = logits[:, :RIGHT].log_softmax(dim=1)
    return {
        "entropy": float(-(log_prob.exp() * log_prob).sum(dim=1).mean()),
        "entropy_of_right": float(-(right.exp() * right).sum(dim=1).mean()),
        "pass_rate": float(log_prob[:, :RIGHT].exp().sum(dim=1).mean()),
    }


def at_pass_rate(found: Sequence[dict[str, float]], name: str, goal: float) -> float:
    """The measure `name` where the pass rate first reaches `goal`, between two batches.

    Raises:
        ValueError: it never does, or is there from the start.

    """
    for before, after in pairwise(found):
        if before["pass_rate"] < goal <= after["pass_rate"]:
            share = (goal - before["pass_rate"]) / (after["pass_rate"] - before["pass_rate"])
            return before[name] + share * (after[name] - before[name])
    raise ValueError(
        f"the pass rate does not cross {goal}: from {found[0]['pass_rate']} to "
        f"{found[-1]['pass_rate']}"
    )


def _summary(arms: dict[str, list[list[dict[str, float]]]], goal: float) -> dict[str, Any]:
    summary: dict[str, Any] = {"start": spreads([found[0] for found in arms["symmetric"]])}
    for name, seeds in arms.items():
        summary[name] = spreads([found[-1] for found in seeds]) | {
            "clipped": spread(mean(each["clipped"] for each in found[1:]) for found in seeds),
            "entropy_at_equal_pass_rate": spread(
                at_pass_rate(found, "entropy", goal) for found in seeds
            ),
        }
    for arm in ("raised", "doubled", "unbounded"):
        pairs = list(zip(arms[arm], arms["symmetric"], strict=True))
        summary[f"{arm}_less_symmetric"] = {
            "entropy": spread(one[-1]["entropy"] - other[-1]["entropy"] for one, other in pairs),
            "pass_rate": spread(
                one[-1]["pass_rate"] - other[-1]["pass_rate"] for one, other in pairs
            ),
            "entropy_at_equal_pass_rate": spread(
                at_pass_rate(one, "entropy", goal) - at_pass_rate(other, "entropy", goal)
                for one, other in pairs
            ),
        }
    return summary


if __name__ == "__main__":
    command_line(program, __doc__ or "")
