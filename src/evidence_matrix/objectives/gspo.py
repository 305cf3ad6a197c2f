r"""GSPO: one ratio and one clip for each whole response, from its mean log-ratio.

## Idea

The reward judges a response, so what is weighted and clipped should be the response. The ratio of
two likelihoods of a long text is huge or tiny; its root of the order of the length, the geometric
mean of the token ratios, is comparable across lengths. All tokens of a response then share one
weight, and a response is clipped as a whole or not at all.

## Equation

$$
\mathcal L=-\frac1G\sum_{i=1}^G\min\big(s_i\hat A_i,\
\operatorname{clip}(s_i,1-\epsilon_{low},1+\epsilon_{high})\hat A_i\big),\qquad
s_i=\exp\Big(\frac1{|y_i|}\sum_{t=1}^{|y_i|}
\log\frac{\pi_\theta(y_{i,t})}{\pi_{old}(y_{i,t})}\Big)
$$

Source: GSPO, arXiv 2507.18071v2, Eqs. 5, 6 and 7

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta$ | `log_prob` | `[B, T]` | the current policy on the sampled tokens |
| $\log\pi_{old}$ | `old_log_prob` | `[B, T]` | the policy that sampled; data |
| $\hat A_i$ | `advantages` | `[B]` | one number a response; data |
| $m$ | `mask` | `[B, T]` | 1 on tokens of the response |
| $\epsilon_{low}$ | `clip_low` | number | how far below 1 a response's ratio may go |
| $\epsilon_{high}$ | `clip_high` | number | how far above; in the paper's equation the same |
| $G$ | `denominator` | number | rows of the whole batch, if this is one part of it |

## Choices

- **The mean** is over responses. Spread over tokens and averaged by tokens, a long response weighs
  more: AReaL does so, which moves the loss by 0.040 on the reference case, where it is 0.365. TRL
  warns of token sums.
- **One advantage a response** is demanded by the shape. Advantages that differ along a row belong
  to GSPO-token; OpenRLHF takes them here, with the same value and another gradient.
- **Advantages** are those of GRPO (Eq. 6); its choices apply.

## Tested

Loss and gradient are those of TRL on the reference case, which agrees with veRL, OpenRLHF and
slime. Worked by hand: token ratios 4 and 1 make a ratio of 2, and a second response is clipped.
Properties: equal to GSPO-token in value and gradient when advantages are equal along rows; token
ratios far outside the band are not clipped when their mean is inside; doubling every token of a
response changes nothing; all tokens of a response have the same gradient.
"""

from __future__ import annotations

from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.aggregation import Denominator, sequence_mean_token_mean
from evidence_matrix.objectives.ratios import (
    clip_stats,
    clipped_surrogate,
    sequence_ratio,
)

ORDER = 16


def gspo(
    log_prob: Tensor,
    old_log_prob: Tensor,
    advantages: Tensor,
    mask: Tensor,
    *,
    clip_low: float,
    clip_high: float,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss, and detached `clip_fraction` and `ratio_mean`, both over responses."""
    keep = shapes.token_mask(mask, log_prob=log_prob, old_log_prob=old_log_prob)
    shapes.row_vector(len(mask), advantages=advantages)
    shapes.non_negative(clip_low=clip_low, clip_high=clip_high)
    # One column, one term a response; a response without tokens is masked like a token.
    present = keep.any(dim=1, keepdim=True)
    scores = advantages.detach()[:, None]
    ratio = sequence_ratio(log_prob, old_log_prob, keep)[:, None]
    surrogate = clipped_surrogate(ratio, scores, clip_low=clip_low, clip_high=clip_high)
    loss = -sequence_mean_token_mean(surrogate, present, denominator=denominator)
    return loss, clip_stats(ratio, scores, present, clip_low=clip_low, clip_high=clip_high)
