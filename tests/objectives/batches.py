"""Small batches of token tensors for tests: one fixed by hand, and any that hypothesis draws."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from hypothesis import strategies as st
from torch import Tensor


def tensor(*rows: object) -> Tensor:
    """A float64 tensor of the given rows (or numbers)."""
    return torch.tensor(rows, dtype=torch.float64)


MASK = torch.tensor([[1, 1, 0, 1], [1, 1, 1, 0], [1, 0, 0, 1]])
LOG_PROB = tensor([-0.7, -1.9, -3, -0.4], [-2.1, -0.6, -1.2, -3], [-0.9, -3, -3, -1.6])
LOG_RATIO = tensor([0.45, -0.10, 1, 0.05], [-0.60, 0.30, 0.12, 1], [0.08, 1, 1, -0.35])
ADVANTAGES = tensor([0.8, -0.4, 9, 1.3], [-0.9, 0.7, -1.1, 9], [0.5, 9, 9, -0.6])

FIXED = {
    "log_prob": LOG_PROB,
    "old_log_prob": LOG_PROB - LOG_RATIO,
    "advantages": ADVANTAGES,
    "mask": MASK,
}
"""Three rows with masked tokens inside and at the end; no ratio lies on the edge of a band."""


@dataclass(frozen=True)
class Batch:
    """Tensors `[B, T]`; every row has a token, and masked positions hold wild values."""

    log_prob: Tensor
    old_log_prob: Tensor
    other_log_prob: Tensor
    advantages: Tensor
    mask: Tensor

    @property
    def keep(self) -> Tensor:
        return self.mask == 1

    @property
    def log_ratio(self) -> Tensor:
        return self.log_prob - self.old_log_prob

    @property
    def ratio(self) -> Tensor:
        return self.log_ratio.exp()

    @property
    def leaf(self) -> Tensor:
        """`log_prob`, collecting gradient."""
        return self.log_prob.clone().requires_grad_()

    @property
    def row_advantages(self) -> Tensor:
        """One advantage a row, `[B]`."""
        return self.advantages.clamp(-2, 2)[:, 0]

    @property
    def level_advantages(self) -> Tensor:
        """`row_advantages` at every token, `[B, T]`."""
        return self.row_advantages[:, None].expand_as(self.advantages)


def draw_batch(seed: int, rows: int, width: int, spread: float) -> Batch:
    generator = torch.Generator().manual_seed(seed)

    def uniform(low: float, high: float) -> Tensor:
        drawn = torch.rand(rows, width, generator=generator, dtype=torch.float64)
        return low + (high - low) * drawn

    mask = (uniform(0, 1) < 0.7).long()
    mask[:, int(torch.randint(width, (), generator=generator))] = 1
    wild = torch.where(mask == 1, 0.0, 50.0)
    log_prob = uniform(-4, -0.01)
    return Batch(
        log_prob=log_prob - wild,
        old_log_prob=log_prob - uniform(-spread, spread) - 3 * wild,
        other_log_prob=log_prob - uniform(-spread, spread) + wild,
        advantages=uniform(-2, 2) + wild,
        mask=mask,
    )


def batches(spread: float = 1.2, rows: int = 4, width: int = 6) -> st.SearchStrategy[Batch]:
    """Batches of up to `rows` by `width` whose log-ratios lie within `spread`."""
    return st.builds(
        draw_batch,
        seed=st.integers(0, 2**32 - 1),
        rows=st.integers(1, rows),
        width=st.integers(1, width),
        spread=st.just(spread),
    )


@dataclass(frozen=True)
class Groups:
    """Rewards `[B]` of responses, and which prompt each answers `[B]`, in any order."""

    rewards: Tensor
    group: Tensor


def draw_groups(sizes: list[int], seed: int) -> Groups:
    generator = torch.Generator().manual_seed(seed)
    group = torch.cat([torch.full((size,), 7 * label) for label, size in enumerate(sizes)])
    order = torch.randperm(len(group), generator=generator)
    rewards = torch.rand(len(group), generator=generator, dtype=torch.float64) * 4 - 2
    return Groups(rewards, group[order])


def groups() -> st.SearchStrategy[Groups]:
    """One to three groups of two to five members."""
    sizes = st.lists(st.integers(2, 5), min_size=1, max_size=3)
    return st.builds(draw_groups, sizes=sizes, seed=st.integers(0, 2**32 - 1))


def gradient(loss: Tensor, leaf: Tensor) -> Tensor:
    return torch.autograd.grad(loss, leaf)[0]


def close(got: Tensor, expected: Tensor | float | list, atol: float = 1e-12) -> None:
    """Equal to rounding."""
    expected = torch.as_tensor(expected, dtype=torch.float64).expand_as(got)
    torch.testing.assert_close(got.detach().double(), expected, rtol=1e-9, atol=atol)
