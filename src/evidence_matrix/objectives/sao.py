r"""SAO: REINFORCE weighted by the ratio to the sampler, with every token outside a band left out.

## Idea

When sampling and training run side by side, one response may be written by several versions of the
policy, and nobody keeps the old ones. What is kept is the log-probability that the sampler itself
reported. Its ratio to the current policy corrects for staleness, for the difference between the two
engines, and for several updates on one sample, all at once. A token whose ratio is far off on
either side is not trusted and is left out, whatever its advantage. A critic supplies the advantage,
since only one response is sampled for each prompt, and it steps over what the environment wrote.

## Equation

$$
\mathcal L=-\frac1N\sum_t f(r_t)\,\hat A_t\log\pi_\theta(a_t),\qquad
r_t=\frac{\pi_\theta(a_t)}{\pi_{rollout}(a_t)},\qquad
f(r)=\begin{cases}r,&1-\epsilon_{low}<r<1+\epsilon_{high}\\0,&\text{otherwise}\end{cases}
$$

Skip-observation GAE, from the last token $a_{i,N}$ of an action to the next one's first:

$$
\delta=r_t+\gamma V(a_{i+1,0})-V(a_{i,N}),\qquad
\hat A(a_{i,N})=\delta+\gamma\lambda\hat A(a_{i+1,0})
$$

Source: SAO, arXiv 2607.07508v1, Eqs. 1-5 read in a translation, not confirmed in the paper
Source: GLM-5, arXiv 2602.15763v2, equation numbers not confirmed (read in a transcription)

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta$ | `log_prob` | `[B, T]` | the current policy on the sampled tokens |
| $\log\pi_{rollout}$ | `rollout_log_prob` | `[B, T]` | as the sampler reported it; data |
| $\hat A$ | `advantages` | `[B, T]` | of each token; data |
| $m$ | `mask` | `[B, T]` | 1 on tokens of actions, 0 on observations and padding |
| $\epsilon_{low}$ | `clip_low` | number | how far below 1 a ratio is trusted |
| $\epsilon_{high}$ | `clip_high` | number | how far above 1 a ratio is trusted |
| $\operatorname{sg}$ or not | `detach_weight` | true or false | whether $f$ is a constant |
| $N$ | `denominator` | number | action tokens of the whole batch, if this is a part |
| $r$ | `ratio` | any | what the band is applied to |

## Choices

- **End points.** The formula is strict; the prose around it in the GLM-5 report writes a closed
  interval. The formula is followed. IcePop, as slime has it, keeps the end points; away from them
  the two agree exactly.
- **Whether $f$ is differentiated** is not said. Held constant, this is the importance-weighted
  policy gradient; differentiated, the gradient gets the factor $1+\log\pi_\theta$, which is
  negative for a token less likely than $1/e$. It must be named here.
- **Tokens left out stay in the denominator**, as in AReaL and slime; otherwise the tokens that
  remain would gain weight as more are left out.
- **GAE.** `gae` steps over masked positions. OpenRLHF lets observations act as time steps, which
  moves an advantage by up to 0.21 on the reference case.

## Tested

Loss, gradient and mask are those of an independent derivation, which agrees with slime's IcePop off
the boundary, and the advantages those of slime on the actions alone, on the reference cases. Worked
by hand: five ratios on and off the boundary. Properties: both ends are excluded exactly, for both
signs; a batch with nothing trusted has loss and gradient exactly 0; on fresh samples it is
REINFORCE; without a band the importance-weighted gradient; the denominator does not change as
tokens are left out; differentiating $f$ multiplies the gradient by $1+\log\pi_\theta$; observations
put in anywhere change no advantage.
"""

from __future__ import annotations

import torch
from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.advantages import gae
from evidence_matrix.objectives.aggregation import Denominator, token_mean
from evidence_matrix.objectives.ratios import selected, share, token_ratio

__all__ = ["double_sided_mask", "gae", "sao"]

ORDER = 21


def double_sided_mask(ratio: Tensor, *, clip_low: float, clip_high: float) -> Tensor:
    """Which ratios are trusted: booleans, true strictly inside the band."""
    shapes.non_negative(clip_low=clip_low, clip_high=clip_high)
    return (ratio > 1 - clip_low) & (ratio < 1 + clip_high)


def sao(
    log_prob: Tensor,
    rollout_log_prob: Tensor,
    advantages: Tensor,
    mask: Tensor,
    *,
    clip_low: float,
    clip_high: float,
    detach_weight: bool,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss, and detached `rejected_fraction` and `ratio_mean`; over action tokens."""
    keep = shapes.token_mask(
        mask, log_prob=log_prob, rollout_log_prob=rollout_log_prob, advantages=advantages
    )
    scores = advantages.detach()
    log_likelihood = selected(log_prob, keep)
    ratio = token_ratio(log_prob, rollout_log_prob, keep)
    trusted = double_sided_mask(ratio, clip_low=clip_low, clip_high=clip_high)
    weight = ratio.detach() if detach_weight else ratio
    surrogate = torch.where(trusted, weight * scores * log_likelihood, 0)
    loss = -token_mean(surrogate, keep, denominator=denominator)
    return loss, {
        "rejected_fraction": share(~trusted, keep),
        "ratio_mean": share(ratio, keep),
    }
