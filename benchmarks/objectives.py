"""Measures GRPO, DAPO, GSPO and SAPO, forward and backward, against veRL on the same tensors.

    python benchmarks/objectives.py [--rows 32] [--width 1024] [--rounds 200]

Prints ratios of CPU time on one thread, taken in turns in one process, and first checks that both
sides give the same loss and gradient. veRL is no dependency of this project: install it, and what
its `core_algos` imports, into an environment of its own that also sees torch and this package.
"""

from __future__ import annotations

import argparse
import statistics
import time
import warnings
from collections.abc import Callable

import torch
from torch import Tensor
from verl.trainer.ppo import core_algos
from verl.workers.config import ActorConfig

from evidence_matrix.objectives.dapo import dapo
from evidence_matrix.objectives.grpo import grpo
from evidence_matrix.objectives.gspo import gspo
from evidence_matrix.objectives.gspo_token import gspo_token
from evidence_matrix.objectives.sapo import sapo

GOAL = 1.2
KL_COEF = 0.04
CLIPS = {"clip_low": 0.2, "clip_high": 0.28}
TAUS = {"tau_pos": 1.0, "tau_neg": 1.05}

Loss = Callable[[Tensor], Tensor]


def batch(rows: int, width: int) -> dict[str, Tensor]:
    """Float32 tensors with responses of many lengths and one advantage a response."""
    generator = torch.Generator().manual_seed(7)
    log_prob = -torch.rand(rows, width, generator=generator) * 3
    noise = 0.3 * torch.randn(2, rows, width, generator=generator)
    lengths = torch.randint(width // 4, width + 1, (rows,), generator=generator)
    advantages = torch.randn(rows, 1, generator=generator).expand(rows, width).contiguous()
    return {
        "log_prob": log_prob,
        "old_log_prob": log_prob + noise[0],
        "ref_log_prob": log_prob + noise[1],
        "advantages": advantages,
        "mask": (torch.arange(width) < lengths[:, None]).float(),
    }


def pairs(data: dict[str, Tensor]) -> dict[str, tuple[Loss, Loss]]:
    """For each objective, ours and veRL's, as functions of the log-probabilities."""
    old, ref, advantages, mask = (
        data[name] for name in ("old_log_prob", "ref_log_prob", "advantages", "mask")
    )
    config = ActorConfig(
        strategy="fsdp",
        rollout_n=1,
        ppo_micro_batch_size_per_gpu=1,
        clip_ratio=CLIPS["clip_low"],
        clip_ratio_low=CLIPS["clip_low"],
        clip_ratio_high=CLIPS["clip_high"],
        clip_ratio_c=1e9,
        **TAUS,
    )

    def verl(function: Callable[..., tuple[Tensor, object]], mode: str) -> Loss:
        def loss(log_prob: Tensor) -> Tensor:
            return function(old, log_prob, advantages, mask, mode, config)[0]

        return loss

    vanilla = core_algos.compute_policy_loss_vanilla
    by_row, by_token = "seq-mean-token-mean", "token-mean"

    def verl_grpo(log_prob: Tensor) -> Tensor:
        penalty = core_algos.kl_penalty(log_prob, ref, "k3")
        policy = vanilla(old, log_prob, advantages, mask, by_row, config)[0]
        return policy + KL_COEF * core_algos.agg_loss(penalty, mask, by_row)

    verl_gspo = verl(core_algos.compute_policy_loss_gspo, by_row)
    row_advantages = advantages[:, 0].contiguous()
    return {
        "grpo": (
            lambda x: grpo(x, old, ref, advantages, mask, **CLIPS, kl_coef=KL_COEF)[0],
            verl_grpo,
        ),
        "dapo": (lambda x: dapo(x, old, advantages, mask, **CLIPS)[0], verl(vanilla, by_token)),
        "gspo": (lambda x: gspo(x, old, row_advantages, mask, **CLIPS)[0], verl_gspo),
        "gspo_token": (lambda x: gspo_token(x, old, advantages, mask, **CLIPS)[0], verl_gspo),
        "sapo": (
            lambda x: sapo(x, old, advantages, mask, **TAUS)[0],
            verl(core_algos.compute_policy_loss_sapo, by_row),
        ),
    }


def step(loss: Loss, log_prob: Tensor) -> tuple[Tensor, Tensor]:
    """Forward and backward."""
    leaf = log_prob.detach().requires_grad_()
    value = loss(leaf)
    value.backward()
    assert leaf.grad is not None
    return value.detach(), leaf.grad


def seconds(loss: Loss, log_prob: Tensor) -> float:
    start = time.process_time()
    step(loss, log_prob)
    return time.process_time() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=32)
    parser.add_argument("--width", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=200)
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    data = batch(options.rows, options.width)
    log_prob = data["log_prob"]
    worst = 0.0
    for name, (ours, theirs) in pairs(data).items():
        for got, expected in zip(step(ours, log_prob), step(theirs, log_prob), strict=True):
            torch.testing.assert_close(got, expected, rtol=1e-4, atol=1e-7)
        for _ in range(5):
            step(ours, log_prob)
            step(theirs, log_prob)
        measured = [
            (seconds(ours, log_prob), seconds(theirs, log_prob)) for _ in range(options.rounds)
        ]
        own, other = (1e3 * statistics.median(times) for times in zip(*measured, strict=True))
        ratio = statistics.median(mine / other for mine, other in measured)
        worst = max(worst, ratio)
        print(f"{name:<12} {ratio:.2f} of veRL's CPU time ({own:.2f} ms against {other:.2f} ms)")
    print(f"largest ratio {worst:.2f}; the goal is at most {GOAL}")
    return 0 if worst <= GOAL else 1


if __name__ == "__main__":
    raise SystemExit(main())
