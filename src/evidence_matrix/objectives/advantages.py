r"""How good a token or a response was, compared with what: group baselines, returns and GAE.

Everything here is data for the loss: results carry no gradient. A group is the set of responses
to one prompt, given as one integer a row (`group` `[B]`); rows of a group need not be neighbors.
"""

from __future__ import annotations

import torch
from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.ratios import selected


@torch.no_grad()
def group_centered(rewards: Tensor, group: Tensor) -> Tensor:
    r"""$R_i-\bar R$ with the mean of the row's group, `[B]`.

    A group of equal rewards gives exactly 0, also where the mean of equal floats would not.

    Raises:
        ValueError: wrong shapes, a reward that is not finite, or a group with one member.

    """
    index, size = _groups(rewards, group)
    return _centered(rewards, index, size)


@torch.no_grad()
def group_leave_one_out(rewards: Tensor, group: Tensor) -> Tensor:
    r"""$R_i-\frac1{G-1}\sum_{j\ne i}R_j=\frac{G}{G-1}(R_i-\bar R)$, `[B]`.

    Raises:
        ValueError: as `group_centered`.

    """
    index, size = _groups(rewards, group)
    members = size[index].to(rewards.dtype)
    return _centered(rewards, index, size) * members / (members - 1)


@torch.no_grad()
def group_standardized(
    rewards: Tensor, group: Tensor, *, std_eps: float, correction: int
) -> Tensor:
    r"""$(R_i-\bar R)/(\sigma+\epsilon)$ with the mean and deviation of the row's group, `[B]`.

    `correction` is what is taken from $G$ in the variance: 1 unbiased, 0 population. A group of
    equal rewards gives exactly 0.

    Raises:
        ValueError: as `group_centered`.

    """
    if correction not in (0, 1):
        raise ValueError(f"correction is {correction}; it must be 0 (population) or 1 (unbiased)")
    shapes.non_negative(std_eps=std_eps)
    index, size = _groups(rewards, group)
    centered = _centered(rewards, index, size)
    squares = torch.zeros_like(size, dtype=rewards.dtype).index_add(0, index, centered**2)
    deviation = (squares / (size - correction)).sqrt()[index]
    return torch.where(deviation > 0, centered / (deviation + std_eps), 0.0)


@torch.no_grad()
def mixed_groups(rewards: Tensor, group: Tensor) -> Tensor:
    """Whether a row's group has unequal rewards, booleans `[B]`: only such a group teaches.

    Raises:
        ValueError: as `group_centered`.

    """
    index, size = _groups(rewards, group)
    zeros = torch.zeros_like(size, dtype=rewards.dtype)
    least = zeros.scatter_reduce(0, index, rewards, "amin", include_self=False)
    greatest = zeros.scatter_reduce(0, index, rewards, "amax", include_self=False)
    return (greatest > least)[index]


@torch.no_grad()
def gae(
    rewards: Tensor,
    values: Tensor,
    mask: Tensor,
    final_values: Tensor | None = None,
    *,
    gamma: float,
    lam: float | Tensor,
) -> tuple[Tensor, Tensor]:
    r"""Generalized advantages and value targets of one episode a row, both `[B, T]`.

    $\delta_t=r_t+\gamma V_{t'}-V_t$, $\hat A_t=\delta_t+\gamma\lambda\hat A_{t'}$ where $t'$ is the
    next *unmasked* token: masked positions are absent time, so that a span of observations or
    padding is stepped over without a factor $\gamma\lambda$. Targets are $\hat A_t+V_t$. Both are
    0 where masked.

    `values[b, t]` is the value of the state before token t. `final_values` `[B]` is the value
    after a row's last token: 0 (the default) where the response ended, the critic's value where
    it was cut short. `lam` is one number, or one a row `[B]`.

    Raises:
        ValueError: wrong shapes, or a discount or trace outside 0 to 1.

    """
    keep = shapes.token_mask(mask, rewards=rewards, values=values)
    following = torch.zeros_like(values[:, 0]) if final_values is None else final_values
    shapes.row_vector(len(mask), final_values=following)
    if isinstance(lam, Tensor) and lam.ndim:
        shapes.row_vector(len(mask), lam=lam)
    else:
        shapes.fraction(lam=lam)
    shapes.fraction(gamma=gamma)
    trace = torch.zeros_like(following)
    columns = []
    for time in reversed(range(mask.shape[1])):
        here = keep[:, time]
        delta = rewards[:, time] + gamma * following - values[:, time]
        trace = torch.where(here, delta + gamma * lam * trace, trace)
        following = torch.where(here, values[:, time], following)
        columns.append(trace)
    advantages = selected(torch.stack(columns[::-1], dim=1), keep)
    return advantages, selected(advantages + values, keep)


@torch.no_grad()
def transition_gae(
    rewards: Tensor,
    values: Tensor,
    next_values: Tensor,
    done: Tensor,
    terminated: Tensor,
    *,
    gamma: float,
    lam: float,
) -> tuple[Tensor, Tensor]:
    r"""Generalized advantages and value targets where a row holds several episodes, `[B, T]`.

    $\delta_t=r_t+\gamma(1-\text{terminated}_t)V'_t-V_t$ and
    $\hat A_t=\delta_t+\gamma\lambda(1-\text{done}_t)\hat A_{t+1}$: `done` cuts the trace, and only
    `terminated` cuts the bootstrap; an episode that was truncated is done and not terminated.
    `next_values[b, t]` is the value of the state after step t. All `[B, T]`.

    Raises:
        ValueError: wrong shapes, a discount or trace outside 0 to 1, or a step that is terminated
            and not done.

    """
    shapes.fraction(gamma=gamma, lam=lam)
    shapes.same_shape(rewards, "rewards", values=values, next_values=next_values)
    ended = shapes.token_mask(done, rewards=rewards)
    final = shapes.token_mask(terminated, rewards=rewards)
    if bool((final & ~ended).any()):
        raise ValueError("a step is terminated and not done; what has terminated is also done")
    delta = rewards + gamma * torch.where(final, 0.0, next_values) - values
    trace = torch.zeros_like(rewards[:, 0])
    columns = []
    for time in reversed(range(rewards.shape[1])):
        trace = delta[:, time] + gamma * lam * torch.where(ended[:, time], 0.0, trace)
        columns.append(trace)
    advantages = torch.stack(columns[::-1], dim=1)
    return advantages, advantages + values


@torch.no_grad()
def returns_to_go(rewards: Tensor, mask: Tensor, *, gamma: float) -> Tensor:
    r"""$G_t=r_t+\gamma G_{t'}$ over unmasked tokens `[B, T]`, 0 where masked."""
    zeros = torch.zeros_like(rewards)
    return gae(rewards, zeros, mask, gamma=gamma, lam=1.0)[0]


@torch.no_grad()
def whitened(terms: Tensor, mask: Tensor, *, eps: float, correction: int) -> Tensor:
    r"""$(x-\mu)/\sqrt{\sigma^2+\epsilon}$ over all unmasked entries of the batch, 0 where masked.

    Raises:
        ValueError: wrong shapes, or fewer unmasked entries than a variance needs.

    """
    keep = shapes.token_mask(mask, terms=terms)
    count = keep.sum()
    if count <= correction or count == 0:
        raise ValueError(
            f"the mask keeps {int(count)} token(s); a variance with correction {correction} needs "
            f"at least {correction + 1}"
        )
    # Differences to the least term first, so that equal terms cancel exactly.
    shifted = selected(terms - torch.where(keep, terms, torch.inf).min(), keep)
    centered = selected(shifted - shifted.sum() / count, keep)
    variance = (centered**2).sum() / (count - correction)
    return torch.where(variance + eps > 0, centered * (variance + eps).rsqrt(), 0.0)


def _groups(rewards: Tensor, group: Tensor) -> tuple[Tensor, Tensor]:
    """Index of each row's group, and the size of each group."""
    if rewards.ndim != 1 or not rewards.is_floating_point():
        raise ValueError(f"rewards is {rewards.dtype} {list(rewards.shape)}; it must be float [B]")
    shapes.row_vector(len(rewards), group=group)
    if not bool(rewards.isfinite().all()):
        raise ValueError("rewards must be finite; leave out rows that could not be scored")
    labels, index, size = torch.unique(group, return_inverse=True, return_counts=True)
    if bool((size < 2).any()):
        alone = labels[size < 2].tolist()
        raise ValueError(
            f"group(s) {alone} have one member; a group baseline needs at least two responses "
            "to the same prompt"
        )
    return index, size


def _centered(rewards: Tensor, index: Tensor, size: Tensor) -> Tensor:
    # Differences to the least member first, so that equal rewards cancel exactly.
    zeros = torch.zeros_like(size, dtype=rewards.dtype)
    anchor = zeros.scatter_reduce(0, index, rewards, "amin", include_self=False)
    shifted = rewards - anchor[index]
    totals = zeros.index_add(0, index, shifted)
    return shifted - (totals / size)[index]
