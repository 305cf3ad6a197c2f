r"""GRPO: a clipped policy gradient whose baseline is the group of responses to the same prompt.

## Idea

A critic that guesses the value of a half-written answer is as large as the policy and often wrong.
Several answers to one prompt tell the same thing for less: the mean of their rewards is what to
expect there, and their spread is the unit to measure a surprise in. Every token of an answer is
then credited with how far its answer lies above the group, the ratio is clipped as in PPO, and the
distance to a reference policy is held by a penalty in the loss rather than in the reward.

## Equation

$$
\hat A_{i}=\frac{R_i-\operatorname{mean}(R)}{\operatorname{std}(R)+\epsilon},\qquad
\mathcal L=-\frac1G\sum_{i=1}^G\frac1{|o_i|}\sum_{t=1}^{|o_i|}\Big[
\min\big(r_{i,t}\hat A_{i},\ \operatorname{clip}(r_{i,t},1-\epsilon_{low},1+\epsilon_{high})
\hat A_{i}\big)-\beta\,k_{3,i,t}\Big]
$$

with $r_{i,t}=\pi_\theta/\pi_{old}$ and
$k_{3}=\pi_{ref}/\pi_\theta-\log(\pi_{ref}/\pi_\theta)-1$ at the sampled token.

Source: DeepSeekMath, arXiv 2402.03300, Section 4.1; version and equation number not confirmed

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta$ | `log_prob` | `[B, T]` | the current policy on the sampled tokens |
| $\log\pi_{old}$ | `old_log_prob` | `[B, T]` | the policy that sampled; data |
| $\log\pi_{ref}$ | `ref_log_prob` | `[B, T]` | the reference policy; data |
| $\hat A_i$ | `advantages` | `[B, T]` | the same number at every token of a response; data |
| $m$ | `mask` | `[B, T]` | 1 on tokens of the response |
| $\epsilon_{low}$ | `clip_low` | number | how far below 1 a ratio may go |
| $\epsilon_{high}$ | `clip_high` | number | how far above 1; the paper has one $\epsilon$ |
| $\beta$ | `kl_coef` | number | weight of the penalty |
| $G$ | `denominator` | number | rows of the whole batch, if this is one part of it |
| $R_i$ | `rewards` | `[B]` | one reward a response |
| | `group` | `[B]` | which prompt a response answers |
| $\epsilon$ | `std_eps` | number | added to the deviation |
| | `correction` | 0 or 1 | taken from $G$ in the variance: 1 unbiased, 0 population |

## Choices

- **Deviation.** The paper says "std" and no more. TRL, veRL, OpenRLHF and slime divide by $G-1$.
- **$\epsilon$.** TRL adds 1e-4, veRL and slime 1e-6, OpenRLHF 1e-9; no default here.

## Tested

Agrees with TRL's loss and gradient and veRL's advantages on the reference vectors.
"""

from __future__ import annotations

from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.advantages import group_standardized
from evidence_matrix.objectives.aggregation import Denominator, sequence_mean_token_mean
from evidence_matrix.objectives.kl import k3
from evidence_matrix.objectives.ratios import (
    binding,
    clipped_surrogate,
    log_ratio,
    selected,
    share,
    token_ratio,
)

ORDER = 12


def grpo_advantages(rewards: Tensor, group: Tensor, *, std_eps: float, correction: int) -> Tensor:
    """One advantage a response, `[B]`: its reward in standard deviations of its group."""
    return group_standardized(rewards, group, std_eps=std_eps, correction=correction)


def grpo(
    log_prob: Tensor,
    old_log_prob: Tensor,
    ref_log_prob: Tensor,
    advantages: Tensor,
    mask: Tensor,
    *,
    clip_low: float,
    clip_high: float,
    kl_coef: float,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss, and detached `clip_fraction`, `kl` (k3, mean over tokens) and `ratio_mean`."""
    keep = shapes.token_mask(
        mask,
        log_prob=log_prob,
        old_log_prob=old_log_prob,
        ref_log_prob=ref_log_prob,
        advantages=advantages,
    )
    shapes.non_negative(clip_low=clip_low, clip_high=clip_high, kl_coef=kl_coef)
    scores = selected(advantages.detach(), keep)
    ratio = token_ratio(log_prob, old_log_prob, keep)
    penalty = k3(log_ratio(log_prob, ref_log_prob, keep))
    surrogate = clipped_surrogate(ratio, scores, clip_low=clip_low, clip_high=clip_high)
    loss = -sequence_mean_token_mean(surrogate - kl_coef * penalty, keep, denominator=denominator)
    clipped = binding(ratio, scores, clip_low=clip_low, clip_high=clip_high)
    return loss, {
        "clip_fraction": share(clipped, keep),
        "kl": share(penalty, keep),
        "ratio_mean": share(ratio, keep),
    }
