r"""What logits say: log-probabilities of target tokens, and divergences over the whole vocabulary.

Logits at positions that do not count are replaced *before* the softmax: NaN there would otherwise
come back as NaN gradient through it.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from evidence_matrix.objectives import shapes


def target_log_prob(
    logits: Tensor, input_ids: Tensor, loss_mask: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    r"""Log-probability of each next token, its mask and whether it is the likeliest, `[B, T-1]`.

    `logits` `[B, T, V]` at position t predict `input_ids` `[B, T]` at t + 1, so everything is
    shifted by one: result column t belongs to token t + 1. Tokens that are masked may have any id.

    Raises:
        ValueError: wrong shapes, an id outside the vocabulary at a token that counts, or a first
            token that counts (nothing predicts it).

    """
    if logits.ndim != 3 or not logits.is_floating_point():
        raise ValueError(
            f"logits is {logits.dtype} {list(logits.shape)}; it must be float [B, T, V]"
        )
    for name, tensor in (("input_ids", input_ids), ("loss_mask", loss_mask)):
        if tensor.shape != logits.shape[:2]:
            raise ValueError(
                f"{name} has shape {list(tensor.shape)}; it must be {list(logits.shape[:2])}, "
                "one entry a position of logits"
            )
    keep = shapes.binary("loss_mask", loss_mask)
    if bool(keep[:, :1].any()):
        raise ValueError(
            "loss_mask keeps the first token of a row, which no position predicts; the mask is "
            "aligned with the tokens, so its first column must be 0"
        )
    keep = keep[:, 1:]
    targets = torch.where(keep, input_ids[:, 1:], 0)
    if bool(((targets < 0) | (targets >= logits.shape[2])).any()):
        raise ValueError(
            f"input_ids holds an id outside the vocabulary of {logits.shape[2]} at a token that "
            "counts; set loss_mask to 0 where the id only marks padding"
        )
    log_probs = log_distribution(logits[:, :-1], keep, temperature=1.0)
    chosen = log_probs.gather(2, targets[..., None]).squeeze(2)
    return chosen, keep, log_probs.argmax(dim=2) == targets


def log_distribution(logits: Tensor, keep: Tensor, *, temperature: float) -> Tensor:
    r"""$\log\operatorname{softmax}(z/T)$ over the last axis; uniform at positions not in `keep`.

    `keep` covers the leading axes of `logits`.
    """
    kept = torch.where(keep[..., None], logits, 0.0)
    return (kept / temperature).log_softmax(dim=-1)


def divergence(log_p: Tensor, log_q: Tensor) -> Tensor:
    r"""$KL(p\Vert q)=\sum_v p_v(\log p_v-\log q_v)$ over the last axis.

    Where $p_v=0$ the term is 0, also if $q_v=0$; where only $q_v=0$ the divergence is infinite.
    """
    inside = log_p > -torch.inf
    difference = torch.where(inside, log_p, 0.0) - torch.where(inside, log_q, 0.0)
    return (log_p.exp() * difference).sum(dim=-1)


def jensen_shannon(log_teacher: Tensor, log_student: Tensor, *, beta: float) -> Tensor:
    r"""$\beta KL(P_T\Vert M)+(1-\beta)KL(P_S\Vert M)$ over the last axis, $M$ their mixture.

    At the ends, where the formula is 0, the divergence of that end: forward KL at 0, reverse at 1.

    Raises:
        ValueError: `beta` outside 0 to 1.

    """
    if not 0 <= beta <= 1:
        raise ValueError(f"beta is {beta}; it must be from 0 (forward KL) to 1 (reverse KL)")
    if beta == 0:
        return divergence(log_teacher, log_student)
    if beta == 1:
        return divergence(log_student, log_teacher)
    # A token that both exclude has no place in the mixture, and would get NaN for a gradient.
    excluded = (log_teacher == -torch.inf) & (log_student == -torch.inf)
    mixture = torch.logaddexp(
        log_teacher.masked_fill(excluded, 0.0) + math.log(beta),
        log_student.masked_fill(excluded, 0.0) + math.log1p(-beta),
    ).masked_fill(excluded, -torch.inf)
    return beta * divergence(log_teacher, mixture) + (1 - beta) * divergence(log_student, mixture)


def vocabulary_mask(mask: Tensor, **logits: Tensor) -> Tensor:
    """`mask` `[B, T]` as booleans, after checking that all named logits are one float `[B, T, V]`.

    Raises:
        ValueError: wrong shapes; different vocabularies have no common distribution.

    """
    (first_name, first), *others = logits.items()
    if first.ndim != 3 or not first.is_floating_point():
        raise ValueError(f"{first_name} is {first.dtype} {list(first.shape)}; it must be [B, T, V]")
    shapes.same_shape(first, first_name, **dict(others))
    if mask.shape != first.shape[:2]:
        raise ValueError(
            f"mask has shape {list(mask.shape)}; it must be {list(first.shape[:2])}, "
            f"one entry a position of {first_name}"
        )
    return shapes.binary("mask", mask)
