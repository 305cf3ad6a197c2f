r"""ORPO: fine-tuning on the chosen response with a penalty on the odds of the rejected one.

## Idea

Fine-tuning on good responses also makes the bad ones likelier, since both look like answers.
Instead of a second stage with a reference model, one adds to the log-loss of the chosen response a
term that compares the two: how much larger are the odds of generating the chosen response than
those of the rejected one. Odds rather than probabilities make the comparison mild while both are
small and the term needs no reference.

## Equation

$$
a(y)=\frac1{|y|}\sum_t\log\pi_\theta(y_t),\qquad
\log\operatorname{odds}(y)=a-\log\big(1-e^{a}\big)
$$

$$
\mathcal L=\operatorname*{agg}_{i,t}\big(-\log\pi_\theta(y_{w,i,t})\big)
-\frac{\lambda}{P}\sum_{i=1}^P\log\sigma\big(\log\operatorname{odds}(y_{w,i})
-\log\operatorname{odds}(y_{l,i})\big)
$$

Source: ORPO, arXiv 2403.07691v2, Eqs. 2 (log-loss), 3, 4, 6 and 7

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta(y_w)$ | `chosen_log_prob` | `[P, T]` | the policy on the chosen response |
| $\log\pi_\theta(y_l)$ | `rejected_log_prob` | `[P, T']` | the policy on the rejected response |
| $m_w$ | `chosen_mask` | `[P, T]` | 1 on tokens of the chosen response |
| $m_l$ | `rejected_mask` | `[P, T']` | 1 on tokens of the rejected response |
| $\lambda$ | `orpo_lambda` | number | weight of the odds term |
| $\operatorname{agg}$ | `likelihood_aggregation` | function | mean over the chosen tokens |
| $P$ | `denominator` | number | pairs of the whole batch, if this is one part of it |
| | `likelihood_denominator` | number | that of the mean above; or `None` |
| $a$ | `mean_log_probs` | any | mean log-probability of a response, below 0 |

## Choices

- **Denominator of the log-loss.** Eq. 2 prints the mean over the tokens of a sequence. rlhf-book
  averages each response, then the pairs (`sequence_mean_token_mean`). The authors' code
  (xfactlab/orpo@208d2d6) and TRL average over all tokens of the batch (`token_mean`), and by
  default over prompt tokens as well. On the same response tokens the reference vectors have 1.322
  and 1.411. There is no default.
- **Average, not sum.** Log-probabilities in the odds are averaged over tokens; sums would make
  $1-e^{a}$ indistinguishable from 1.
- **Near certainty.** $\log(1-e^a)$ is computed without the cancellation that `log1p(-exp(a))` has
  as $a\to0$ (TRL issue 3237); at $a=0$ exactly the odds are held finite and the gradient is 0
  there.
- **Precision.** In the precision given; TRL computes the odds term in float32.

## Tested

Agrees in value and gradient with the form derived in float64 and with TRL 1.16.0 on the reference
vectors. Weight 0 leaves the log-loss; equal responses cost $\lambda\ln 2$; the odds term falls as
the chosen mean rises and rises with the rejected one; log-odds are finite and right from $-50$ to
$-10^{-12}$; masked positions have gradient exactly 0.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.aggregation import Aggregation, Denominator
from evidence_matrix.objectives.preferences import (
    average,
    mean_log_prob,
    mean_over_rows,
    response_mask,
    same_pairs,
)

ORDER = 6


def log_odds(mean_log_probs: Tensor) -> Tensor:
    r"""$a-\log(1-e^a)$ for $a\le0$, accurate at both ends; same shape."""
    below_zero = mean_log_probs.clamp(max=-torch.finfo(mean_log_probs.dtype).tiny)
    # Each formula keeps its digits on one side of -ln 2; the other side gets a harmless input.
    close = below_zero > -math.log(2)
    near = torch.log(-torch.expm1(torch.where(close, below_zero, -0.5)))
    far = torch.log1p(-torch.exp(torch.where(close, -1.0, below_zero)))
    return below_zero - torch.where(close, near, far)


def orpo(
    chosen_log_prob: Tensor,
    rejected_log_prob: Tensor,
    chosen_mask: Tensor,
    rejected_mask: Tensor,
    *,
    orpo_lambda: float,
    likelihood_aggregation: Aggregation,
    likelihood_denominator: Denominator,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss, and detached `nll`, `log_odds_ratio` (mean) and `accuracy` (share above 0).

    Raises:
        ValueError: wrong shapes, a response without a token, or a negative weight.

    """
    shapes.non_negative(orpo_lambda=orpo_lambda)
    chosen_keep = response_mask("chosen_mask", chosen_mask, chosen_log_prob=chosen_log_prob)
    rejected_keep = response_mask(
        "rejected_mask", rejected_mask, rejected_log_prob=rejected_log_prob
    )
    same_pairs(chosen_keep, rejected_keep)
    nll = likelihood_aggregation(-chosen_log_prob, chosen_keep, denominator=likelihood_denominator)
    chosen = log_odds(mean_log_prob(chosen_log_prob, chosen_keep))
    rejected = log_odds(mean_log_prob(rejected_log_prob, rejected_keep))
    comparison = mean_over_rows(logsigmoid(chosen - rejected), denominator=denominator)
    return nll - orpo_lambda * comparison, {
        "nll": nll.detach(),
        "log_odds_ratio": average(chosen - rejected),
        "accuracy": average(chosen > rejected),
    }
