r"""RLOO: plain REINFORCE on whole responses, with the mean of the other responses as baseline.

## Idea

The policy gradient stays unbiased under any baseline that does not depend on the response that it
judges. With several responses to a prompt, the mean reward of the *others* is such a baseline, and
a good one. Nothing else is needed as long as the samples are fresh: no critic, no ratio, no clip.

## Equation

$$
A_i=R_i-\frac1{G-1}\sum_{j\ne i}R_j=\frac G{G-1}\big(R_i-\bar R\big),\qquad
\mathcal L=-\frac1{B^+}\sum_i A_i\sum_t\log\pi_\theta(y_{i,t})
$$

Source: RLOO, arXiv 2402.14740v2, Section 2.3; the estimator has no equation number

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta$ | `log_prob` | `[B, T]` | the current policy on the sampled tokens |
| $A_i$ | `advantages` | `[B]` | one number a response; data |
| $m$ | `mask` | `[B, T]` | 1 on tokens of the response |
| $B^+$ | `denominator` | number | rows of the whole batch, if this is one part of it |
| $R_i$ | `rewards` | `[B]` | one reward a response |
| $i\mapsto$ prompt | `group` | `[B]` | which prompt a response answers |

## Choices

- **One response to a prompt** has no others. veRL keeps the raw reward there, and its vectorized
  twin gives 0; here it is an error.
- **The loss.** TRL and veRL also pair this advantage with the clipped token loss of PPO; here it
  is the sequence form, which is exact on fresh samples and has no correction for stale ones.
- **A penalty** towards a reference belongs into $R_i$ before the baseline is taken.

## Tested

Advantages are those of veRL (both of its forms) on the reference case. Worked by hand: three
rewards, their baselines, the loss and its gradient. By exact enumeration over a policy with two
answers and groups of two, the expected gradient is that of the expected reward. Properties: they
sum to 0 in each group; a shift of rewards changes nothing and a scale scales; a uniform group gives
exactly 0; they are $G/(G-1)$ times those of Dr. GRPO.
"""

from __future__ import annotations

from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.advantages import group_leave_one_out
from evidence_matrix.objectives.aggregation import Denominator, sequence_mean_token_sum
from evidence_matrix.objectives.ratios import selected

ORDER = 10


def rloo_advantages(rewards: Tensor, group: Tensor) -> Tensor:
    """One advantage a response, `[B]`: its reward above the mean of the others in its group."""
    return group_leave_one_out(rewards, group)


def rloo(
    log_prob: Tensor,
    advantages: Tensor,
    mask: Tensor,
    *,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss, and detached `log_likelihood`, the mean over rows of a response's log-probability.

    `log_likelihood` is over `denominator` where one is given.
    """
    keep = shapes.token_mask(mask, log_prob=log_prob)
    shapes.row_vector(len(mask), advantages=advantages)
    log_likelihood = selected(log_prob, keep)
    scores = advantages.detach()[:, None]
    loss = -sequence_mean_token_sum(scores * log_likelihood, keep, denominator=denominator)
    mean = sequence_mean_token_sum(log_likelihood.detach(), keep, denominator=denominator)
    return loss, {"log_likelihood": mean}
