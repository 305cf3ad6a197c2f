"""What other implementations gave on the reference cases of an objective, and how far off that is.

The cases lie beside the tests, which hold each objective to the first answer of a case. What
others answered to the same inputs was recorded with it, as the greatest difference.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CASES = "tests/objectives/vectors"
OBJECTIVES = {
    "decoupled_async_ppo": "decoupled-ppo",
    "gae": "ppo",
    "grpo_advantage": "grpo",
    "kl_estimators": "kl",
    "ppo_policy": "ppo",
    "ppo_value": "ppo",
    "reinforce_pp": "reinforce-plus-plus",
}
"""Objectives by the name of their file of cases, where the two differ."""
ROUNDING = 1e-6
"""A difference up to this is rounding: some of the peers compute in float32."""
NAMES = {
    "areal": "AReaL",
    "mergekit": "mergekit",
    "openrlhf": "OpenRLHF",
    "torch": "PyTorch",
    "torchrl": "TorchRL",
    "trl": "TRL",
    "verl": "veRL",
}
_RELEASE = re.compile(r"(?P<name>[\w-]+)==(?P<version>[\w.]+)(?:\+cpu)?(?:\s+|$)")
_PACKAGES = re.compile(r"^(?:[a-z_]+\.)+(?=[A-Za-z_]+)")
_COMMIT = re.compile(r"[\w-]+/(?P<name>[\w-]+)@(?P<version>[0-9a-f]{7})[0-9a-f]*(?:\s+|$)")


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody's code gave on one case.

    Attributes:
        who: the implementation with its version; "" for a variant that was written out by hand.
        what: what of it was run.
        case: the id of the case.
        held: whether the tests hold the objective to this answer.
        agrees: whether it is the same but for rounding.
        value, gradient: the greatest difference; None where there was none to compare.
        value_size, gradient_size: the greatest number that it is a difference of.
    """

    who: str
    what: str
    case: str
    held: bool
    agrees: bool
    value: float | None = None
    gradient: float | None = None
    value_size: float = 0.0
    gradient_size: float = 0.0


def read(root: Path) -> dict[str, list[Answer]]:
    """Answers by objective: first what differs most, then what agrees; none without cases."""
    found: dict[str, list[Answer]] = {}
    for path in sorted((root / CASES).glob("*.json")):
        objective = OBJECTIVES.get(path.stem, path.stem.replace("_", "-"))
        for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
            found.setdefault(objective, []).extend(_answers(case))
    return {name: sorted(answers, key=_order) for name, answers in found.items()}


def _answers(case: Mapping[str, Any]) -> Iterator[Answer]:
    oracle = case["oracle"]
    who, _ = _name(oracle["package"])
    if who:
        yield Answer(who, _short(oracle["function"]), case["id"], held=True, agrees=True)
    for check in case.get("cross_checks", ()):
        who, what = _name(check["oracle"])
        agrees = check["relation"] == "agrees"
        if who or not agrees:
            yield Answer(
                who,
                _short(what),
                case["id"],
                held=False,
                agrees=agrees,
                value=_greatest(check["max_abs_diff"]),
                gradient=_greatest(check.get("max_abs_diff_gradient", {})),
                value_size=_size(case["outputs"], check["max_abs_diff"]),
                gradient_size=_size(
                    case.get("gradients_of_loss", {}), check.get("max_abs_diff_gradient", {})
                ),
            )


def _name(text: str) -> tuple[str, str]:
    """The implementation that a text starts with, and the rest; "" where it names none."""
    if match := _RELEASE.match(text):
        name = NAMES.get(match["name"], match["name"])
    elif match := _COMMIT.match(text):
        name = match["name"]
    else:
        return "", text
    return f"{name} {match['version']}", text[match.end() :]


def _short(what: str) -> str:
    """What was run, without the packages that it lies in."""
    return _PACKAGES.sub("", what)


def _size(numbers: Mapping[str, Any], compared: Mapping[str, float]) -> float:
    """The greatest of the numbers that were compared, whichever nest of lists it lies in."""
    todo = [numbers[name] for name in compared if name in numbers]
    found = 0.0
    while todo:
        each = todo.pop()
        if isinstance(each, list):
            todo += each
        else:
            found = max(found, abs(each))
    return found


def _greatest(differences: Mapping[str, float]) -> float | None:
    return max(differences.values(), default=None)


def _order(answer: Answer) -> tuple[bool, float, str]:
    return answer.agrees, -max(answer.value or 0, answer.gradient or 0), answer.who
