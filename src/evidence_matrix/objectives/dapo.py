r"""DAPO: GRPO averaged over tokens, with a wider band above, mixed groups only, and no penalty.

## Idea

Four repairs to GRPO for long answers. A symmetric band lets a likely token grow by much and an
unlikely one by almost nothing, so the upper edge is raised. A prompt whose answers are all right or
all wrong teaches nothing, so it is left out and another sampled. A mean over each answer hides what
goes wrong late in long ones, so every token of the batch weighs the same. An answer that was cut
off is punished gradually as it nears the limit, not all at once.

## Equation

$$
\mathcal L=-\frac1{\sum_i|o_i|}\sum_i\sum_{t=1}^{|o_i|}
\min\big(r_{i,t}\hat A_i,\ \operatorname{clip}(r_{i,t},1-\epsilon_{low},1+\epsilon_{high})
\hat A_i\big),\qquad 0<\#\{\text{correct}\}<G
$$

$$
\hat A_i=\frac{R_i-\operatorname{mean}(R)}{\operatorname{std}(R)+\epsilon},\qquad
R_{length}(y)=\begin{cases}
0,&|y|\le L_{max}-L_{cache}\\
\frac{(L_{max}-L_{cache})-|y|}{L_{cache}},&L_{max}-L_{cache}<|y|\le L_{max}\\
-1,&L_{max}<|y|
\end{cases}
$$

Source: DAPO, arXiv 2503.14476v2, Eqs. 8, 9, 11 and 13

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta$ | `log_prob` | `[B, T]` | the current policy on the sampled tokens |
| $\log\pi_{old}$ | `old_log_prob` | `[B, T]` | the policy that sampled; data |
| $\hat A$ | `advantages` | `[B, T]` | equal along a row for outcome rewards; data |
| $m$ | `mask` | `[B, T]` | 1 on tokens of the response |
| $\epsilon_{low}$ | `clip_low` | number | how far below 1 a ratio may go |
| $\epsilon_{high}$ | `clip_high` | number | how far above 1 a ratio may go |
| $\sum_i\lvert o_i\rvert$ | `denominator` | number | tokens of the whole batch, if this is a part |
| $R_i$ | `rewards` | `[B]` | one reward a response |
| $i\mapsto$ prompt | `group` | `[B]` | which prompt a response answers |
| $\epsilon$ | `std_eps` | number | added to the deviation; the paper prints none |
| $\operatorname{std}$ | `correction` | 0 or 1 | taken from $G$ in the variance |
| $\lvert y\rvert$ | `lengths` | `[B]` | tokens of each response |
| $L_{max}$ | `max_length` | number | most tokens of a response |
| $L_{cache}$ | `cache` | number | the span before $L_{max}$ in which the penalty grows |

## Choices

- **Which tokens** the denominator counts. Printed are those of the $G$ responses to one prompt,
  inside an expectation over prompts; here, as in TRL and veRL, those of all responses in the
  update, so that a prompt with long answers weighs more. TRL counts the whole accumulation window
  under this name, and a micro-batch under `bnpo`. Give `denominator` when a batch is computed in
  parts: a mean of the parts' means is another number.
- **Filtered responses** must leave the denominator too; select rows before the loss.
- **A mixed group** is one whose rewards are not all equal, decided by their least and greatest and
  not by a deviation that rounding may leave above 0. For rewards of right and wrong that is the
  paper's constraint; give it those, not rewards that carry the length penalty.
- **Beyond $L_{max}$** the penalty stays at $-1$ as printed; veRL and AReaL let it fall further.

## Tested

Loss and gradient are those of TRL, the penalty that of OpenRLHF, the filter the stated rule, on the
reference cases. Worked by hand: two responses of unequal length. Properties: every token has the
same weight; two micro-batches with the global denominator equal one, and their mean does not; with
equal clips and equal lengths it is GRPO without penalty; raising the upper edge changes only tokens
with positive advantage; the penalty is continuous at both knots and never grows with length.
"""

from __future__ import annotations

import torch
from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.advantages import group_standardized, mixed_groups
from evidence_matrix.objectives.aggregation import Denominator, token_mean
from evidence_matrix.objectives.ratios import clip_stats, clipped_surrogate, token_ratio

ORDER = 14


def dapo_advantages(rewards: Tensor, group: Tensor, *, std_eps: float, correction: int) -> Tensor:
    """One advantage a response, `[B]`: its reward in standard deviations of its group."""
    return group_standardized(rewards, group, std_eps=std_eps, correction=correction)


def dynamic_sampling(rewards: Tensor, group: Tensor) -> Tensor:
    """Which responses to keep, booleans `[B]`: those whose group has unequal rewards."""
    return mixed_groups(rewards, group)


@torch.no_grad()
def overlong_penalty(lengths: Tensor, *, max_length: float, cache: float) -> Tensor:
    """What to add to each reward, `[B]`: from 0 down to -1 over the last `cache` tokens."""
    shapes.positive(cache=cache, max_length=max_length)
    if cache > max_length:
        raise ValueError(f"cache is {cache}; it must be at most max_length, {max_length}")
    return ((max_length - cache - lengths) / cache).clamp(-1, 0)


def dapo(
    log_prob: Tensor,
    old_log_prob: Tensor,
    advantages: Tensor,
    mask: Tensor,
    *,
    clip_low: float,
    clip_high: float,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss, and detached `clip_fraction` and `ratio_mean`."""
    keep = shapes.token_mask(
        mask, log_prob=log_prob, old_log_prob=old_log_prob, advantages=advantages
    )
    shapes.non_negative(clip_low=clip_low, clip_high=clip_high)
    scores = advantages.detach()
    ratio = token_ratio(log_prob, old_log_prob, keep)
    surrogate = clipped_surrogate(ratio, scores, clip_low=clip_low, clip_high=clip_high)
    loss = -token_mean(surrogate, keep, denominator=denominator)
    return loss, clip_stats(ratio, scores, keep, clip_low=clip_low, clip_high=clip_high)
