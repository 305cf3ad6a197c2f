r"""MuonClip: Muon steps, with query and key weights scaled down where logits grow too large.

## Idea

Muon replaces a gradient matrix by the nearest orthogonal one, so that every direction moves
equally fast. Attention logits are a product of two weight matrices, and steps of full rank make
them grow where Adam's would not. Capping the logits in the forward pass leaves the weights
growing; normalizing queries and keys needs keys that latent attention never forms. QK-Clip acts on
the weights, after the step: a head whose largest logit exceeds a threshold has its query and key
projections scaled, so that the same inputs would give exactly the threshold. The forward pass is
untouched.

## Equation

$$
M\leftarrow\mu M+G,\qquad O=\operatorname{NS}(M)\cdot c\sqrt{\max(n,m)},\qquad
W\leftarrow W-\eta\,(O+\lambda W)
$$

$$
X_k=aX_{k-1}+b\,(XX^\top)X_{k-1}+c'(XX^\top)^2X_{k-1},\qquad X_0=M/\lVert M\rVert_F
$$

$$
S^h_{max}=\frac1{\sqrt d}\max_{i,j}q^h_i\cdot k^h_j,\qquad
\gamma_h=\min\big(1,\tau/S^h_{max}\big),\qquad
W^h_q\leftarrow\gamma_h^{\alpha}W^h_q,\quad W^h_k\leftarrow\gamma_h^{1-\alpha}W^h_k
$$

and for latent attention $q^C,k^C$ by $\sqrt{\gamma_h}$, $q^R$ by $\gamma_h$, the shared $k^R$ not.

Source: Kimi K2, arXiv 2507.20534v2, Algorithm 1 (transcription); equation number not confirmed

Source: Muon is Scalable, arXiv 2502.16982v1, Eqs. 1, 2 and 4

Per-head steps: Kimi K3 report, Section 2.5.

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $W_q$ | `query_weight` | `[H, d, D]` | query projection of each head |
| $W_k$ | `key_weight` | `[H, d, D]` | key projection of each head |
| $G_q$ | `query_gradient` | `[H, d, D]` | gradient of the query projection |
| $G_k$ | `key_gradient` | `[H, d, D]` | gradient of the key projection |
| $M_q$ | `query_momentum` | `[H, d, D]` | momentum of the query projection |
| $M_k$ | `key_momentum` | `[H, d, D]` | momentum of the key projection |
| $S_{max}$ | `max_logit` | `[H]` | largest logit of each head in the step's own forward pass |
| $\eta$ | `learning_rate` | number | step size |
| $\lambda$ | `weight_decay` | number | decay, relative to the step size |
| $\mu$ | `momentum_decay` | number | how much momentum stays |
| | `averaged` | bool | momentum is a moving average, not a sum |
| | `nesterov` | bool | orthogonalize what the next momentum would be |
| | `steps` | number | Newton-Schulz iterations |
| $a,b,c'$ | `coefficients` | 3 numbers | of the iteration's polynomial |
| $c$ | `rms_scale` | number | root mean square that an update is scaled to |
| | `per_head` | bool | orthogonalize each head's block, not the whole matrix |
| $\tau$ | `threshold` | number | largest logit that a head may keep |
| $\alpha$ | `alpha` | number | share of the scaling that the queries take |
| $q$ | `query` | `[..., H, T, d]` | queries after rotation |
| $k$ | `key` | `[..., H, T, d]` | keys after rotation |
| | `visible` | `[T, T]` | 1 where query i may look at key j |
| $q^C$ | `query_content` | `[H, ...]` | head's own query weights without rotation |
| $k^C$ | `key_content` | `[H, ...]` | head's own key weights without rotation |
| $q^R$ | `query_rotary` | `[H, ...]` | head's own rotary query weights |

## Choices

- **Momentum.** K2 prints a sum, torch's Muon keeps a moving average; without Nesterov they differ
  by a factor that the orthogonalization removes. Moonlight says it uses Nesterov, K2 does not
  print it.
- **Whole or per head.** K2 orthogonalizes projections whole, K3 head by head. The scale then
  follows the block that was orthogonalized; K3 does not print it.
- **Maximum.** Signed, as printed. A head whose logits are all negative is never scaled. The
  maximum is over the whole batch of the step, so ranks must be reduced before.
- **Momentum is not scaled** along with the weights, as in the algorithm.
- **Shared keys.** Where several query heads share a key head, scaling it would touch them all; K2
  says so of the shared rotary key. Grouped heads are not covered here.
- **Precision.** The iteration runs in the precision given; torch's runs in bfloat16.

## Tested

Agrees with the clip derived for plain and latent attention, and with two steps of torch.optim.Muon
within its bfloat16 error, on the reference vectors. After the clip the largest logit of the same
batch is the threshold exactly; heads below it keep every bit; clipping twice is clipping once. An
orthogonalized matrix keeps its singular vectors and has singular values near 1; the momentum's
scale does not matter; per head equals head after head.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from evidence_matrix.objectives import shapes
from evidence_matrix.objectives.orthogonal import orthogonal_step

ORDER = 28


@torch.no_grad()
def max_logits(query: Tensor, key: Tensor, visible: Tensor) -> Tensor:
    """Largest visible logit of each head over the batch, scaled by one over root d, `[H]`."""
    shapes.same_shape(query, "query", key=key)
    seen = shapes.binary("visible", visible)
    logits = query @ key.mT / math.sqrt(query.shape[-1])
    largest = logits.masked_fill(~seen, -torch.inf).amax(dim=(-2, -1))
    return largest.reshape(-1, query.shape[-3]).amax(dim=0)


def clip_factors(max_logit: Tensor, *, threshold: float) -> Tensor:
    r"""$\gamma_h$, at most 1, `[H]`; 1 for heads at or below the threshold, negative ones too."""
    shapes.positive(threshold=threshold)
    factors: Tensor = torch.where(max_logit > threshold, threshold / max_logit, 1.0)
    return factors


@torch.no_grad()
def qk_clip(
    query_weight: Tensor, key_weight: Tensor, max_logit: Tensor, *, threshold: float, alpha: float
) -> tuple[Tensor, Tensor]:
    """Query and key weights of plain attention after the clip, same shapes."""
    shapes.fraction(alpha=alpha)
    shapes.row_vector(len(query_weight), max_logit=max_logit)
    factor = clip_factors(max_logit, threshold=threshold)
    return _scaled(query_weight, factor**alpha), _scaled(key_weight, factor ** (1 - alpha))


@torch.no_grad()
def qk_clip_latent(
    query_content: Tensor,
    key_content: Tensor,
    query_rotary: Tensor,
    max_logit: Tensor,
    *,
    threshold: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """Content queries, content keys and rotary queries of latent attention after the clip."""
    shapes.row_vector(len(query_content), max_logit=max_logit)
    factor = clip_factors(max_logit, threshold=threshold)
    root = factor.sqrt()
    return _scaled(query_content, root), _scaled(key_content, root), _scaled(query_rotary, factor)


@torch.no_grad()
def muonclip(
    query_weight: Tensor,
    key_weight: Tensor,
    query_gradient: Tensor,
    key_gradient: Tensor,
    query_momentum: Tensor,
    key_momentum: Tensor,
    max_logit: Tensor,
    *,
    learning_rate: float,
    weight_decay: float,
    momentum_decay: float,
    averaged: bool,
    nesterov: bool,
    steps: int,
    coefficients: tuple[float, float, float],
    rms_scale: float,
    per_head: bool,
    threshold: float,
    alpha: float,
) -> tuple[tuple[Tensor, Tensor, Tensor, Tensor], dict[str, Tensor]]:
    """One step on a layer's query and key projections: Muon, then the clip.

    Gives query and key weight, query and key momentum, and `clipped` (share of heads scaled) and
    `least_factor`. Nothing is changed in place.

    Raises:
        ValueError: wrong shapes, a threshold that is not positive, or `alpha` outside 0 to 1.

    """
    stepped = []
    for weight, gradient, momentum in (
        (query_weight, query_gradient, query_momentum),
        (key_weight, key_gradient, key_momentum),
    ):
        shapes.same_shape(weight, "weight", gradient=gradient, momentum=momentum)
        block = weight.shape if per_head else (-1, weight.shape[-1])
        after = orthogonal_step(
            weight.reshape(block),
            gradient.reshape(block),
            momentum.reshape(block),
            learning_rate=learning_rate,
            weight_decay=weight_decay,
            momentum_decay=momentum_decay,
            averaged=averaged,
            nesterov=nesterov,
            steps=steps,
            coefficients=coefficients,
            rms_scale=rms_scale,
        )
        stepped.append([each.reshape(weight.shape) for each in after])
    (query, query_after), (key, key_after) = stepped
    query, key = qk_clip(query, key, max_logit, threshold=threshold, alpha=alpha)
    factor = clip_factors(max_logit, threshold=threshold)
    stats = {"clipped": (factor < 1).to(factor).mean(), "least_factor": factor.min()}
    return (query, key, query_after, key_after), stats


def _scaled(weight: Tensor, factor: Tensor) -> Tensor:
    return weight * factor.reshape(-1, *[1] * (weight.ndim - 1))
