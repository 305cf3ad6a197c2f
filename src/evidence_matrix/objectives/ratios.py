r"""How far a policy has moved from the one that sampled: log-ratios, ratios, and what clips them.

All take log-probabilities of the sampled tokens, `[B, T]`, and a boolean mask from
`shapes.token_mask`. The second policy is data: no gradient flows into it.

NaN under the mask is stopped twice: what is differentiated goes through `selected` first, so that
nothing flows back through a masked position, and every aggregation selects again, so that nothing
flows forward. Data in between, such as advantages, may hold anything there.
"""

from __future__ import annotations

import torch
from torch import Tensor

LOG_RATIO_GUARD = 20.0
"""Log-ratios are held within this before `exp`, against overflow. It is no trust region: a ratio
that it touches is beyond $e^{20}$ or below $e^{-20}$, outside any clip range in use, and gets
gradient 0. veRL and OpenRLHF guard at the same place."""


def selected(values: Tensor, mask: Tensor) -> Tensor:
    """`values` where `mask` is true, else 0: masked entries are selected out, so NaN stays out."""
    return torch.where(mask, values, 0)


def log_ratio(log_prob: Tensor, other_log_prob: Tensor, mask: Tensor) -> Tensor:
    r"""$\log\pi_\theta-\log\pi_{\text{other}}$ per token `[B, T]`, 0 where masked."""
    return selected(log_prob - other_log_prob.detach(), mask)


def guarded_exp(log_ratios: Tensor) -> Tensor:
    """`exp` of log-ratios held within `LOG_RATIO_GUARD`."""
    return log_ratios.clamp(-LOG_RATIO_GUARD, LOG_RATIO_GUARD).exp()


def token_ratio(log_prob: Tensor, other_log_prob: Tensor, mask: Tensor) -> Tensor:
    r"""$r_{b,t}=\pi_\theta/\pi_{\text{other}}$ per token `[B, T]`, 1 where masked."""
    return guarded_exp(log_ratio(log_prob, other_log_prob, mask))


def row_count(mask: Tensor) -> Tensor:
    """Unmasked tokens of each row, `[B]`."""
    # A sum of booleans first copies them into its own type; int64 would be 8 bytes a token.
    return mask.sum(dim=1, dtype=torch.int32)


def row_mean(terms: Tensor, mask: Tensor) -> Tensor:
    """Mean of each row's unmasked `terms`, `[B]`; 0 for a row that has none."""
    return selected(terms, mask).sum(dim=1) / row_count(mask).clamp(min=1)


def sequence_ratio(log_prob: Tensor, other_log_prob: Tensor, mask: Tensor) -> Tensor:
    r"""$s_b=\exp\big(\frac1{n_b}\sum_t\log r_{b,t}\big)$, one ratio a row, `[B]`."""
    return guarded_exp(row_mean(log_ratio(log_prob, other_log_prob, mask), mask))


def clip(ratio: Tensor, *, clip_low: float, clip_high: float) -> Tensor:
    r"""`ratio` held within $[1-\epsilon_{low},1+\epsilon_{high}]$."""
    return ratio.clamp(1 - clip_low, 1 + clip_high)


def clipped_surrogate(
    ratio: Tensor, advantages: Tensor, *, clip_low: float, clip_high: float
) -> Tensor:
    r"""$\min(r\hat A,\ \mathrm{clip}(r)\hat A)$: what is maximized; same shape as `ratio`.

    Its gradient is 0 exactly where $\hat A>0$ and $r>1+\epsilon_{high}$, or $\hat A<0$ and
    $r<1-\epsilon_{low}$.
    """
    clipped = clip(ratio, clip_low=clip_low, clip_high=clip_high)
    return torch.minimum(ratio * advantages, clipped * advantages)


def binding(ratio: Tensor, advantages: Tensor, *, clip_low: float, clip_high: float) -> Tensor:
    """Where the clip of `clipped_surrogate` stops the gradient: booleans, same shape."""
    ratio = ratio.detach()
    clipped = clip(ratio, clip_low=clip_low, clip_high=clip_high)
    return clipped * advantages < ratio * advantages


def share(terms: Tensor, mask: Tensor) -> Tensor:
    """Mean of unmasked `terms` (numbers, or booleans for a fraction), detached; 0 if none."""
    terms = terms.detach()
    counted = terms.dtype == torch.bool
    total = (terms & mask).count_nonzero() if counted else selected(terms, mask).sum()
    return total / mask.count_nonzero().clamp(min=1)


def clip_stats(
    ratio: Tensor, advantages: Tensor, mask: Tensor, *, clip_low: float, clip_high: float
) -> dict[str, Tensor]:
    """`clip_fraction`, where the clip stops the gradient, and `ratio_mean`; over tokens."""
    clipped = binding(ratio, advantages, clip_low=clip_low, clip_high=clip_high)
    return {"clip_fraction": share(clipped, mask), "ratio_mean": share(ratio, mask)}
