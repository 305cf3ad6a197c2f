r"""Kimi mirror descent: regression of the policy's log-ratio onto the centered reward.

## Idea

Improve the policy, but stay near the one that sampled: the best such policy is the sampler times
the exponential of reward over $\tau$. Its log-ratio to the sampler is therefore known at every
response, up to one number a prompt, the partition function. So one can simply *regress* the
log-ratio onto reward minus baseline, from any samples; at the sampler itself this is a policy
gradient with a baseline, and away from it a squared log-ratio holds the policy back.

## Equation

$$
\ell_i=\sum_t\log\frac{\pi_\theta(y_{i,t})}{\pi_{old}(y_{i,t})},\qquad
\mathcal L=\frac1k\sum_{i=1}^k\big(R_i-b-\tau\,\ell_i\big)^2,\qquad
b=\bar R\ \text{ or }\ \tau\log\frac1k\sum_j e^{R_j/\tau}
$$

$$
-\frac1{2\tau}\nabla\mathcal L=\frac1k\sum_i\Big(\nabla\log\pi_\theta(y_i)(R_i-b)
-\frac\tau2\nabla\,\ell_i^2\Big)
$$

Kimi K2.5 replaces the regression by a term per token, with $N$ the tokens of the batch:

$$
\mathcal L=-\frac1N\sum_{i,t}\Big[\operatorname{Clip}(r_{i,t},\alpha,\beta)(R_i-\bar R)
-\tau\big(\log r_{i,t}\big)^2\Big]
$$

Source: Kimi k1.5, arXiv 2501.12599v4, Eq. 3 for the gradient; the loss has no equation number

Source: Kimi K2, arXiv 2507.20534v2, Section 3.2.3; read in a transcription, number not confirmed

Source: Kimi K2.5, arXiv 2602.02276v1, Eq. (1); read in a transcription

The loss of k1.5 is in Section 2.3.2, its length reward in Section 2.3.3.

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta$ | `log_prob` | `[B, T]` | the current policy on the sampled tokens |
| $\log\pi_{old}$ | `old_log_prob` | `[B, T]` | the policy that sampled; data |
| $R-b$ | `centered_rewards` | `[B]` | from `kimi_centered_rewards`; data |
| $m$ | `mask` | `[B, T]` | 1 on tokens of the response |
| $\tau$ | `tau` | number | strength of the pull to the sampler |
| $\alpha$ | `ratio_min` | number | least ratio whose token still gets the policy gradient |
| $\beta$ | `ratio_max` | number | largest such ratio |
| $k$ | `denominator` | number | rows (per token: tokens) of the whole batch, if this is a part |
| $R$ | `rewards` | `[B]` | one reward a response |
| | `group` | `[B]` | which prompt a response answers |
| $b$ | `log_partition` | bool | baseline from the partition function, not the mean reward |
| | `lengths` | `[B]` | tokens of each response |
| | `correct` | `[B]` | 1 where the answer is right |

## Choices

- **Baseline.** k1.5 derives the estimate of the partition function and reports that the mean
  reward works in practice; K2 prints the mean. As $\tau\to\infty$ the two agree. No default.
- **Sum.** The log-ratio of a response is a sum over its tokens. Averaging it would give every
  length its own $\tau$. veRL's `dro` squares the log-ratio of each *token*: on the reference
  vectors another objective, and a relative of K2.5's rather than of k1.5's.
- **Sampler.** `old_log_prob` must be of the policy that sampled, which k1.5 also takes as the
  center of the penalty; it resets the optimizer when the center moves.
- **K2.5's interval.** The formula clips the *ratio*, its prose speaks of *log-ratios* in
  $[\alpha,\beta]$; the formula is followed. The regularizer is not clipped.
- **Rows.** A row without a token is left out of $k$.

## Tested

Agrees with values derived in float64 for both baselines, and in the per-token relative with veRL
0.9.1's `dro`, on the reference vectors. The gradient is $-2\tau$ times Eq. (3); the loss is 0
exactly where $\ell=(R-b)/\tau$; on the sampler the gradient is that of centered REINFORCE; a
uniform group there has none; the partition baseline goes to the mean as $\tau$ grows; a shift of
all rewards changes nothing. In K2.5's form tokens outside the interval keep only the regularizer's
gradient, for both signs of the advantage.
"""

from __future__ import annotations

import torch
from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.advantages import group_centered
from evidence_matrix.objectives.aggregation import (
    Denominator,
    sequence_mean_token_sum,
    token_mean,
)
from evidence_matrix.objectives.ratios import log_ratio, selected, share
from evidence_matrix.objectives.regularized import outside, regularized_surrogate

ORDER = 20


@torch.no_grad()
def kimi_centered_rewards(
    rewards: Tensor, group: Tensor, *, tau: float, log_partition: bool
) -> Tensor:
    r"""$R_i-b$ with the baseline of the row's group, `[B]`.

    Raises:
        ValueError: wrong shapes, or a group with one member.

    """
    shapes.positive(tau=tau)
    centered = group_centered(rewards, group)
    if not log_partition:
        return centered
    # Relative to the mean, log-mean-exp of what remains is what the partition adds to it.
    baseline = torch.empty_like(centered)
    for label in torch.unique(group):
        members = group == label
        scaled = centered[members] / tau
        baseline[members] = tau * (scaled.logsumexp(dim=0) - scaled.new_tensor(len(scaled)).log())
    return centered - baseline


@torch.no_grad()
def kimi_length_rewards(lengths: Tensor, correct: Tensor, group: Tensor) -> Tensor:
    r"""k1.5's length reward `[B]`, to be added with a weight: short answers gain, long ones lose.

    $\lambda_i=\frac12-(\text{len}_i-\min)/(\max-\min)$ within the group; $\lambda_i$ if correct,
    $\min(0,\lambda_i)$ if not, and 0 where all lengths of the group are equal.
    """
    shapes.row_vector(len(group), lengths=lengths, correct=correct)
    right = shapes.binary("correct", correct)
    rewards = torch.zeros(len(group), dtype=torch.get_default_dtype(), device=group.device)
    for label in torch.unique(group):
        members = group == label
        least, most = lengths[members].min(), lengths[members].max()
        if most > least:
            position = (lengths[members] - least) / (most - least)
            rewards[members] = (0.5 - position).to(rewards)
    return torch.where(right, rewards, rewards.clamp(max=0))


def kimi_mirror_descent(
    log_prob: Tensor,
    old_log_prob: Tensor,
    centered_rewards: Tensor,
    mask: Tensor,
    *,
    tau: float,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    r"""The loss, and detached `log_ratio` and `residual` (its absolute value), means over rows.

    Raises:
        ValueError: wrong shapes, `tau` not positive, or no row with a token while no denominator
            is given.

    """
    shapes.positive(tau=tau)
    keep = shapes.token_mask(mask, log_prob=log_prob, old_log_prob=old_log_prob)
    shapes.row_vector(len(keep), centered_rewards=centered_rewards)
    sequence_log_ratio = log_ratio(log_prob, old_log_prob, keep).sum(dim=1)
    residual = centered_rewards.detach() - tau * sequence_log_ratio
    rows = keep.any(dim=1)
    loss = sequence_mean_token_sum(residual[:, None] ** 2, rows[:, None], denominator=denominator)
    return loss, {
        "log_ratio": share(sequence_log_ratio, rows),
        "residual": share(residual.abs(), rows),
    }


def kimi_token_mirror_descent(
    log_prob: Tensor,
    old_log_prob: Tensor,
    centered_rewards: Tensor,
    mask: Tensor,
    *,
    tau: float,
    ratio_min: float,
    ratio_max: float,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    r"""K2.5's loss, and detached `clip_fraction` and `squared_log_ratio` (means over tokens).

    Raises:
        ValueError: wrong shapes, an empty interval, or no token while no denominator is given.

    """
    keep = shapes.token_mask(mask, log_prob=log_prob, old_log_prob=old_log_prob)
    shapes.row_vector(len(keep), centered_rewards=centered_rewards)
    log_ratios = log_ratio(log_prob, old_log_prob, keep)
    scores = selected(centered_rewards.detach()[:, None], keep)
    surrogate = regularized_surrogate(
        log_ratios, scores, tau=tau, ratio_min=ratio_min, ratio_max=ratio_max
    )
    clipped = outside(log_ratios, ratio_min=ratio_min, ratio_max=ratio_max)
    return -token_mean(surrogate, keep, denominator=denominator), {
        "clip_fraction": share(clipped, keep),
        "squared_log_ratio": share(log_ratios**2, keep),
    }
