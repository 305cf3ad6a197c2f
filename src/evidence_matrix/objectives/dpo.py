r"""DPO: preference learning as classification, with the policy itself as the reward model.

## Idea

The best policy under a reward and a KL penalty to a reference is known in closed form: the
reference times the exponential of the reward. Solved for the reward, this says that $\beta$ times
the log-ratio of policy to reference *is* a reward, up to a term that is the same for both
responses to a prompt. Put into the Bradley-Terry model of preferences that term cancels, and what
remains is logistic regression on the difference of the two log-ratios: no reward model and no
sampling.

## Equation

$$
h=\log\frac{\pi_\theta(y_w)}{\pi_{ref}(y_w)}-\log\frac{\pi_\theta(y_l)}{\pi_{ref}(y_l)},\qquad
\mathcal L=-\frac1P\sum_{i=1}^P\Big[(1-\epsilon)\log\sigma(\beta h_i)
+\epsilon\log\sigma(-\beta h_i)\Big]
$$

with log-probabilities summed over the tokens of a response; $\epsilon=0$ is the loss of the paper.

Source: DPO, arXiv 2305.18290v3, Eq. 7

Source: cDPO, a note by E. Mitchell (web page), Eq. (3) by the DPO code; not confirmed in the note

The code is eric-mitchell/direct-preference-optimization@f8b8c0f, `trainers.py`.

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta(y_w)$ | `chosen_log_prob` | `[P, T]` | the policy on the chosen response |
| $\log\pi_\theta(y_l)$ | `rejected_log_prob` | `[P, T']` | the policy on the rejected response |
| $\log\pi_{ref}(y_w)$ | `ref_chosen_log_prob` | `[P, T]` | the reference on the chosen one; data |
| $\log\pi_{ref}(y_l)$ | `ref_rejected_log_prob` | `[P, T']` | the reference on the rejected; data |
| $m_w$ | `chosen_mask` | `[P, T]` | 1 on tokens of the chosen response |
| $m_l$ | `rejected_mask` | `[P, T']` | 1 on tokens of the rejected response |
| $\beta$ | `beta` | number | strength of the pull to the reference |
| $\epsilon$ | `label_smoothing` | number | probability that a label is the wrong way round |
| $P$ | `denominator` | number | pairs of the whole batch, if this is one part of it |

## Choices

- **Sum.** Log-probabilities are summed, as in the authors' code, TRL, OpenRLHF and rlhf-book.
  Averaging them makes another objective (TRL calls it length-normalized).
- **Label smoothing.** The conservative form above, as in OpenRLHF and rlhf-book. TRL's `robust` is
  the unbiased form $((1-\epsilon)a-\epsilon b)/(1-2\epsilon)$, another loss under a like name.
- **Empty responses.** Refused: truncation that leaves no token of a response (TRL issue 6321)
  would compare with the probability 1 of saying nothing.
- **Precision.** Sums are in the precision given. AReaL sums in float64, because float32 sums over
  thousands of tokens can flip the sign of a small margin.

## Tested

Agrees in value and gradient with TRL 1.16.0, OpenRLHF 0.11.2 and rlhf-book on the reference
vector. A policy that equals its reference has loss ln 2; the loss depends on the reference only
through its margin, and on the order of a pair through the sign of $h$; the gradient of a pair is
the same number at every token, negated between the two sides; masked positions have gradient
exactly 0.
"""

from __future__ import annotations

from torch import Tensor
from torch.nn.functional import logsigmoid

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.aggregation import Denominator
from evidence_matrix.objectives.preferences import (
    average,
    mean_over_rows,
    response_log_ratio,
    response_mask,
    same_pairs,
)

ORDER = 3


def dpo(
    chosen_log_prob: Tensor,
    rejected_log_prob: Tensor,
    ref_chosen_log_prob: Tensor,
    ref_rejected_log_prob: Tensor,
    chosen_mask: Tensor,
    rejected_mask: Tensor,
    *,
    beta: float,
    label_smoothing: float,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    r"""The loss, and detached means of what the policy implies as rewards.

    `chosen_reward` and `rejected_reward` are means of $\beta$ times a side's log-ratio, `margin`
    their difference, and `accuracy` the share of pairs with $h>0$.

    Raises:
        ValueError: wrong shapes, a response without a token, or a constant out of range.

    """
    shapes.positive(beta=beta)
    if not 0 <= label_smoothing < 0.5:
        raise ValueError(f"label_smoothing is {label_smoothing}; it must be in [0, 0.5)")
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
    chosen = beta * response_log_ratio(chosen_log_prob, ref_chosen_log_prob, chosen_keep)
    rejected = beta * response_log_ratio(rejected_log_prob, ref_rejected_log_prob, rejected_keep)
    margin = chosen - rejected
    surrogate = (1 - label_smoothing) * logsigmoid(margin) + label_smoothing * logsigmoid(-margin)
    return -mean_over_rows(surrogate, denominator=denominator), {
        "chosen_reward": average(chosen),
        "rejected_reward": average(rejected),
        "margin": average(margin),
        "accuracy": average(margin > 0),
    }
