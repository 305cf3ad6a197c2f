"""Pairs of responses for the tests of preference objectives, and laws about pairs."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from laws import LAWS, Setting
from torch import Tensor

MASKS = {
    "chosen_log_prob": "chosen_mask",
    "ref_chosen_log_prob": "chosen_mask",
    "rejected_log_prob": "rejected_mask",
    "ref_rejected_log_prob": "rejected_mask",
}


def pairs(seed: int = 0, *, reference: bool = True) -> dict[str, Tensor]:
    """Three pairs of ragged responses, with log-probabilities of either policy or of one."""
    random = torch.Generator().manual_seed(seed)
    tensors = {
        name: -0.1 - 2 * torch.rand(3, 4, dtype=torch.float64, generator=random)
        for name in MASKS
        if reference or not name.startswith("ref_")
    }
    tensors["chosen_mask"] = torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0], [0, 1, 0, 0]])
    tensors["rejected_mask"] = torch.tensor([[1, 1, 1, 0], [1, 1, 1, 1], [1, 0, 1, 0]])
    return tensors


def setting(loss, *, reference: bool = True) -> Setting:
    tensors = pairs(reference=reference)
    return Setting(
        loss,
        tensors,
        leaves=("chosen_log_prob", "rejected_log_prob"),
        mask_of={name: mask for name, mask in MASKS.items() if name in tensors},
    )


def parts_of_the_pairs_add_up(setting: Setting) -> None:
    """Parts that are divided by the number of all pairs add up to the whole, gradient included."""
    loss, gradients = setting.evaluate()
    got = [
        setting.with_tensors(
            **{name: each[part] for name, each in setting.tensors.items()}
        ).evaluate(denominator=3)
        for part in (slice(0, 1), slice(1, None))
    ]
    torch.testing.assert_close(got[0][0] + got[1][0], loss, rtol=1e-12, atol=1e-14)
    for name, gradient in gradients.items():
        joined = torch.cat([part[1][name] for part in got])
        torch.testing.assert_close(joined, gradient, rtol=1e-12, atol=1e-14)


def an_empty_response_is_refused(setting: Setting) -> None:
    """A response without a token has no log-probability to compare: an error that names it."""
    for name in ("chosen_mask", "rejected_mask"):
        mask = setting.tensors[name].clone()
        mask[1] = 0
        with pytest.raises(ValueError, match=rf"{name} keeps no token of response\(s\) \[1\]"):
            setting.with_tensors(**{name: mask}).evaluate()


def another_number_of_pairs_is_refused(setting: Setting) -> None:
    """Row i of both sides is one pair."""
    shorter = {
        name: each[:2] if "rejected" in name else each for name, each in setting.tensors.items()
    }
    with pytest.raises(ValueError, match="3 chosen and 2 rejected"):
        replace(setting, tensors=shorter).evaluate()


def widths_may_differ(setting: Setting) -> None:
    """A side may be padded further than the other."""
    loss, _ = setting.evaluate()
    wider = {
        name: torch.cat([each, torch.zeros_like(each[:, :1])], dim=1)
        for name, each in setting.tensors.items()
        if "rejected" in name
    }
    assert torch.equal(setting.with_tensors(**wider).evaluate()[0], loss)


PAIR_LAWS = (
    *LAWS,
    parts_of_the_pairs_add_up,
    an_empty_response_is_refused,
    another_number_of_pairs_is_refused,
    widths_may_differ,
)


def from_case(case, *, reference: bool = True) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Arguments from a reference case, and its leaves by the names of the case."""
    leaves = {name: case.leaf(name) for name in ("chosen_token_logp", "rejected_token_logp")}
    arguments = {
        "chosen_log_prob": leaves["chosen_token_logp"],
        "rejected_log_prob": leaves["rejected_token_logp"],
        "chosen_mask": case["chosen_mask"],
        "rejected_mask": case["rejected_mask"],
    }
    if reference:
        arguments["ref_chosen_log_prob"] = case["ref_chosen_token_logp"]
        arguments["ref_rejected_log_prob"] = case["ref_rejected_token_logp"]
    return arguments, leaves


def doubled(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """Every token of both responses written twice."""
    return {name: each.repeat_interleave(2, dim=1) for name, each in tensors.items()}
