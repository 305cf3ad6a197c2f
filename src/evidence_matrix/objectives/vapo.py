r"""VAPO: PPO for long reasoning, with a trace each for critic and policy and a pull to successes.

## Idea

A critic is worth its cost if its bias is kept out of the policy. Its own target is the plain
return, which has no bias; the policy's advantages are smoothed by a trace whose length grows with
the response, so that the reward of a long answer still reaches its beginning. The critic is first
fitted to returns of a fixed policy. Where successes are rare, those that are found are also
imitated outright.

## Equation

$$
\lambda_{policy}=1-\frac1{\alpha l},\qquad\lambda_{critic}=1,\qquad
\mathcal L=\mathcal L_{PPO}+\mu\,\mathcal L_{NLL}
$$

$$
\mathcal L_{PPO}=-\frac1{\sum_i|o_i|}\sum_i\sum_t
\min\big(r_{i,t}\hat A_{i,t},\ \operatorname{clip}(r_{i,t},1-\epsilon_{low},1+\epsilon_{high})
\hat A_{i,t}\big)
$$

$$
\mathcal L_{NLL}=-\frac1{\sum_{i\in\mathcal T}|o_i|}\sum_{i\in\mathcal T}\sum_t
\log\pi_\theta(o_{i,t}),\qquad
\mathcal L_V=\frac1{2\sum_i|o_i|}\sum_i\sum_t\big(V_{i,t}-R_{i,t}\big)^2
$$

with $\mathcal T$ the correct responses and $l=|o_i|$.

Source: VAPO, arXiv 2504.05118v3, Eqs. 4, 5, 8, 9 and 10
Source: Seed1.5-Thinking, Eqs. 1, 2 and Section 4 of its repository's PDF

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta$ | `log_prob` | `[B, T]` | the current policy on the sampled tokens |
| $\log\pi_{old}$ | `old_log_prob` | `[B, T]` | the policy that sampled; data |
| $\hat A$ | `advantages` | `[B, T]` | of each token; data |
| $\mathcal T$ | `correct` | `[B]` | 1 on responses to imitate |
| $m$ | `mask` | `[B, T]` | 1 on tokens of the response |
| $\epsilon_{low}$ | `clip_low` | number | how far below 1 a ratio may go |
| $\epsilon_{high}$ | `clip_high` | number | how far above 1 a ratio may go |
| $\mu$ | `nll_coef` | number | weight of imitation |
| $\sum_i\lvert o_i\rvert$ | `denominator` | number | tokens of the whole batch, if this is a part |
| $\sum_{\mathcal T}\lvert o_i\rvert$ | `nll_denominator` | number | tokens of the correct ones |
| $r$ | `rewards` | `[B, T]` | reward of each token |
| $V$ | `values` | `[B, T]` | the critic, before each token |
| $V_{end}$ | `final_values` | `[B]` | the critic where a response was cut; 0 where it ended |
| $R$ | `returns` | `[B, T]` | what the critic should say; data |
| $l$ | `lengths` | `[B]` | unmasked tokens of each response |
| $\alpha$ | `alpha` | number | how the trace grows with length |
| $\gamma$ | `gamma` | number | discount |
| $\lambda_{critic}$ | `lam_critic` | number | trace of the critic's target |

## Choices

- **Short responses.** Where $\alpha l<1$ the rule gives a negative trace; it is held at 0.
- **$l$** counts unmasked tokens.
- **Two recursions.** The critic's target is not the policy's advantage plus the value: that would
  be a target of the policy's trace.
- **No correct response:** the imitation term is 0, not an error.
- **Value loss.** Not printed; half the squared error over all tokens, without a clip, also in
  pretraining.
- No framework that was searched ships it (TRL, veRL, OpenRLHF, AReaL, slime, ms-swift, torchrl).

## Tested

Traces, advantages and targets are those of an independent derivation, and the value loss is that of
veRL, on the reference cases. Worked by hand: a loss of one correct and one wrong response.
Properties: the critic's target with trace and discount 1 is the return and does not depend on the
critic; the trace grows with length, is never negative and depends on its own row alone; without
correct responses, or with $\mu=0$, the loss is that of DAPO; the gradient of imitation reaches
tokens of correct responses only. The laws hold.
"""

from __future__ import annotations

import torch
from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.advantages import gae
from evidence_matrix.objectives.aggregation import Denominator, token_mean, token_sum
from evidence_matrix.objectives.ratios import clip_stats, clipped_surrogate, selected, token_ratio

ORDER = 15


@torch.no_grad()
def length_adaptive_lambda(lengths: Tensor, *, alpha: float) -> Tensor:
    """The trace of each response, `[B]`; 0 for one too short for the rule."""
    shapes.positive(alpha=alpha)
    return (1 - 1 / (alpha * lengths)).clamp(min=0)


def vapo_advantages(
    rewards: Tensor,
    values: Tensor,
    mask: Tensor,
    final_values: Tensor | None = None,
    *,
    alpha: float,
    gamma: float,
    lam_critic: float,
) -> tuple[Tensor, Tensor]:
    """Advantages for the policy and targets for the critic, both `[B, T]`, by separate traces."""
    lengths = shapes.token_mask(mask).sum(dim=1).to(values.dtype)
    lam = length_adaptive_lambda(lengths, alpha=alpha)
    advantages, _ = gae(rewards, values, mask, final_values, gamma=gamma, lam=lam)
    _, targets = gae(rewards, values, mask, final_values, gamma=gamma, lam=lam_critic)
    return advantages, targets


def vapo_value(
    values: Tensor, returns: Tensor, mask: Tensor, *, denominator: Denominator = None
) -> tuple[Tensor, dict[str, Tensor]]:
    """The critic's loss, in pretraining and after, and detached `value_error`, the mean bias.

    `value_error` is over `denominator` where one is given.
    """
    keep = shapes.token_mask(mask, values=values, returns=returns)
    error = selected(values, keep) - selected(returns.detach(), keep)
    loss = 0.5 * token_mean(error**2, keep, denominator=denominator)
    return loss, {"value_error": token_mean(error.detach(), keep, denominator=denominator)}


def vapo(
    log_prob: Tensor,
    old_log_prob: Tensor,
    advantages: Tensor,
    correct: Tensor,
    mask: Tensor,
    *,
    clip_low: float,
    clip_high: float,
    nll_coef: float,
    denominator: Denominator = None,
    nll_denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss, and detached `clip_fraction`, `ratio_mean`, `policy_loss` and `nll_loss`."""
    keep = shapes.token_mask(
        mask, log_prob=log_prob, old_log_prob=old_log_prob, advantages=advantages
    )
    shapes.row_vector(len(mask), correct=correct)
    if denominator is not None and nll_denominator is None:
        raise ValueError(
            "nll_denominator is missing; a part of a batch also needs the tokens of all correct "
            "responses in the whole batch"
        )
    shapes.non_negative(clip_low=clip_low, clip_high=clip_high, nll_coef=nll_coef)
    scores = advantages.detach()
    ratio = token_ratio(log_prob, old_log_prob, keep)
    surrogate = clipped_surrogate(ratio, scores, clip_low=clip_low, clip_high=clip_high)
    policy_loss = -token_mean(surrogate, keep, denominator=denominator)
    imitated = keep & shapes.binary("correct", correct)[:, None]
    if nll_denominator is None:
        nll_denominator = imitated.sum().clamp(min=1)
    nll_loss = -token_sum(log_prob, imitated, denominator=nll_denominator)
    stats = clip_stats(ratio, scores, keep, clip_low=clip_low, clip_high=clip_high)
    return policy_loss + nll_coef * nll_loss, {
        **stats,
        "policy_loss": policy_loss.detach(),
        "nll_loss": nll_loss.detach(),
    }
