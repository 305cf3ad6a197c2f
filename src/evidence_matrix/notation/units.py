"""The names that a unit goes by, in a value and in the words of a source."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

Factors: TypeAlias = Mapping[str, int]
"""The names in a unit with their powers: USD/GPU hour is USD 1, GPU hour -1."""
PERCENT = ("%", "percent", "per cent", "percentage points", "percentage")
_NO_UNIT = frozenset({"", "1", "×", "x", "times"})
CURRENCIES = {
    "$": ("USD", "US dollars", "dollars", "$"),
    "€": ("EUR", "euros", "€"),
    "£": ("GBP", "pounds", "£"),
    "¥": ("CNY", "RMB", "yuan", "JPY", "yen", "¥"),
}
_SIGNS = {"US$": "$", "USD": "$", "EUR": "€", "GBP": "£", "RMB": "¥", "CNY": "¥"} | {
    sign: sign for sign in CURRENCIES
}
CURRENCY = re.compile(
    "(" + "|".join(re.escape(sign) for sign in _SIGNS) + r")\s?(?=[0-9.])", re.IGNORECASE
)


def currency_names(sign: str) -> tuple[str, ...]:
    """The names of the currency that `sign` (`$`, `US$`, `EUR`) stands for."""
    return CURRENCIES[_SIGNS[sign.upper()]]


@lru_cache(maxsize=4096)
def bare(name: str) -> str:
    """A name without case, hyphens and plural, for comparing."""
    words = name.casefold().replace("-", " ").split()
    if not words:
        return ""
    last = words[-1]
    if last.endswith("ies") and len(last) > 4:
        last = last[:-3] + "y"
    elif last.endswith(("sses", "xes", "ches", "shes")):
        last = last[:-2]
    elif last.endswith("s") and len(last) > 3 and not last.endswith("ss"):
        last = last[:-1]
    return " ".join([*words[:-1], last])


@lru_cache(maxsize=4096)
def all_names(unit: str, also: tuple[str, ...]) -> tuple[str, ...]:
    """A unit's names, with those of percent and of currencies that everyone knows."""
    names = (unit, *also)
    known = {bare(name) for name in names}
    for group in (PERCENT, *CURRENCIES.values()):
        if known & {bare(name) for name in group}:
            names += group
    return tuple(dict.fromkeys(names))


def ends_in(words: str, names: tuple[str, ...]) -> bool:
    """Whether `words` end in one of `names`, a plural and a hyphen aside."""
    return f" {bare(words)}".endswith(_endings(names))


@lru_cache(maxsize=4096)
def _endings(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f" {bare(name)}" for name in names if name)


@lru_cache(maxsize=1024)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    choices = []
    for name in sorted(names, key=len, reverse=True):
        if not name[-1:].isalnum():
            choices.append(re.escape(name))
            continue
        words = bare(name).split()
        stem = r"[\s-]+".join(re.escape(word) for word in words)
        if stem.endswith("y"):
            stem = f"{stem[:-1]}(?:y|ies)"
        choices.append(rf"(?<![A-Za-z]){stem}(?:e?s)?(?![A-Za-z])")
    return re.compile("|".join(choices), re.IGNORECASE)


def unit_in(fragment: str, names: Sequence[str]) -> bool:
    """Whether a unit stands in a fragment under one of its names, singular or plural."""
    known = tuple(name for name in names if name)
    return bool(known) and _pattern(known).search(fragment) is not None


def factors(unit: str | None) -> Factors:
    """The names and powers in a unit such as `tokens`, `USD/GPU hour` or `tokens·layers`."""
    found: dict[str, int] = {}
    above, *below = (unit or "").split("/")
    for part, power in [(above, 1), *((part, -1) for part in below)]:
        for name in map(str.strip, part.split("·")):
            if name not in _NO_UNIT:
                found[name] = found.get(name, 0) + power
    return found


def joined(left: Factors, right: Factors, sign: int) -> Factors:
    """The unit of a product (`sign` 1) or a quotient (-1); a plural meets its singular."""
    found = dict(left)
    known = {bare(name): name for name in found}
    for name, power in right.items():
        mine = known.setdefault(bare(name), name)
        found[mine] = found.get(mine, 0) + sign * power
    return {name: power for name, power in found.items() if power}


def is_percent(unit: Factors) -> bool:
    """Whether the unit is percent, by any of its names."""
    return list(unit.values()) == [1] and next(iter(unit)) in PERCENT


def comparable(unit: Factors) -> Factors:
    """The same unit without plural and case; equal for units that are the same."""
    return {"%": 1} if is_percent(unit) else {bare(name): power for name, power in unit.items()}


def named(unit: Factors) -> str | None:
    """The unit as it is written; None for a bare number."""
    above = [name for name, power in unit.items() for _ in range(power)]
    below = [name for name, power in unit.items() for _ in range(-power)]
    return "/".join(["·".join(above) or "1", *below]) if above or below else None
