r"""PRIME: process rewards that a reward model trained on outcomes alone gives to every token.

## Idea

Write a reward as $\beta$ times the log-ratio of two language models. Trained only on whether whole
responses were right, such a reward model also scores every prefix, because the log-ratio is a sum
over tokens: dense rewards without step labels. The model is updated on the policy's own rollouts
while it is in use, which keeps it from being gamed, and its token rewards are added to the outcome
with a leave-one-out baseline for each.

## Equation

$$
r_\phi(y_t)=\beta\log\frac{\pi_\phi(y_t)}{\pi_{ref}(y_t)},\qquad
\mathcal L_{RM}=-\frac1B\sum_i\Big[o_i\log\sigma\Big(\sum_t r_\phi(y_{i,t})\Big)
+(1-o_i)\log\Big(1-\sigma\Big(\sum_t r_\phi(y_{i,t})\Big)\Big)\Big]
$$

$$
\hat A_{i,t}=\sum_{s\ge t}\gamma^{s-t}\Big[r_\phi(y_{i,s})-\frac1{k-1}\sum_{j\ne i}\bar r_j\Big]
+o_i-\frac1{k-1}\sum_{j\ne i}o_j,\qquad
\mathcal L=-\operatorname*{agg}_{i,t}\min\big(r_{i,t}\hat A_{i,t},
\operatorname{clip}(r_{i,t})\hat A_{i,t}\big)
$$

with $\bar r_j$ the mean token reward of response j.

Source: PRIME, arXiv 2502.01456v2, Eqs. 3, 5 and 6; the reward model's loss is in Algorithm 1

Source: PRIME-RL/PRIME@18ad596, `compute_rloo_returns`; released code, no equation number

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta$ | `log_prob` | `[B, T]` | the current policy on the sampled tokens |
| $\log\pi_{old}$ | `old_log_prob` | `[B, T]` | the policy that sampled; data |
| $\hat A$ | `advantages` | `[B, T]` | from `prime_advantages`; data |
| $m$ | `mask` | `[B, T]` | 1 on tokens of the response |
| $\epsilon_{low}$ | `clip_low` | number | how far below 1 a ratio may go |
| $\epsilon_{high}$ | `clip_high` | number | how far above 1; in the paper's equation the same |
| $\operatorname{agg}$ | `aggregation` | function | how tokens become one number |
| $N$ | `denominator` | number | that of the whole batch, if this is one part of it |
| $\log\pi_\phi$ | `prm_log_prob` | `[B, T]` | the reward model on the sampled tokens |
| $\log\pi_{ref}$ | `ref_log_prob` | `[B, T]` | the reward model's reference; data |
| $\beta$ | `prm_beta` | number | scale of the implicit reward |
| $o$ | `outcome` | `[B]` | 1 for a right response and 0 for a wrong one |
| $r_\phi$ | `token_rewards` | `[B, T]` | from `prime_token_rewards`; data |
| | `group` | `[B]` | which prompt a response answers |
| $\gamma$ | `gamma` | number | discount of the process rewards |
| | `scaled_own_reward` | bool | the baseline of the released code, not the printed one |

## Choices

- **Baseline of the process rewards.** Printed: the mean over the *other* responses. The released
  code takes $\frac{k}{k-1}r_s-\frac1{k-1}\sum_j\bar r_j$, which for a whole response would be the
  same, but token by token differs by $(r_s-\bar r_i)/(k-1)$: up to 0.32 on the reference vector.
- **$\beta$.** The released code applies it in the loss of the reward model and not to the token
  rewards, which there are weighed by a separate coefficient.
- **Whitening.** The released code whitens the returns over all tokens of the batch, by the
  unbiased deviation with 1e-8 added to the variance. Here that is left to the caller (`whitened`).
- **Order.** The reward model is updated on a batch before or after it scores it; not decided here.

## Tested

Agrees in value and gradient with the released reward-model loss, with the released returns and
their whitened form, and with the printed equation, on the reference vectors. Token rewards add up
to $\beta$ times the response's log-ratio; a reward model that equals its reference leaves
leave-one-out outcomes; the gradient of the reward model's loss is $\beta(\sigma-o)$ at every
token; process and outcome parts add; single responses are refused.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.advantages import group_leave_one_out, returns_to_go
from evidence_matrix.objectives.aggregation import Aggregation, Denominator
from evidence_matrix.objectives.preferences import average, mean_over_rows, response_mask
from evidence_matrix.objectives.ratios import (
    binding,
    clipped_surrogate,
    log_ratio,
    row_mean,
    selected,
    share,
    token_ratio,
)

ORDER = 23


@torch.no_grad()
def prime_token_rewards(
    prm_log_prob: Tensor, ref_log_prob: Tensor, mask: Tensor, *, prm_beta: float
) -> Tensor:
    r"""$r_\phi(y_t)$, one reward a token, `[B, T]`; 0 where masked."""
    shapes.positive(prm_beta=prm_beta)
    keep = shapes.token_mask(mask, prm_log_prob=prm_log_prob, ref_log_prob=ref_log_prob)
    return prm_beta * log_ratio(prm_log_prob, ref_log_prob, keep)


def prime_reward_model(
    prm_log_prob: Tensor,
    ref_log_prob: Tensor,
    outcome: Tensor,
    mask: Tensor,
    *,
    prm_beta: float,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The reward model's loss, and detached `accuracy` (its sign against the outcome).

    Raises:
        ValueError: wrong shapes, an outcome other than 0 and 1, or a response without a token.

    """
    shapes.positive(prm_beta=prm_beta)
    keep = response_mask("mask", mask, prm_log_prob=prm_log_prob, ref_log_prob=ref_log_prob)
    shapes.row_vector(len(keep), outcome=outcome)
    right = shapes.binary("outcome", outcome)
    score = prm_beta * log_ratio(prm_log_prob, ref_log_prob, keep).sum(dim=1)
    terms = binary_cross_entropy_with_logits(score, right.to(score), reduction="none")
    return mean_over_rows(terms, denominator=denominator), {
        "accuracy": average((score > 0) == right)
    }


@torch.no_grad()
def prime_advantages(
    token_rewards: Tensor,
    outcome: Tensor,
    group: Tensor,
    mask: Tensor,
    *,
    gamma: float,
    scaled_own_reward: bool,
) -> Tensor:
    """Process and outcome part together, one advantage a token, `[B, T]`; 0 where masked.

    Raises:
        ValueError: wrong shapes, a response without a token, or a group with one member.

    """
    keep = response_mask("mask", mask, token_rewards=token_rewards)
    shapes.row_vector(len(keep), outcome=outcome, group=group)
    own = row_mean(token_rewards, keep)
    # What leave-one-out gives is own mean less the others' mean; so the others' is the rest.
    others = own - group_leave_one_out(own, group)
    process = token_rewards - others[:, None]
    if scaled_own_reward:
        members = (group[:, None] == group).sum(dim=1)
        process = process + (token_rewards - own[:, None]) / (members - 1)[:, None]
    process_return = returns_to_go(selected(process, keep), keep, gamma=gamma)
    outcome_part = group_leave_one_out(outcome.to(token_rewards), group)
    return selected(process_return + outcome_part[:, None], keep)


def prime(
    log_prob: Tensor,
    old_log_prob: Tensor,
    advantages: Tensor,
    mask: Tensor,
    *,
    clip_low: float,
    clip_high: float,
    aggregation: Aggregation,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The policy's loss, and detached `clip_fraction` and `ratio_mean`.

    Raises:
        ValueError: wrong shapes, a negative clip, or no token while no denominator is given.

    """
    keep = shapes.token_mask(
        mask, log_prob=log_prob, old_log_prob=old_log_prob, advantages=advantages
    )
    shapes.non_negative(clip_low=clip_low, clip_high=clip_high)
    scores = selected(advantages.detach(), keep)
    ratio = token_ratio(log_prob, old_log_prob, keep)
    surrogate = clipped_surrogate(ratio, scores, clip_low=clip_low, clip_high=clip_high)
    clipped = binding(ratio, scores, clip_low=clip_low, clip_high=clip_high)
    return -aggregation(surrogate, keep, denominator=denominator), {
        "clip_fraction": share(clipped, keep),
        "ratio_mean": share(ratio, keep),
    }
