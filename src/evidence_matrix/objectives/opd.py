r"""OPD: one or more teachers correct the student on sequences that the student itself wrote.

## Idea

Reinforcement learning tells a student once, at the end, whether it was right; a teacher can tell
it at every token of its own attempt. Several teachers, each good at something, can so be merged
into one student. Two different losses share the name. One compares the *whole* distributions at
every position. The other looks only at the token that was sampled and treats the log-ratio of
teacher to student there as an advantage: the same gradient in expectation, much cheaper, and
noisier. They are kept apart here.

## Equation

Full vocabulary, teachers $k$ with weights $w_k$:

$$
\mathcal L=\operatorname*{agg}_{b,t}\ \sum_k w_{b,k}\,KL\big(\pi_\theta\Vert\pi_{T_k}\big)_{b,t}
$$

Sampled token, sampler $\mu$ and outcome advantage $A$:

$$
\mathcal L=-\operatorname*{agg}_{b,t}\ w_{b,t}\,\hat A_{b,t}\log\pi_\theta(y_{b,t}),\qquad
\hat A_{b,t}=\operatorname{sg}\Big[\log\frac{\pi_T(y_{b,t})}{\pi_\theta(y_{b,t})}\Big]
+\alpha A_b
$$

$$
w_{b,t}=\operatorname{sg}\Big[\frac{\pi_\theta(y_{b,t})}{\mu(y_{b,t})}\Big]
\ \text{within}\ [\epsilon_{low},\epsilon_{high}],\quad 0\ \text{outside}
$$

Source: DeepSeek-V4, arXiv 2606.19348v1, Section 5.1.2 (transcription); number not confirmed

Source: MiMo-V2-Flash, arXiv 2601.02780v1, Eqs. (5) to (9)

Source: GLM-5, arXiv 2602.15763v2, Section 3.5 (transcription); number not confirmed

Source: Kimi K3 report, MoonshotAI/Kimi-K3@3cb39df, Eq. (15); arXiv version not confirmed

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta$ | `student_logits` | `[B, T, V]` | the student at every position |
| $\log\pi_{T_k}$ | `teacher_logits` | `[K, B, T, V]` | each teacher at the same positions; data |
| $w_k$ | `teacher_weight` | `[B, K]` | how much each teacher counts in a row; data |
| $m$ | `mask` | `[B, T]` | 1 on positions that predict a token the student wrote |
| $\operatorname{agg}$ | `aggregation` | function | how positions become one number |
| $N$ | `denominator` | number | that of the whole batch, if this is one part of it |
| $\log\pi_\theta(y)$ | `log_prob` | `[B, T]` | the student on the sampled tokens |
| $\log\mu(y)$ | `sampler_log_prob` | `[B, T]` | the engine that sampled; data |
| $\log\pi_T(y)$ | `teacher_log_prob` | `[B, T]` | the teacher of the row's domain; data |
| $A$ | `outcome_advantages` | `[B]` | from an outcome reward; data |
| $\alpha$ | `outcome_weight` | number | weight of the outcome advantage; 0 is pure distillation |
| $\epsilon_{low}$ | `weight_min` | number | least ratio that counts; itself included |
| $\epsilon_{high}$ | `weight_max` | number | largest ratio that counts; itself included |
| $R_{max}$ | `reward_bound` | number | log-ratios are clipped to within it; infinity for none |

## Choices

- **Two losses, one name.** DeepSeek-V4's is over the full vocabulary, and it says why.
  MiMo-V2-Flash, GLM-5 and Kimi K3 take the sampled token, within their policy-gradient losses; K3
  bounds the log-ratio, MiMo the ratio to the sampler. slime subtracts a multiple of the log-ratio
  from the advantages of any estimator; with coefficient $c$ that is $A+c\hat A_{OPD}$.
- **Stop-gradient.** The sampled log-ratio is an advantage, held constant. Differentiated as a loss
  it has an expected gradient of zero on the student's own samples.
- **Denominator.** MiMo prints the mean over a response, then over responses; DeepSeek-V4 and K3
  print none. No default. Tokens outside the interval stay in it.
- **Weights.** Rows choose their teachers: one-hot weights route each prompt to the teacher of its
  domain. Averaging KLs is not the KL to the average of the teachers' probabilities: with weights
  that sum to 1 it pulls to their normalized geometric mean.

## Tested

Agrees with TRL 1.16.0 (full vocabulary), slime (penalty, and the interval of the ratio) and forms
derived from the reports on the reference vectors. The expected gradient of the sampled form,
summed exactly over the vocabulary, is the full gradient; teachers that agree with the student give
0; one-hot weights select a teacher; both ends of the interval count; a masked position has
gradient exactly 0.
"""

from __future__ import annotations

import torch
from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.aggregation import Aggregation, Denominator
from evidence_matrix.objectives.ratios import guarded_exp, log_ratio, selected, share
from evidence_matrix.objectives.vocabulary import divergence, log_distribution, vocabulary_mask

ORDER = 25


def opd(
    student_logits: Tensor,
    teacher_logits: Tensor,
    teacher_weight: Tensor,
    mask: Tensor,
    *,
    aggregation: Aggregation,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The full-vocabulary loss, and detached `entropy` of the student (mean over positions).

    Raises:
        ValueError: wrong shapes, different vocabularies, a negative weight, or no position while
            no denominator is given.

    """
    if teacher_logits.ndim != 4 or not len(teacher_logits):
        raise ValueError(
            f"teacher_logits has shape {list(teacher_logits.shape)}; it must be [K, B, T, V] with "
            "one [B, T, V] a teacher"
        )
    keep = vocabulary_mask(mask, student_logits=student_logits, teacher_logits=teacher_logits[0])
    wanted = (len(keep), len(teacher_logits))
    if teacher_weight.shape != wanted:
        raise ValueError(
            f"teacher_weight has shape {list(teacher_weight.shape)}; it must be {list(wanted)}: "
            "one weight a row and teacher"
        )
    shapes.non_negative(teacher_weight=teacher_weight.min())
    student = log_distribution(student_logits, keep, temperature=1.0)
    everywhere = keep.expand(len(teacher_logits), *keep.shape)
    teachers = log_distribution(teacher_logits.detach(), everywhere, temperature=1.0)
    terms = torch.einsum("bk,kbt->bt", teacher_weight.detach(), divergence(student, teachers))
    entropy = -(student.exp() * torch.where(student > -torch.inf, student, 0.0)).sum(dim=-1)
    return aggregation(terms, keep, denominator=denominator), {"entropy": share(entropy, keep)}


@torch.no_grad()
def opd_token_rewards(
    log_prob: Tensor, teacher_log_prob: Tensor, mask: Tensor, *, reward_bound: float
) -> Tensor:
    r"""$\operatorname{clip}(\log\pi_T-\log\pi_\theta,-R_{max},R_{max})$ at the sampled token.

    One number a token, `[B, T]`, 0 where masked: what a sampled-token loss takes as an advantage,
    alone or added with a weight to another one.

    Raises:
        ValueError: wrong shapes, or a bound that is not positive.

    """
    shapes.positive(reward_bound=reward_bound)
    keep = shapes.token_mask(mask, log_prob=log_prob, teacher_log_prob=teacher_log_prob)
    return -log_ratio(log_prob, teacher_log_prob, keep).clamp(-reward_bound, reward_bound)


def opd_sampled_token(
    log_prob: Tensor,
    sampler_log_prob: Tensor,
    teacher_log_prob: Tensor,
    outcome_advantages: Tensor,
    mask: Tensor,
    *,
    outcome_weight: float,
    weight_min: float,
    weight_max: float,
    reward_bound: float,
    aggregation: Aggregation,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The sampled-token loss, and detached `rejected` (share outside the interval) and `reward`.

    Raises:
        ValueError: wrong shapes, an empty interval, or no token while no denominator is given.

    """
    keep = shapes.token_mask(
        mask,
        log_prob=log_prob,
        sampler_log_prob=sampler_log_prob,
        teacher_log_prob=teacher_log_prob,
    )
    shapes.row_vector(len(keep), outcome_advantages=outcome_advantages)
    shapes.non_negative(weight_min=weight_min, outcome_weight=outcome_weight)
    if not weight_min <= weight_max:
        raise ValueError(f"weight_min {weight_min} is above weight_max {weight_max}")
    ratio = guarded_exp(log_ratio(log_prob, sampler_log_prob, keep)).detach()
    accepted = (ratio >= weight_min) & (ratio <= weight_max)
    weight = torch.where(accepted, ratio, 0.0)
    reward = opd_token_rewards(log_prob.detach(), teacher_log_prob, keep, reward_bound=reward_bound)
    advantages = reward + outcome_weight * outcome_advantages.detach()[:, None]
    surrogate = weight * advantages * selected(log_prob, keep)
    return -aggregation(surrogate, keep, denominator=denominator), {
        "rejected": share(~accepted, keep),
        "reward": share(reward, keep),
    }
