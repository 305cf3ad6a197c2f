r"""SimPO: preference learning on mean log-probabilities with a margin, and no reference policy.

## Idea

What a model generates is what has a high mean log-probability a token, while DPO rewards a
log-ratio to another model; training and use then rank responses differently. SimPO takes the mean
log-probability itself as the reward, which needs no reference, does not grow with length, and asks
that the chosen response win by a set margin rather than merely win.

## Equation

$$
\mathcal L=-\frac1P\sum_{i=1}^P\log\sigma\Big(
\frac{\beta}{|y_w|}\log\pi_\theta(y_w)-\frac{\beta}{|y_l|}\log\pi_\theta(y_l)-\gamma\Big)
$$

with $|y|$ the tokens of a response. The paper asks for $\gamma>0$; here 0 is allowed as well.

Source: SimPO, arXiv 2405.14734v3, Eq. 6

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta(y_w)$ | `chosen_log_prob` | `[P, T]` | the policy on the chosen response |
| $\log\pi_\theta(y_l)$ | `rejected_log_prob` | `[P, T']` | the policy on the rejected response |
| $m_w$ | `chosen_mask` | `[P, T]` | 1 on tokens of the chosen response |
| $m_l$ | `rejected_mask` | `[P, T']` | 1 on tokens of the rejected response |
| $\beta$ | `beta` | number | scale of the reward |
| $\gamma$ | `simpo_gamma` | number | margin, in units of the scaled reward |
| $P$ | `denominator` | number | pairs of the whole batch, if this is one part of it |

## Choices

- **Whose $\gamma$.** The margin of the equation, outside $\beta$, as TRL takes it. The authors'
  code (princeton-nlp/SimPO@15c4ff8) takes `gamma_beta_ratio`, and rlhf-book calls that ratio
  `gamma`: a margin handed over without conversion is $\beta$ times as large. On the reference
  vector that moves the loss by 1.89.
- **Scale.** $\beta$ is much larger than in DPO, because means are much smaller than sums.

## Tested

Agrees in value and gradient with TRL 1.16.0 on the reference vector. Writing every token of both
responses twice changes nothing; $\gamma$ shifts the logit and nothing else; equal responses cost
softplus of $\gamma$; with $\gamma=0$ it is length-normalized DPO against a uniform reference;
masked positions have gradient exactly 0.
"""

from __future__ import annotations

from torch import Tensor
from torch.nn.functional import logsigmoid

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.aggregation import Denominator
from evidence_matrix.objectives.preferences import (
    average,
    mean_log_prob,
    mean_over_rows,
    response_mask,
    same_pairs,
)

ORDER = 7


def simpo(
    chosen_log_prob: Tensor,
    rejected_log_prob: Tensor,
    chosen_mask: Tensor,
    rejected_mask: Tensor,
    *,
    beta: float,
    simpo_gamma: float,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    r"""The loss, and detached means over pairs.

    `chosen_reward` and `rejected_reward` are $\beta$ times the mean log-probability of a side,
    `margin` their difference (without $\gamma$), and `accuracy` the share of pairs whose
    difference is more than $\gamma$.

    Raises:
        ValueError: wrong shapes, a response without a token, or a constant out of range.

    """
    shapes.positive(beta=beta)
    shapes.non_negative(simpo_gamma=simpo_gamma)
    chosen_keep = response_mask("chosen_mask", chosen_mask, chosen_log_prob=chosen_log_prob)
    rejected_keep = response_mask(
        "rejected_mask", rejected_mask, rejected_log_prob=rejected_log_prob
    )
    same_pairs(chosen_keep, rejected_keep)
    chosen = beta * mean_log_prob(chosen_log_prob, chosen_keep)
    rejected = beta * mean_log_prob(rejected_log_prob, rejected_keep)
    margin = chosen - rejected
    loss = -mean_over_rows(logsigmoid(margin - simpo_gamma), denominator=denominator)
    return loss, {
        "chosen_reward": average(chosen),
        "rejected_reward": average(rejected),
        "margin": average(margin),
        "accuracy": average(margin > simpo_gamma),
    }
