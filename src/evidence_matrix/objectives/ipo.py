r"""IPO: preference learning that aims at a finite margin instead of pushing it without end.

## Idea

Where a preference is certain, the logistic loss of DPO is never content: the margin grows without
bound and the pull to the reference, however strong, is overcome. Optimizing the preference
probability itself under the same KL penalty leads to a regression instead: the difference of the
log-ratios should *be* half of one over the strength of the penalty. Beyond that target the
gradient turns back.

## Equation

$$
h=\log\frac{\pi_\theta(y_w)}{\pi_{ref}(y_w)}-\log\frac{\pi_\theta(y_l)}{\pi_{ref}(y_l)},\qquad
\mathcal L=\frac1P\sum_{i=1}^P\Big(h_i-\frac1{2\tau}\Big)^2
$$

with the log-probability of a whole response. The paper drops a constant that has no gradient.

Source: IPO, arXiv 2310.12036v2, Eq. 17

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta(y_w)$ | `chosen_log_prob` | `[P, T]` | the policy on the chosen response |
| $\log\pi_\theta(y_l)$ | `rejected_log_prob` | `[P, T']` | the policy on the rejected response |
| $\log\pi_{ref}(y_w)$ | `ref_chosen_log_prob` | `[P, T]` | the reference on the chosen one; data |
| $\log\pi_{ref}(y_l)$ | `ref_rejected_log_prob` | `[P, T']` | the reference on the rejected; data |
| $m_w$ | `chosen_mask` | `[P, T]` | 1 on tokens of the chosen response |
| $m_l$ | `rejected_mask` | `[P, T']` | 1 on tokens of the rejected response |
| $\tau$ | `tau` | number | strength of the pull to the reference; the target is $1/(2\tau)$ |
| | `average_tokens` | bool | log-ratios averaged over a response's tokens, not summed |
| $P$ | `denominator` | number | pairs of the whole batch, if this is one part of it |

## Choices

- **Sum or average.** The printed equation has the log-probability of a response, a sum; OpenRLHF
  and rlhf-book follow it. TRL and AReaL average over tokens and say that the authors confirmed it.
  The target is the same number in both, so the two ask for margins that differ by the length: on
  the same tensors the reference vectors have the loss 1.43 averaged and 5.45 summed. There is no
  default.
- **$\tau$ is not DPO's $\beta$.** Both hold the policy to the reference, but the scale differs,
  and frameworks pass one argument `beta` to both.

## Tested

Agrees in value and gradient with TRL 1.16.0 (averaged) and OpenRLHF 0.11.2 (summed) on the
reference vectors. The loss is 0 with zero gradient exactly at $h=1/(2\tau)$, symmetric about it,
and quadratic. Writing every token of both responses twice leaves the averaged form alone and
doubles $h$ in the summed one. Masked positions have gradient exactly 0.
"""

from __future__ import annotations

from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.aggregation import Denominator
from evidence_matrix.objectives.preferences import (
    average,
    mean_log_ratio,
    mean_over_rows,
    response_log_ratio,
    response_mask,
    same_pairs,
)

ORDER = 4


def ipo(
    chosen_log_prob: Tensor,
    rejected_log_prob: Tensor,
    ref_chosen_log_prob: Tensor,
    ref_rejected_log_prob: Tensor,
    chosen_mask: Tensor,
    rejected_mask: Tensor,
    *,
    tau: float,
    average_tokens: bool,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss, and detached means over pairs: `margin` of $h$ and `accuracy` of $h>0$.

    Raises:
        ValueError: wrong shapes, a response without a token, or `tau` not positive.

    """
    shapes.positive(tau=tau)
    chosen_keep = response_mask(
        "chosen_mask",
        chosen_mask,
        chosen_log_prob=chosen_log_prob,
        ref_chosen_log_prob=ref_chosen_log_prob,
    )
    rejected_keep = response_mask(
        "rejected_mask",
        rejected_mask,
        rejected_log_prob=rejected_log_prob,
        ref_rejected_log_prob=ref_rejected_log_prob,
    )
    same_pairs(chosen_keep, rejected_keep)
    over_tokens = mean_log_ratio if average_tokens else response_log_ratio
    margin = over_tokens(chosen_log_prob, ref_chosen_log_prob, chosen_keep) - over_tokens(
        rejected_log_prob, ref_rejected_log_prob, rejected_keep
    )
    loss = mean_over_rows((margin - 1 / (2 * tau)) ** 2, denominator=denominator)
    return loss, {"margin": average(margin), "accuracy": average(margin > 0)}
