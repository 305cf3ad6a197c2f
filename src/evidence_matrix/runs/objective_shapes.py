"""What each objective does with one sample, over the ratio, the margin or the probability.

Every number comes from a call of the objective on a batch of one, differentiated by autograd. The
*term* is what the objective makes of the sample: what is maximized, or a loss where the figure says
so. The *gradient* is what it sends to the log-probability, over the advantage, so that REINFORCE
has 1; of a loss it is the push, against its slope. The site's figures are drawn from these curves
and from nothing else.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from evidence_matrix.objectives.cispo import cispo
from evidence_matrix.objectives.dapo import dapo
from evidence_matrix.objectives.dpo import dpo
from evidence_matrix.objectives.ipo import ipo
from evidence_matrix.objectives.sapo import sapo
from evidence_matrix.runs.one_sample import (
    At,
    Setting,
    decoupled_here,
    fine_tuning,
    grpo_here,
    gspo_here,
    kimi_here,
    kimi_token_here,
    kl_here,
    kto_here,
    method,
    of_margin,
    of_ratio,
    orpo_here,
    ppo_here,
    sao_here,
    simpo_here,
    vapo_here,
)
from evidence_matrix.runs.outcome import SIGNIFICANT, ZERO, single_threaded

FILE = "shapes.jsonl"
STEP_ASIDE = 1e-4
"""How far from an edge, as a share of it, the curve is read on either side."""


@dataclass(frozen=True)
class Figure:
    """One figure: its settings, where it is read, and the objective on one sample.

    Attributes:
        at: from place, sign and setting to the term and the leaf it is differentiated by.
        signs: of the advantage; (1,) where there is none.
        edges: where a setting's curve may break: it is read on both sides, and never on the edge.
        per: what the gradient is divided by besides the sign, so that REINFORCE has 1.
    """

    name: str
    settings: tuple[Setting, ...]
    grid: tuple[float, ...]
    at: At
    signs: tuple[int, ...] = (1, -1)
    edges: Callable[[Setting], Sequence[float]] = lambda _: ()
    per: Callable[[Setting], float] = lambda _: 1.0


def grid(start: float, end: float, step: float) -> tuple[float, ...]:
    """Places from `start` to `end`, both among them."""
    return tuple(round(start + step * i, 6) for i in range(round((end - start) / step) + 1))


RATIOS = grid(0.05, 3, 0.05)


BOUNDS = ("dual_clip", "weight_min", "weight_max", "ratio_min", "ratio_max")


def band(setting: Setting) -> list[float]:
    """Where the clips and bounds of a setting lie on the axis of the ratio."""
    found = [setting[name] for name in BOUNDS if name in setting]
    if "clip_low" in setting:
        found += [1 - setting["clip_low"], 1 + setting["clip_high"]]
    center, length = setting.get("proximal", 1.0), setting.get("length", 1.0)
    return [center * edge**length for edge in found]


def downhill(_: Setting) -> float:
    """A loss pushes against its gradient."""
    return -1.0


def per_length(setting: Setting) -> float:
    """A token of a response of GSPO has its share of the mean over tokens."""
    return 1 / float(setting.get("length", 1))


CLIP = {"clip_low": 0.2, "clip_high": 0.2}
HIGHER = {"clip_low": 0.2, "clip_high": 0.28}
WHOLE = {"clip_low": 3e-4, "clip_high": 4e-4}
FIGURES = (
    Figure(
        "ppo",
        (
            CLIP,
            {"clip_low": 0.1, "clip_high": 0.1},
            {"clip_low": 0.4, "clip_high": 0.4},
            {**CLIP, "dual_clip": 3.0},
        ),
        grid(0.05, 4, 0.05),
        of_ratio(ppo_here),
        edges=band,
    ),
    Figure(
        "grpo",
        (
            {**CLIP, "kl_coef": 0.0},
            {**HIGHER, "kl_coef": 0.0},
            {**CLIP, "kl_coef": 0.04},
            {**CLIP, "kl_coef": 0.1},
        ),
        RATIOS,
        of_ratio(grpo_here),
        edges=band,
    ),
    Figure(
        "dapo",
        (HIGHER, CLIP, {"clip_low": 0.2, "clip_high": 0.4}),
        grid(0.05, 2, 0.05),
        of_ratio(dapo),
        edges=band,
    ),
    Figure(
        "vapo",
        ({**HIGHER, "nll_coef": 0.1}, {**HIGHER, "nll_coef": 0.0}, {**HIGHER, "nll_coef": 0.5}),
        grid(0.05, 2, 0.05),
        of_ratio(vapo_here),
        edges=band,
    ),
    Figure(
        "gspo",
        tuple({"length": float(length), **WHOLE} for length in (1000, 100, 2000)),
        RATIOS,
        of_ratio(gspo_here),
        edges=band,
        per=per_length,
    ),
    Figure(
        "sapo",
        tuple({"tau_pos": a, "tau_neg": b} for a, b in ((1.0, 1.05), (1.0, 4.0), (4.0, 4.0))),
        grid(0.05, 4, 0.05),
        of_ratio(sapo),
    ),
    Figure(
        "cispo",
        tuple(
            {"weight_min": a, "weight_max": b}
            for a, b in ((0.0, 2.0), (0.0, 1.2), (0.8, 1.2), (0.0, 4.0))
        ),
        grid(0.05, 5, 0.05),
        of_ratio(cispo),
        edges=band,
    ),
    Figure(
        "kimi-mirror-descent",
        ({"tau": 1.0}, {"tau": 0.5}, {"tau": 2.0}),
        grid(-2, 2, 0.1),
        kimi_here,
        per=lambda setting: 2 * setting["tau"],
    ),
    Figure(
        "kimi-token-mirror-descent",
        tuple({"tau": tau, "ratio_min": 0.5, "ratio_max": 1.5} for tau in (0.1, 0.01, 0.5)),
        RATIOS,
        of_ratio(kimi_token_here),
        edges=band,
    ),
    Figure(
        "sao",
        (
            {"clip_low": 0.3, "clip_high": 5.0, "weight": "held"},
            {"clip_low": 0.8, "clip_high": 3.0, "weight": "held"},
            {**HIGHER, "weight": "held"},
            {"clip_low": 0.3, "clip_high": 5.0, "weight": "differentiated"},
        ),
        grid(0.1, 7, 0.1),
        of_ratio(sao_here),
        edges=band,
    ),
    Figure(
        "decoupled-ppo",
        tuple(
            {**CLIP, "proximal": proximal, "bound": bound}
            for proximal, bound in (
                (1.5, "unbounded"),
                (1.0, "unbounded"),
                (0.6, "unbounded"),
                (2.5, "popped"),
            )
        ),
        RATIOS,
        of_ratio(decoupled_here),
        edges=band,
    ),
    Figure(
        "kl",
        tuple({"estimator": name} for name in ("k1", "k2", "k3", "k3_straight_through")),
        grid(-2, 2, 0.1),
        kl_here,
        signs=(1,),
    ),
    Figure(
        "dft",
        ({"loss": "DFT"}, {"loss": "SFT"}),
        grid(0.02, 0.98, 0.02),
        fine_tuning,
        signs=(1,),
        per=downhill,
    ),
    Figure(
        "dpo",
        (
            {"beta": 0.1, "label_smoothing": 0.0},
            {"beta": 0.05, "label_smoothing": 0.0},
            {"beta": 0.5, "label_smoothing": 0.0},
            {"beta": 0.5, "label_smoothing": 0.1},
        ),
        grid(-20, 20, 1),
        of_margin(dpo),
        signs=(1,),
        per=downhill,
    ),
    Figure(
        "ipo",
        tuple({"tau": tau, "average_tokens": True} for tau in (0.1, 0.25, 0.5)),
        grid(-10, 15, 1),
        of_margin(ipo),
        signs=(1,),
        per=downhill,
    ),
    Figure(
        "kto",
        tuple({"beta": beta} for beta in (0.1, 0.5, 1.0)),
        grid(-10, 10, 0.5),
        kto_here,
        per=downhill,
    ),
    Figure(
        "simpo",
        tuple(
            {"beta": beta, "simpo_gamma": gamma}
            for beta, gamma in ((2.5, 1.375), (2.0, 1.0), (2.5, 0.0), (10.0, 3.0))
        ),
        grid(-2, 2, 0.1),
        simpo_here,
        signs=(1,),
        per=downhill,
    ),
    Figure(
        "orpo",
        tuple({"orpo_lambda": weight} for weight in (0.1, 0.0, 1.0)),
        grid(0.04, 0.96, 0.02),
        orpo_here,
        signs=(1,),
        per=downhill,
    ),
    Figure(
        "compared",
        (
            {"method": "PPO", **CLIP},
            {"method": "GSPO", **CLIP, "length": 8.0},
            {"method": "SAPO", "tau_pos": 1.0, "tau_neg": 1.05},
            {"method": "CISPO", "weight_min": 0.0, "weight_max": 2.0},
            {"method": "SAO", "clip_low": 0.6, "clip_high": 1.4, "weight": "held"},
        ),
        RATIOS,
        method,
        edges=band,
        per=per_length,
    ),
)


def places(figure: Figure, setting: Setting) -> list[float]:
    """The grid, with every edge inside it read a little to each side and nothing in between."""
    edges = [e for e in figure.edges(setting) if figure.grid[0] < e < figure.grid[-1]]
    sides = [edge * (1 + side * STEP_ASIDE) for edge in edges for side in (-1, 1)]
    near = 2 * STEP_ASIDE
    kept = [x for x in figure.grid if all(abs(x - edge) > near * edge for edge in edges)]
    return sorted({*kept, *sides})


def curve(figure: Figure, setting: Setting, sign: int) -> dict[str, Any]:
    """One curve: places, terms and gradients."""
    found: dict[str, list[float]] = {"x": places(figure, setting), "term": [], "gradient": []}
    for x in found["x"]:
        term, leaf = figure.at(x, sign, setting)
        gradient = torch.autograd.grad(term, leaf)[0].flatten()[0]
        found["term"].append(float(term.detach()))
        found["gradient"].append(sign * float(gradient) / figure.per(setting))
    rounded = {name: [short(value) for value in values] for name, values in found.items()}
    return {"figure": figure.name, "setting": dict(setting), "sign": sign, **rounded}


def short(value: float) -> float:
    """A number in as many digits as every run keeps; `inf` and NaN are refused when written."""
    return 0.0 if abs(value) < ZERO else float(f"{value:.{SIGNIFICANT}g}")


def curves() -> Iterator[dict[str, Any]]:
    """Every curve of every figure."""
    for figure in FIGURES:
        for setting in figure.settings:
            for sign in figure.signs:
                yield curve(figure, setting, sign)


def text() -> str:
    """All curves, one a line."""
    lines = [json.dumps(each, allow_nan=False) for each in curves()]
    return "\n".join(lines) + "\n"


def main(words: Sequence[str] | None = None) -> None:
    """Writes the curves into the folder given with `--out`."""
    parser = argparse.ArgumentParser(description="Curves of the objectives on one sample.")
    parser.add_argument("--out", type=Path, required=True, help=f"folder for {FILE}")
    folder = parser.parse_args(words).out
    single_threaded()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_bytes(text().encode())
    print(folder / FILE)


if __name__ == "__main__":
    main()
