r"""SFT: supervised fine-tuning, the log-loss of each target token given the ones before it.

## Idea

Show the model a good answer and ask it to make every token of that answer likelier. Maximizing the
likelihood of independent demonstrations is the same as minimizing the mean of the negative
log-probabilities, and because an answer factors into tokens, so does the loss. In the logits the
gradient is "what was predicted minus what was there": it pushes up one token and pushes down all
others in proportion to how likely they were held to be.

## Equation

$$
\mathcal L=-\operatorname*{agg}_{b,t}\ \log\pi_\theta(y_{b,t}\mid x_b,y_{b,<t}),\qquad
\frac{\partial\mathcal L}{\partial z_{b,t-1}}=w_{b,t}\,
\big(\operatorname{softmax}(z_{b,t-1})-e_{y_{b,t}}\big)
$$

where $w_{b,t}$ is the weight that the aggregation gives to the token ($1/N$ for the mean over
tokens).

Source: maximum likelihood; common practice, no equation number

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $z$ | `logits` | `[B, T, V]` | position t predicts token t + 1 |
| $y$ | `input_ids` | `[B, T]` | token ids, prompt and answer |
| $m$ | `loss_mask` | `[B, T]` | 1 on tokens to be learned, 0 on prompt and padding |
| $\operatorname{agg}$ | `aggregation` | function | how tokens become one number |
| $N$ | `denominator` | number | that of the whole batch, if this is one part of it |

## Choices

- **Shift.** The mask is aligned with the tokens, and the logit that predicts token t stands at t -
  1. Comparing position t with token t instead gives another number without any error: on the
  reference vector the loss moves by 0.26 and the gradient by up to 0.2. A mask that keeps the
  first token of a row is refused, since nothing predicts it.
- **Denominator.** torch's cross entropy, TRL and OpenRLHF (token-level) divide by the tokens of
  the batch; OpenRLHF also offers the mean over answers of each answer's mean. The first lets a
  long answer weigh more, the second a token of a short one. There is no default.
- **Accumulation.** A mean of the means of micro-batches weighs tokens of short micro-batches more.
  TRL and others were once wrong here (TRL issue 5619, torchtune 1875, open-instruct 1161). Give
  every part the `denominator` of the whole.
- **Masked ids.** Ids at masked positions may be anything, such as the -100 of common practice.

## Tested

Agrees in value and gradient with torch's cross entropy, and through it with TRL 1.16.0 and
OpenRLHF 0.11.2, on the reference vector; the unshifted reading does not. The gradient in the
logits is softmax minus one-hot, sums to 0 over the vocabulary and is exactly 0 at positions that
predict nothing of interest, also when NaN stands there. Uniform logits cost ln V a token; adding a
constant to a position's logits changes nothing; parts of a batch add up under the whole batch's
denominator.
"""

from __future__ import annotations

from torch import Tensor

from evidence_matrix.objectives.aggregation import Aggregation, Denominator
from evidence_matrix.objectives.ratios import share
from evidence_matrix.objectives.vocabulary import target_log_prob

ORDER = 1


def sft(
    logits: Tensor,
    input_ids: Tensor,
    loss_mask: Tensor,
    *,
    aggregation: Aggregation,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss, and detached `accuracy` (share of tokens that were the likeliest) and `log_prob`.

    Raises:
        ValueError: wrong shapes, a first token that counts, an id outside the vocabulary, or a
            mask that keeps no token while no denominator is given.

    """
    log_prob, keep, likeliest = target_log_prob(logits, input_ids, loss_mask)
    loss = aggregation(-log_prob, keep, denominator=denominator)
    return loss, {"accuracy": share(likeliest, keep), "log_prob": share(log_prob, keep)}
