r"""Objectives on a batch of one sample: the term they make of it, and the leaf that they push.

A token had the probability `SAMPLED` when it was drawn. What else an objective asks for is set so
that nothing but the place on the axis and the setting matters.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import torch
from torch import Tensor

from evidence_matrix.objectives import kl as estimators
from evidence_matrix.objectives.aggregation import token_mean
from evidence_matrix.objectives.cispo import cispo
from evidence_matrix.objectives.decoupled_ppo import decoupled_ppo, popped, unbounded
from evidence_matrix.objectives.dft import dft
from evidence_matrix.objectives.grpo import grpo
from evidence_matrix.objectives.gspo import gspo
from evidence_matrix.objectives.kimi_mirror_descent import (
    kimi_mirror_descent,
    kimi_token_mirror_descent,
)
from evidence_matrix.objectives.kto import kto
from evidence_matrix.objectives.orpo import orpo
from evidence_matrix.objectives.ppo import ppo_policy
from evidence_matrix.objectives.sao import sao
from evidence_matrix.objectives.sapo import sapo
from evidence_matrix.objectives.sft import sft
from evidence_matrix.objectives.simpo import simpo
from evidence_matrix.objectives.vapo import vapo

SAMPLED = 0.1
"""Probability that the old policy gave to the token; so its ratio may grow to 10."""

Setting = Mapping[str, Any]
"""Constants of the objective by name: numbers, or a word."""
Loss = Callable[..., tuple[Tensor, Any]]
Sampled = tuple[Tensor, Tensor]
"""The term, and the leaf whose gradient is asked for."""
At = Callable[[float, int, Setting], Sampled]
"""From place, sign of the advantage and setting."""


def one(number: float) -> Tensor:
    """A batch of one row and one token."""
    return torch.tensor([[number]], dtype=torch.float64)


ONE = one(1.0)


def of_ratio(loss: Loss) -> At:
    """An objective of current and old log-probabilities, advantages and mask, over the ratio."""

    def at(ratio: float, sign: int, setting: Setting) -> Sampled:
        old = one(math.log(SAMPLED))
        leaf = (old + math.log(ratio)).requires_grad_()
        return -loss(leaf, old, one(sign), ONE, **setting)[0], leaf

    return at


def of_margin(loss: Loss) -> At:
    """A loss of pairs over the margin of the log-ratios, by the chosen log-probability."""

    def at(margin: float, _: int, setting: Setting) -> Sampled:
        leaf, other = one(-1.0).requires_grad_(), one(-1.0)
        return loss(leaf, other, one(-1.0 - margin), other, ONE, ONE, **setting)[0], leaf

    return at


def grpo_here(now: Tensor, old: Tensor, scores: Tensor, mask: Tensor, **setting: float) -> Any:
    """GRPO whose reference is the policy that sampled."""
    return grpo(now, old, old, scores, mask, **setting)


def ppo_here(now: Tensor, old: Tensor, scores: Tensor, mask: Tensor, **setting: float) -> Any:
    """PPO with the dual clip left out where the setting has none."""
    dual = setting.pop("dual_clip", None)
    return ppo_policy(now, old, scores, mask, **setting, dual_clip=dual, aggregation=token_mean)


def vapo_here(now: Tensor, old: Tensor, scores: Tensor, mask: Tensor, **setting: float) -> Any:
    """VAPO, in which a response counts as correct where its advantage is positive."""
    return vapo(now, old, scores, (scores[:, 0] > 0).long(), mask, **setting)


def gspo_here(
    now: Tensor, old: Tensor, scores: Tensor, _: Tensor, *, length: float, **setting: float
) -> Any:
    """GSPO on a response of which one token has moved and the others have not."""
    rest = torch.zeros(1, int(length) - 1, dtype=now.dtype)
    row, old_row = torch.cat([now, rest], dim=1), torch.cat([old, rest], dim=1)
    return gspo(row, old_row, scores[:, 0], torch.ones_like(row), **setting)


def decoupled_here(
    now: Tensor, sampler: Tensor, scores: Tensor, mask: Tensor, *, proximal: float, **setting: Any
) -> Any:
    """Decoupled PPO whose center is `proximal` times as likely as the sampler."""
    center = sampler + math.log(proximal)
    bound = setting.pop("bound")
    kept = partial(popped, weight_min=0.5, weight_max=2.0) if bound == "popped" else unbounded
    return decoupled_ppo(
        now, center, sampler, scores, mask, **setting, bound=kept, aggregation=token_mean
    )


def sao_here(
    now: Tensor, old: Tensor, scores: Tensor, mask: Tensor, *, weight: str, **setting: float
) -> Any:
    """SAO with a weight that is held constant, or differentiated."""
    return sao(now, old, scores, mask, **setting, detach_weight=weight == "held")


def kimi_here(ratio: float, sign: int, setting: Setting) -> Sampled:
    """Kimi's regression over the log-ratio of a response, as an objective: less the loss."""
    leaf = one(ratio).requires_grad_()
    loss = kimi_mirror_descent(leaf, one(0), torch.tensor([float(sign)]).double(), ONE, **setting)
    return -loss[0], leaf


def kimi_token_here(
    now: Tensor, old: Tensor, scores: Tensor, mask: Tensor, **setting: float
) -> Any:
    """Kimi K2.5's term of a token."""
    return kimi_token_mirror_descent(now, old, scores[:, 0], mask, **setting)


def kl_here(log_ratio: float, _: int, setting: Setting) -> Sampled:
    """An estimator of KL over the log-ratio, as it stands and as a loss."""
    leaf = one(log_ratio).requires_grad_()
    estimator = getattr(estimators, setting["estimator"])
    return estimators.kl(leaf, one(0), ONE, estimator=estimator, aggregation=token_mean)[0], leaf


def fine_tuning(probability: float, _: int, setting: Setting) -> Sampled:
    """SFT or DFT on two tokens, over the probability of the right one, by its logit."""
    odds = math.log(probability / (1 - probability))
    logits = torch.tensor([[[odds, 0.0], [0.0, 0.0]]], dtype=torch.float64, requires_grad=True)
    losses: dict[str, Loss] = {"SFT": partial(sft, aggregation=token_mean), "DFT": dft}
    loss = losses[setting["loss"]]
    return loss(logits, torch.tensor([[1, 0]]), torch.tensor([[0, 1]]))[0], logits


def kto_here(distance: float, sign: int, setting: Setting) -> Sampled:
    """KTO over the distance from the reference point; sign 1 is a desirable response."""
    leaf = one(distance).requires_grad_()
    weights = {"desirable_weight": 1.0, "undesirable_weight": 1.0}
    good, point = torch.tensor([int(sign > 0)]), torch.tensor(0.0, dtype=torch.float64)
    return kto(leaf, one(0), good, point, ONE, **setting, **weights)[0], leaf


def simpo_here(margin: float, _: int, setting: Setting) -> Sampled:
    """SimPO over the difference of the two mean log-probabilities."""
    leaf = one(margin - 4.0).requires_grad_()
    return simpo(leaf, one(-4.0), ONE, ONE, **setting)[0], leaf


def orpo_here(probability: float, _: int, setting: Setting) -> Sampled:
    """ORPO over the chosen response's probability a token, where the rejected one has 0.2."""
    leaf = one(math.log(probability)).requires_grad_()
    loss = orpo(
        leaf,
        one(math.log(0.2)),
        ONE,
        ONE,
        **setting,
        likelihood_aggregation=token_mean,
        likelihood_denominator=None,
    )
    return loss[0], leaf


METHODS: dict[str, At] = {
    "PPO": of_ratio(ppo_here),
    "GSPO": of_ratio(gspo_here),
    "SAPO": of_ratio(sapo),
    "CISPO": of_ratio(cispo),
    "SAO": of_ratio(sao_here),
}


def method(ratio: float, sign: int, setting: Setting) -> Sampled:
    """One of the methods that are compared, under its own constants."""
    rest = {name: value for name, value in setting.items() if name != "method"}
    return METHODS[setting["method"]](ratio, sign, rest)
