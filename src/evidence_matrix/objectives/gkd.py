r"""GKD: distillation of a teacher's whole distribution on sequences that the student wrote.

## Idea

A student taught on the teacher's sequences meets other prefixes in use than in training: its own.
Generalized knowledge distillation samples from the student and asks the teacher for its
distribution at every position reached. The divergence between the two is a choice: forward KL
spreads the student over all that the teacher may say, reverse KL concentrates it on what the
teacher surely says, and a Jensen-Shannon divergence with a weight lies between.

## Equation

$$
M=\beta P_T+(1-\beta)P_S,\qquad
D_\beta=\beta\,KL(P_T\Vert M)+(1-\beta)\,KL(P_S\Vert M),\qquad
\mathcal L=\operatorname*{agg}_{b,t}\ D_\beta(b,t)
$$

with $D_0:=KL(P_T\Vert P_S)$ and $D_1:=KL(P_S\Vert P_T)$. $P_T$ and $P_S$ are softmaxes of logits
over a temperature. The sequences are data: no gradient flows through the sampling.

Source: GKD, arXiv 2306.13649, Eq. 1 as a translation numbers it; version not confirmed

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log P_S$ | `student_logits` | `[B, T, V]` | the student at every position |
| $\log P_T$ | `teacher_logits` | `[B, T, V]` | the teacher at the same positions; data |
| $m$ | `mask` | `[B, T]` | 1 on positions that predict a token of the response |
| $\beta$ | `beta` | 0 to 1 | 0 is forward KL, 1 reverse KL |
| | `temperature` | number | divides both logits |
| $\operatorname{agg}$ | `aggregation` | function | how positions become one number |
| $N$ | `denominator` | number | that of the whole batch, if this is one part of it |

## Choices

- **The ends jump.** $D_\beta$ itself goes to 0 as $\beta\to0$ or 1, where $D_\beta/\beta$ and
  $D_\beta/(1-\beta)$ go to the two KLs. As in TRL the ends are defined as the KLs, so the loss is
  not continuous there: near them $\beta$ is a signal strength more than a mixture. A verl recipe
  takes the formula at the ends, where it is 0 and teaches nothing (verl-recipe 151).
- **Temperature.** No factor $T^2$ makes up for the smaller gradients, as in TRL.
- **Denominator.** TRL averages over the tokens of the batch. The frameworks' `batchmean` over
  sequence times vocabulary is another number (TRL issue 4105). No default.
- **Vocabularies** must be one and the same; TRL issue 6252 is what happens otherwise.

## Tested

Agrees in value and gradient with TRL 1.16.0 on the reference vectors, inside and at an end. Equal
logits give 0 and no gradient; the divergence is never negative, symmetric at one half, and its
slope at the ends is the KL of that end; a constant added to a position's logits changes nothing; a
token that both exclude changes nothing; the teacher gets no gradient; masked positions have
gradient exactly 0.
"""

from __future__ import annotations

from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.aggregation import Aggregation, Denominator
from evidence_matrix.objectives.ratios import share
from evidence_matrix.objectives.vocabulary import (
    divergence,
    jensen_shannon,
    log_distribution,
    vocabulary_mask,
)

ORDER = 24


def gkd(
    student_logits: Tensor,
    teacher_logits: Tensor,
    mask: Tensor,
    *,
    beta: float,
    temperature: float,
    aggregation: Aggregation,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss, and detached `reverse_kl` (student to teacher) and `forward_kl` (mean over tokens).

    Raises:
        ValueError: wrong shapes, different vocabularies, a constant out of range, or no token
            while no denominator is given.

    """
    shapes.positive(temperature=temperature)
    keep = vocabulary_mask(mask, student_logits=student_logits, teacher_logits=teacher_logits)
    student = log_distribution(student_logits, keep, temperature=temperature)
    teacher = log_distribution(teacher_logits.detach(), keep, temperature=temperature)
    terms = jensen_shannon(teacher, student, beta=beta)
    return aggregation(terms, keep, denominator=denominator), {
        "reverse_kl": share(divergence(student.detach(), teacher), keep),
        "forward_kl": share(divergence(teacher, student.detach()), keep),
    }
