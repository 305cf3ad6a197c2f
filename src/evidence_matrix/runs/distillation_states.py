r"""Whether it matters on whose sequences a student is distilled, if the loss is the same.

A walker has a distance from its task: a good token takes it one step closer, any other one step
away. The teacher nearly always chooses the good token, at every distance, and so is hardly ever
far away. A student that sees only the teacher's sequences hardly learns what to do far away; its
own mistakes then take it where it was not taught. Distilled on its own sequences it is taught
there first.

All students get the same number of positions. Two share the loss, full-vocabulary reverse KL, and
differ in whose sequences it is taken on; the third is fine-tuned on the teacher's tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from evidence_matrix.objectives.aggregation import token_mean
from evidence_matrix.objectives.opd import opd
from evidence_matrix.objectives.sft import sft
from evidence_matrix.runs.outcome import command_line, spread, spreads

DISTANCES = 8
TOKENS = 5
TEACHER = 0.97
"""Probability with which the teacher chooses the good token, at every distance."""
SEQUENCES = 16
LENGTH = 32
RATE = 4.0
HORIZONS = (8, 32, 128, 512)


def program(*, seeds: Sequence[int] = range(10), steps: int = 100) -> dict[str, Any]:
    """By way of distillation: divergence on either's states, and share of time on the task."""
    arms = ("teacher_sequences", "own_sequences", "teacher_tokens")
    ends = {arm: [train(seed, steps, arm) for seed in seeds] for arm in arms}
    result: dict[str, Any] = {"steps": steps, "teacher": measure(teacher(), teacher())}
    for arm, found in ends.items():
        result[arm] = spreads(found)
    for horizon in HORIZONS:
        name = f"on_task_{horizon}"
        pairs = zip(ends["own_sequences"], ends["teacher_sequences"], strict=True)
        result[f"gap_{horizon}"] = spread(own[name] - other[name] for own, other in pairs)
    return result


def teacher() -> Tensor:
    """Its logits `[DISTANCES, TOKENS]`; token 0 is the good one."""
    probabilities = torch.full(
        (DISTANCES, TOKENS), (1 - TEACHER) / (TOKENS - 1), dtype=torch.float64
    )
    probabilities[:, 0] = TEACHER
    return probabilities.log()


def train(seed: int, steps: int, arm: str) -> dict[str, float]:
    """What `measure` finds of the student after `steps` batches."""
    good = teacher()
    random = torch.Generator().manual_seed(seed + 1_000_000)
    student = 0.1 * torch.randn(DISTANCES, TOKENS, generator=random, dtype=torch.float64)
    student.requires_grad_()
    mask = torch.ones(SEQUENCES, LENGTH)
    one = torch.ones(SEQUENCES, 1, dtype=torch.float64)
    for _ in range(steps):
        walker = student.detach() if arm == "own_sequences" else good
        places, tokens = walk(walker, random)
        if arm == "teacher_tokens":
            # A first token that only opens the sequence, so that each place predicts the next.
            ids = torch.cat([torch.zeros(SEQUENCES, 1, dtype=torch.long), tokens], dim=1)
            wanted = torch.cat([torch.zeros(SEQUENCES, 1), mask], dim=1)
            padded = torch.cat([student[places], student[places[:, -1:]]], dim=1)
            loss, _ = sft(padded, ids, wanted, aggregation=token_mean)
        else:
            loss, _ = opd(student[places], good[places][None], one, mask, aggregation=token_mean)
        (gradient,) = torch.autograd.grad(loss, student)
        with torch.no_grad():
            student -= RATE * gradient
    return measure(student.detach(), good)


def walk(logits: Tensor, random: torch.Generator) -> tuple[Tensor, Tensor]:
    """Distances and tokens of sequences that a policy samples from distance 0, `[B, T]`."""
    place = torch.zeros(SEQUENCES, dtype=torch.long)
    places, tokens = [], []
    for _ in range(LENGTH):
        token = torch.multinomial(logits.softmax(dim=1)[place], 1, generator=random)[:, 0]
        places.append(place)
        tokens.append(token)
        place = torch.where(token == 0, place - 1, place + 1).clamp(0, DISTANCES - 1)
    return torch.stack(places, dim=1), torch.stack(tokens, dim=1)


def measure(student: Tensor, good: Tensor) -> dict[str, float]:
    """Divergence from the teacher on its and on the student's own places, and time on the task."""
    log_student, log_teacher = student.log_softmax(dim=1), good.log_softmax(dim=1)
    apart = (log_student.exp() * (log_student - log_teacher)).sum(dim=1)
    return {
        "kl_on_teacher_states": float(occupancy(good, LENGTH) @ apart),
        "kl_on_own_states": float(occupancy(student, LENGTH) @ apart),
    } | {f"on_task_{length}": float(occupancy(student, length)[0]) for length in HORIZONS}


def occupancy(logits: Tensor, length: int) -> Tensor:
    """Exact share of the time that a policy spends at each distance in `length` steps."""
    closer = logits.softmax(dim=1)[:, 0]
    moves = torch.zeros(DISTANCES, DISTANCES, dtype=torch.float64)
    for place in range(DISTANCES):
        moves[place, max(0, place - 1)] += closer[place]
        moves[place, min(DISTANCES - 1, place + 1)] += 1 - closer[place]
    here = torch.zeros(DISTANCES, dtype=torch.float64)
    here[0] = 1
    total = torch.zeros_like(here)
    for _ in range(length):
        total += here
        here = here @ moves
    return total / length


if __name__ == "__main__":
    command_line(program, __doc__ or "")
