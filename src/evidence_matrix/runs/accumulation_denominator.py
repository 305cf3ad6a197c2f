r"""What goes wrong when gradients of micro-batches are averaged, each over its own tokens.

The loss of a batch is its mean over tokens. Split into micro-batches whose means are averaged, a
token of a micro-batch with few tokens counts for more. Here short answers speak differently from
long ones, so that the weights show in what is learned. The remedy is one denominator for all
parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from evidence_matrix.objectives.aggregation import token_mean
from evidence_matrix.objectives.sft import sft
from evidence_matrix.runs.outcome import command_line, spreads

ANSWERS = 64
SHORT, LONG = (2, 8), (40, 120)
"""Least and most tokens of a short and of a long answer; there are as many of each."""
FAVORED = (0.8, 0.2)
"""How often token 0 stands in a short and in a long answer."""
SIZES = (1, 4, 16)
"""Answers in a micro-batch."""
START = (1.0, 0.0)
"""Logits of the two tokens at the start."""
RATE = 3.0


def program(*, seeds: Sequence[int] = range(10), steps: int = 30) -> dict[str, Any]:
    """By size of the micro-batches: error of the gradient, weights of tokens, what is learned."""
    result: dict[str, Any] = {"steps": steps}
    for size in SIZES:
        found = [compare(seed, steps, size, LONG) for seed in seeds]
        result[f"micro_batch_{size}"] = spreads(found)
    # The same with answers of one length: no difference to be seen.
    equal = [compare(seed, steps, 1, None) for seed in seeds]
    result["equal_lengths"] = spreads(equal)
    return result


def compare(seed: int, steps: int, size: int, long: tuple[int, int] | None) -> dict[str, float]:
    """Mean of means against one denominator, on the same answers in the same micro-batches."""
    ids, mask = answers(seed, long)
    parts = [slice(at, at + size) for at in range(0, ANSWERS, size)]
    start = torch.tensor(START, dtype=torch.float64)
    whole = gradient(start, ids, mask, [slice(None)], shared=False)
    averaged = gradient(start, ids, mask, parts, shared=False)
    shared = gradient(start, ids, mask, parts, shared=True)
    counts = torch.stack([mask[part].sum() for part in parts])
    learned = {
        name: learn(ids, mask, parts, steps, shared=name == "shared")
        for name in ("averaged", "shared")
    }
    frequency = float(((ids == 0) & (mask == 1)).sum() / mask.sum())
    return {
        "gradient_error": float((averaged - whole).norm() / whole.norm()),
        "gradient_error_with_one_denominator": float((shared - whole).norm() / whole.norm()),
        "weight_ratio": float(counts.max() / counts.min()),
        "frequency": frequency,
        "learned_from_means": learned["averaged"],
        "learned_with_one_denominator": learned["shared"],
        "off_by": abs(learned["averaged"] - frequency),
    }


def answers(seed: int, long: tuple[int, int] | None) -> tuple[Tensor, Tensor]:
    """Token ids and loss mask `[ANSWERS, T]`, in random order; without `long`, of one length."""
    random = torch.Generator().manual_seed(seed)
    kind = (torch.arange(ANSWERS) % 2)[torch.randperm(ANSWERS, generator=random)]
    bounds = torch.tensor([SHORT, long or SHORT])[kind]
    least, most = bounds[:, 0], bounds[:, 1]
    share = torch.rand(ANSWERS, generator=random, dtype=torch.float64)
    lengths = least + (share * (most - least + 1)).long()
    if long is None:
        lengths = torch.full_like(lengths, SHORT[1])
    width = int(lengths.max()) + 1
    favored = torch.tensor(FAVORED, dtype=torch.float64)[kind]
    ids = (torch.rand(ANSWERS, width, generator=random) >= favored[:, None]).long()
    places = torch.arange(width)
    # The first token only opens the answer; nothing predicts it.
    return ids, ((places > 0) & (places <= lengths[:, None])).long()


def gradient(
    logits: Tensor, ids: Tensor, mask: Tensor, parts: Sequence[slice], *, shared: bool
) -> Tensor:
    """Gradient in the logits `[2]` of one policy for all places, accumulated over `parts`."""
    leaf = logits.detach().requires_grad_()
    total = torch.zeros_like(logits)
    for part in parts:
        spoken = leaf.expand(*ids[part].shape, 2)
        denominator = mask.sum() if shared else None
        loss, _ = sft(
            spoken, ids[part], mask[part], aggregation=token_mean, denominator=denominator
        )
        (found,) = torch.autograd.grad(loss, leaf)
        total += found if shared else found / len(parts)
    return total


def learn(ids: Tensor, mask: Tensor, parts: Sequence[slice], steps: int, *, shared: bool) -> float:
    """Probability of token 0 after `steps` steps of gradient descent."""
    logits = torch.tensor(START, dtype=torch.float64)
    for _ in range(steps):
        logits = logits - RATE * gradient(logits, ids, mask, parts, shared=shared)
    return float(logits.softmax(dim=0)[0])


if __name__ == "__main__":
    command_line(program, __doc__ or "")
