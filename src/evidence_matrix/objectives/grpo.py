r"""GRPO: a clipped policy gradient whose baseline is the group of responses to the same prompt.

## Idea

A critic that guesses the value of a half-written answer is as large as the policy and often wrong.
Several answers to one prompt tell the same for less: the mean of their rewards is what to expect
there, and their spread is the unit to measure a surprise in. Every token of an answer is credited
with how far its answer lies above the group, the ratio is clipped as in PPO, and the distance to a
reference policy is held by a penalty in the loss rather than in the reward.

## Equation

$$
\hat A_i=\frac{R_i-\operatorname{mean}(R)}{\operatorname{std}(R)+\epsilon},\qquad
\mathcal L=-\frac1G\sum_{i=1}^G\frac1{|o_i|}\sum_{t=1}^{|o_i|}\Big[
\min\big(r_{i,t}\hat A_i,\ \operatorname{clip}(r_{i,t},1-\epsilon_{low},1+\epsilon_{high})
\hat A_i\big)-\beta\,k_{3,i,t}\Big]
$$

$$
r_{i,t}=\frac{\pi_\theta(o_{i,t})}{\pi_{old}(o_{i,t})},\qquad
k_{3,i,t}=\frac{\pi_{ref}(o_{i,t})}{\pi_\theta(o_{i,t})}
-\log\frac{\pi_{ref}(o_{i,t})}{\pi_\theta(o_{i,t})}-1
$$

Source: DeepSeekMath, arXiv 2402.03300v3, Eq. 3 (objective), Eq. 4 (penalty), Section 4.1.2

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta$ | `log_prob` | `[B, T]` | the current policy on the sampled tokens |
| $\log\pi_{old}$ | `old_log_prob` | `[B, T]` | the policy that sampled; data |
| $\log\pi_{ref}$ | `ref_log_prob` | `[B, T]` | the reference policy; data |
| $\hat A$ | `advantages` | `[B, T]` | equal along a row for outcome rewards; data |
| $m$ | `mask` | `[B, T]` | 1 on tokens of the response |
| $\epsilon_{low}$ | `clip_low` | number | how far below 1 a ratio may go |
| $\epsilon_{high}$ | `clip_high` | number | how far above 1; in the paper the same |
| $\beta$ | `kl_coef` | number | weight of the penalty |
| $G$ | `denominator` | number | rows of the whole batch, if this is one part of it |
| $R_i$ | `rewards` | `[B]` | one reward a response |
| $i\mapsto$ prompt | `group` | `[B]` | which prompt a response answers |
| $\epsilon$ | `std_eps` | number | added to the deviation |
| $\operatorname{std}$ | `correction` | 0 or 1 | taken from $G$ in the variance |

## Choices

- **Deviation.** The paper says "standard deviation" and no more. TRL, veRL, OpenRLHF and slime
  divide by $G-1$. On the reference case the population's moves an advantage by up to 0.23.
- **$\epsilon$.** The paper prints none. TRL adds 1e-4, veRL and slime 1e-6, OpenRLHF 1e-9.
- **A uniform group** gives exactly 0: rewards are compared with a member of the group before they
  are averaged, so that rounding leaves no residue for the deviation to divide.
- **One response to a prompt** is an error: it has no deviation.
- **The penalty** is $k_3$ of the current policy against the reference, differentiated as it stands;
  its expected gradient is that of the *reversed* divergence (see KL). rlhf-book has the inverse
  ratio inside $k_3$; on the reference case its gradient differs by up to 0.0018.
- **Length.** Each response weighs the same, so a token of a long one weighs less: see Dr. GRPO.

## Tested

Loss and gradient are those of TRL, and advantages those of veRL, on the reference cases. Worked by
hand: a group of three rewards, and a loss of two responses with the penalty. Properties: a uniform
group has zero advantages and zero gradient; a shift of the rewards changes nothing, and without
$\epsilon$ neither does a scale; doubling every token of a response leaves the loss alone; at the
reference, on fresh samples, the penalty has no gradient.
"""

from __future__ import annotations

from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.advantages import group_standardized
from evidence_matrix.objectives.aggregation import Denominator, sequence_mean_token_mean
from evidence_matrix.objectives.kl import k3
from evidence_matrix.objectives.ratios import (
    clip_stats,
    clipped_surrogate,
    log_ratio,
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
    """The loss, and detached `clip_fraction`, `ratio_mean` and `kl` (k3, mean over tokens)."""
    keep = shapes.token_mask(
        mask,
        log_prob=log_prob,
        old_log_prob=old_log_prob,
        ref_log_prob=ref_log_prob,
        advantages=advantages,
    )
    shapes.non_negative(clip_low=clip_low, clip_high=clip_high, kl_coef=kl_coef)
    scores = advantages.detach()
    ratio = token_ratio(log_prob, old_log_prob, keep)
    surrogate = clipped_surrogate(ratio, scores, clip_low=clip_low, clip_high=clip_high)
    penalty = k3(log_ratio(log_prob, ref_log_prob, keep))
    loss = -sequence_mean_token_mean(surrogate - kl_coef * penalty, keep, denominator=denominator)
    stats = clip_stats(ratio, scores, keep, clip_low=clip_low, clip_high=clip_high)
    return loss, {**stats, "kl": share(penalty, keep)}
