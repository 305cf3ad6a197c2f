r"""Dr. GRPO: GRPO without its two divisions, by the group's deviation and by a response's length.

## Idea

Two denominators of GRPO are not part of the policy gradient. Dividing by the deviation makes a
prompt that is nearly always or nearly never solved count more than one that is solved half the
time. Dividing by a response's own length makes a long wrong answer cheaper per token than a short
one, and so rewards length. Leaving out both, and dividing by a constant instead, gives back the
plain gradient with the group's mean as baseline.

## Equation

$$
\hat A_i=R_i-\operatorname{mean}(R),\qquad
\mathcal L=-\frac1G\sum_{i=1}^G\frac1L\sum_{t=1}^{|o_i|}
\min\big(r_{i,t}\hat A_i,\ \operatorname{clip}(r_{i,t},1-\epsilon_{low},1+\epsilon_{high})
\hat A_i\big)
$$

with $L$ a constant of the run.

Source: Understanding R1-Zero-Like Training, arXiv 2503.20783v2, Section 3.2: Eq. 3 less two terms

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta$ | `log_prob` | `[B, T]` | the current policy on the sampled tokens |
| $\log\pi_{old}$ | `old_log_prob` | `[B, T]` | the policy that sampled; data |
| $\hat A$ | `advantages` | `[B, T]` | equal along a row for outcome rewards; data |
| $m$ | `mask` | `[B, T]` | 1 on tokens of the response |
| $\epsilon_{low}$ | `clip_low` | number | how far below 1 a ratio may go |
| $\epsilon_{high}$ | `clip_high` | number | how far above 1 a ratio may go |
| $L$ | `length` | number | a constant of the run, such as the most tokens of a response |
| $G$ | `denominator` | number | rows of the whole batch, if this is one part of it |
| $R_i$ | `rewards` | `[B]` | one reward a response |
| $i\mapsto$ prompt | `group` | `[B]` | which prompt a response answers |

## Choices

- **$L$.** It only scales the loss, as long as it is a constant. veRL's default is the width that
  the batch happens to be padded to: on the reference case that turns a loss of -0.043 into one that
  is 0.231 away, and it changes with the padding. TRL takes the longest completion allowed.
- **Rows.** TRL divides by all rows; here a row without a token is left out.
- **rlhf-book** drops the deviation and keeps the division by length, which is another loss.

## Tested

Loss and gradient are those of TRL, and advantages those of veRL, on the reference cases. Worked by
hand: two responses of unequal length. Properties: advantages are $(G-1)/G$ times those of RLOO; a
scale of the rewards scales them; every token of every response has the same weight, whatever the
lengths; padding changes nothing, and would if $L$ were the width.
"""

from __future__ import annotations

from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.advantages import group_centered
from evidence_matrix.objectives.aggregation import Denominator, sequence_mean_token_sum_norm
from evidence_matrix.objectives.ratios import clip_stats, clipped_surrogate, token_ratio

ORDER = 13


def dr_grpo_advantages(rewards: Tensor, group: Tensor) -> Tensor:
    """One advantage a response, `[B]`: its reward above the mean of its group."""
    return group_centered(rewards, group)


def dr_grpo(
    log_prob: Tensor,
    old_log_prob: Tensor,
    advantages: Tensor,
    mask: Tensor,
    *,
    clip_low: float,
    clip_high: float,
    length: float,
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
    loss = -sequence_mean_token_sum_norm(surrogate, keep, length=length, denominator=denominator)
    return loss, clip_stats(ratio, scores, keep, clip_low=clip_low, clip_high=clip_high)
