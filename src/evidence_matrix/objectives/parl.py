r"""PARL: an orchestrator learns when to split work among frozen sub-agents.

## Idea

An agent that may spawn helpers has little reason to: parallel work pays only once it is done well,
and the reward at the end is far away. So the reward pays at first for spawning at all, and, lest
the agent spawn for the sake of it, for sub-agents that finish. Both payments fade until only the
outcome counts. Sub-agents are frozen and their words are observations: only the orchestrator's own
tokens are trained, so that credit for the outcome has one owner. Time is counted along the
critical path.

## Equation

$$
R=\lambda_1(s)\,r_{parallel}+\lambda_2(s)\,r_{finish}+r_{perf},\qquad
\lambda_j(s)\to0,\qquad
\text{CriticalSteps}=\sum_{t}\Big(S_{main}^{(t)}+\max_i S_{sub,i}^{(t)}\Big)
$$

$$
\mathcal L=-\frac1N\sum_{b,t}m_{b,t}\,a_{b,t}\Big[\operatorname{Clip}(r_{b,t},\alpha,\beta)
\,(R_b-\bar R)-\tau\big(\log r_{b,t}\big)^2\Big],\qquad N=\sum_{b,t}m_{b,t}\,a_{b,t}
$$

with $a_{b,t}=1$ where the orchestrator wrote the token.

Source: Kimi K2.5, arXiv 2602.02276v1, Eq. (1) for the loss; read in a transcription

Source: Kimi K2.5, arXiv 2602.02276v1, reward and steps carry no equation number; not confirmed

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $\log\pi_\theta$ | `log_prob` | `[B, T]` | the orchestrator on all tokens of the episode |
| $\log\pi_{old}$ | `old_log_prob` | `[B, T]` | the policy that sampled; data |
| $R-\bar R$ | `advantages` | `[B]` | the shaped reward above its group's mean; data |
| $m$ | `mask` | `[B, T]` | 1 on tokens, 0 on padding |
| $a$ | `orchestrator` | `[B, T]` | 1 where the orchestrator wrote it, 0 for sub-agents |
| $\tau$ | `tau` | number | strength of the pull to the sampler |
| $\alpha$ | `ratio_min` | number | least ratio whose token still gets the policy gradient |
| $\beta$ | `ratio_max` | number | largest such ratio |
| $N$ | `denominator` | number | the orchestrator's tokens in the whole batch, if in parts |
| $r_{parallel}$ | `parallel` | `[B]` | reward for having spawned sub-agents |
| $r_{finish}$ | `finished` | `[B]` | share of sub-agents that finished |
| $r_{perf}$ | `performance` | `[B]` | reward of the outcome |
| $s$ | `step` | `[B]` | training step at which the episode was made |
| $\lambda_1(0)$ | `parallel_weight` | number | first weight at the start |
| $\lambda_2(0)$ | `finish_weight` | number | second weight at the start |
| | `anneal_steps` | number | steps after which both weights are 0 |
| $S_{main}$ | `main_steps` | `[T]` | steps of the main agent in each stage |
| $S_{sub}$ | `sub_steps` | `[T, A]` | steps of each sub-agent, 0 where there is none |

## Choices

- **Schedule.** The report says that both weights go to zero over training and prints no schedule.
  Linear here; another is a matter of passing another reward.
- **$r_{parallel}$ and $r_{finish}$** are described and not defined. Both are arguments. For
  episodes that spawn nothing the finish rate is the caller's to define.
- **Which loss.** The report builds PARL on its own policy optimization, so that loss is used.
  Whether sub-agents' tokens count in $N$ is not said; as observations they do not here.
- **Another form** with one weight that passes from the parallel reward to the outcome circulates
  in descriptions of the announcement; it is another reward and not this one.

## Tested

Agrees with values derived independently on the reference vectors. After annealing the reward is
the outcome exactly; weights never rise; what sub-agents wrote has gradient exactly 0 and changes
no bit, NaN included; critical steps are at most all steps, with equality where no stage has two
branches, and adding a shorter branch costs nothing.
"""

from __future__ import annotations

import torch
from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.aggregation import Denominator, token_mean
from evidence_matrix.objectives.ratios import log_ratio, selected, share
from evidence_matrix.objectives.regularized import outside, regularized_surrogate

ORDER = 27


@torch.no_grad()
def parl_rewards(
    parallel: Tensor,
    finished: Tensor,
    performance: Tensor,
    step: Tensor,
    *,
    parallel_weight: float,
    finish_weight: float,
    anneal_steps: float,
) -> Tensor:
    """The shaped reward of each episode, `[B]`.

    Raises:
        ValueError: wrong shapes, a finish rate outside 0 to 1, or a constant out of range.

    """
    rows = len(performance)
    shapes.row_vector(rows, parallel=parallel, finished=finished, step=step)
    shapes.non_negative(parallel_weight=parallel_weight, finish_weight=finish_weight)
    shapes.positive(anneal_steps=anneal_steps)
    if not bool(((finished >= 0) & (finished <= 1)).all()):
        raise ValueError("finished must be a share from 0 to 1")
    remaining = (1 - step / anneal_steps).clamp(min=0)
    return remaining * (parallel_weight * parallel + finish_weight * finished) + performance


def critical_steps(main_steps: Tensor, sub_steps: Tensor) -> Tensor:
    """Steps along the critical path: in each stage the main agent's and the longest branch's.

    Raises:
        ValueError: the two do not have the same number of stages, or there is no branch axis.

    """
    if sub_steps.ndim != 2 or main_steps.shape != sub_steps.shape[:1] or not sub_steps.shape[1]:
        raise ValueError(
            f"main_steps has shape {list(main_steps.shape)} and sub_steps "
            f"{list(sub_steps.shape)}; they must be [T] and [T, A]"
        )
    return (main_steps + sub_steps.amax(dim=1)).sum()


def parl(
    log_prob: Tensor,
    old_log_prob: Tensor,
    advantages: Tensor,
    mask: Tensor,
    orchestrator: Tensor,
    *,
    tau: float,
    ratio_min: float,
    ratio_max: float,
    denominator: Denominator = None,
) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss on the orchestrator's tokens, and detached `clip_fraction` and `own_tokens`.

    `own_tokens` is the share of all tokens that the orchestrator wrote.

    Raises:
        ValueError: wrong shapes, an empty interval, or no token of the orchestrator while no
            denominator is given.

    """
    tokens = shapes.token_mask(mask, log_prob=log_prob, old_log_prob=old_log_prob)
    if orchestrator.shape != mask.shape:
        raise ValueError(
            f"orchestrator has shape {list(orchestrator.shape)}; it must be {list(mask.shape)} "
            "like mask"
        )
    own = tokens & shapes.binary("orchestrator", orchestrator)
    shapes.row_vector(len(own), advantages=advantages)
    log_ratios = log_ratio(log_prob, old_log_prob, own)
    scores = selected(advantages.detach()[:, None], own)
    surrogate = regularized_surrogate(
        log_ratios, scores, tau=tau, ratio_min=ratio_min, ratio_max=ratio_max
    )
    clipped = outside(log_ratios, ratio_min=ratio_min, ratio_max=ratio_max)
    return -token_mean(surrogate, own, denominator=denominator), {
        "clip_fraction": share(clipped, own),
        "own_tokens": share(own, tokens),
    }
