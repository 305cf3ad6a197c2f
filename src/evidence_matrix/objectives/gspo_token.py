r"""GSPO-token: the weight of GSPO with an advantage for each token.

## Idea

In a dialogue of many turns one wants to credit tokens differently and still weight and clip by the
response. The trick is a ratio whose *value* is that of the response and whose *gradient* is that of
the token: the response's ratio, held constant, times the token's probability over itself, held
constant.

## Equation

$$
\mathcal L=-\frac1G\sum_{i=1}^G\frac1{|y_i|}\sum_{t=1}^{|y_i|}
\min\big(s_{i,t}\hat A_{i,t},\
\operatorname{clip}(s_{i,t},1-\epsilon_{low},1+\epsilon_{high})\hat A_{i,t}\big)
$$

$$
s_{i,t}=\operatorname{sg}[s_i]\cdot
\frac{\pi_\theta(y_{i,t})}{\operatorname{sg}[\pi_\theta(y_{i,t})]},\qquad
s_i=\exp\Big(\frac1{|y_i|}\sum_{t}\log\frac{\pi_\theta(y_{i,t})}{\pi_{old}(y_{i,t})}\Big)
$$

Source: GSPO, arXiv 2507.18071v2, Eqs. 7, 13 and 14

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta$ | `log_prob` | `[B, T]` | the current policy on the sampled tokens |
| $\log\pi_{old}$ | `old_log_prob` | `[B, T]` | the policy that sampled; data |
| $\hat A_{i,t}$ | `advantages` | `[B, T]` | of each token; data |
| $m$ | `mask` | `[B, T]` | 1 on tokens of the response |
| $\epsilon_{low}$ | `clip_low` | number | how far below 1 a response's ratio may go |
| $\epsilon_{high}$ | `clip_high` | number | how far above; in the paper's equation the same |
| $G$ | `denominator` | number | rows of the whole batch, if this is one part of it |

## Choices

- **Stop-gradients** are as printed. OpenRLHF differentiates the response's ratio itself under
  advantages of tokens: on the reference case the value agrees and the gradient differs by up to
  0.126, where the largest is 0.140. veRL's `gspo` is this objective.
- **Clip.** Whether a token is clipped depends on the response's ratio and the token's own sign, so
  one response may have clipped and free tokens.

## Tested

Loss and gradient are those of veRL on both reference cases. Worked by hand: on fresh samples,
advantages 1 and -2 in a response of two tokens give gradients -1/2 and 1. Properties: equal to GSPO
in value and gradient when advantages are equal along rows; the gradient of a free token is its own
advantage times the response's ratio, over the length and the rows; a response of one token is PPO's
term. The laws hold, with the stop-gradients frozen.
"""

from __future__ import annotations

from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.aggregation import Denominator, sequence_mean_token_mean
from evidence_matrix.objectives.ratios import (
    clip_stats,
    clipped_surrogate,
    selected,
    sequence_ratio,
)

ORDER = 17


def gspo_token(
    log_prob: Tensor,
    old_log_prob: Tensor,
    advantages: Tensor,
    mask: Tensor,
    *,
    clip_low: float,
    clip_high: float,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss, and detached `clip_fraction` and `ratio_mean`, both over tokens."""
    keep = shapes.token_mask(
        mask, log_prob=log_prob, old_log_prob=old_log_prob, advantages=advantages
    )
    shapes.non_negative(clip_low=clip_low, clip_high=clip_high)
    scores = advantages.detach()
    sequence = sequence_ratio(log_prob, old_log_prob, keep).detach()
    carrier = selected(log_prob - log_prob.detach(), keep).exp()
    ratio = sequence[:, None] * carrier
    surrogate = clipped_surrogate(ratio, scores, clip_low=clip_low, clip_high=clip_high)
    loss = -sequence_mean_token_mean(surrogate, keep, denominator=denominator)
    return loss, clip_stats(ratio, scores, keep, clip_low=clip_low, clip_high=clip_high)
