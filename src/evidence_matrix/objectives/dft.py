r"""DFT: fine-tuning that weighs each token by the probability the model already gives it.

## Idea

Read as reinforcement learning, the gradient of supervised fine-tuning is a policy gradient with a
reward of one over the probability of the demonstrated token: tokens that the model finds absurd
get the largest push. Dynamic fine-tuning cancels that factor by multiplying each token's loss with
its probability, held constant. Expert tokens that are far from the model then hardly move it.

## Equation

$$
\mathcal L=-\frac1N\sum_{b,t}m_{b,t}\ \operatorname{sg}\big(\pi_\theta(y_{b,t})\big)\,
\log\pi_\theta(y_{b,t}),\qquad N=\sum_{b,t}m_{b,t}
$$

with $\operatorname{sg}$ the stop-gradient, so that the gradient of a token is $\pi_\theta(y_t)$
times its gradient under SFT.

Source: DFT, arXiv 2508.05629v3, Eq. 9

The denominator is that of the authors' code, yongliang-wu/DFT@0622902.

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $z$ | `logits` | `[B, T, V]` | position t predicts token t + 1 |
| $y$ | `input_ids` | `[B, T]` | token ids, prompt and answer |
| $m$ | `loss_mask` | `[B, T]` | 1 on tokens to be learned, 0 on prompt and padding |
| $N$ | `denominator` | number | tokens of the whole batch, if this is one part of it |

## Choices

- **Stop-gradient.** The authors' code and TRL detach the probability. Differentiating it as well
  gives the gradient of $-p\log p$, whose sign turns where $p<e^{-1}$, so that unlikely tokens are
  pushed further down. The value is the same and only the gradient differs: by up to 0.05 on the
  reference vector.
- **Denominator.** Eq. 9 prints a sum over the tokens of an answer, and an expectation over answers.
  The authors' code and TRL divide by the tokens of the batch, and so does this, not by the sum of
  the weights: the weights are meant to make the loss smaller.
- **Precision.** The weight is computed in the precision of `logits`; in bfloat16 it has three
  digits.

## Tested

Agrees in value and gradient with TRL 1.16.0 on the reference vector; the attached weight does not.
The gradient of a token is its probability times the SFT gradient; it vanishes as the probability
goes to 0, and becomes that of SFT as it goes to 1. Masked positions have gradient exactly 0.
"""

from __future__ import annotations

from torch import Tensor

from evidence_matrix.objectives.aggregation import Denominator, token_mean
from evidence_matrix.objectives.ratios import share
from evidence_matrix.objectives.vocabulary import target_log_prob

ORDER = 2


def dft(
    logits: Tensor,
    input_ids: Tensor,
    loss_mask: Tensor,
    *,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss, and detached `weight` (mean probability of the targets) and `log_prob`.

    Raises:
        ValueError: as for SFT: wrong shapes, a first token that counts, an id outside the
            vocabulary, or a mask that keeps no token while no denominator is given.

    """
    log_prob, keep, _ = target_log_prob(logits, input_ids, loss_mask)
    weight = log_prob.detach().exp()
    loss = token_mean(-weight * log_prob, keep, denominator=denominator)
    return loss, {"weight": share(weight, keep), "log_prob": share(log_prob, keep)}
