"""Drills: kinds of fault that are planted in the real claims to see which of them are caught.

A drill is one kind of fault. A module of this folder holds the kinds of one family as `DRILLS` and
is found by discovery. A kind that escapes stays in the table with its zero: what the check cannot
see is worth as much to a reader as what it can.
"""

from __future__ import annotations

import importlib
import pkgutil
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from evidence_matrix.matrix import Claim, Matrix

Node = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Place:
    """A claim, the matrix it stands in, and the chance that chooses how it is spoiled."""

    claim: Claim
    matrix: Matrix
    chance: random.Random


@dataclass(frozen=True, slots=True)
class Drill:
    """A kind of fault in a claim.

    Attributes:
        id: kebab-case.
        title: what is wrong, in a few words.
        family: what is spoiled: value, fragment, place, source, label, inference, search, record.
        plant: spoils the record, given as nested dicts and lists of text, in place; False where
            the fault does not fit the claim.
    """

    id: str
    title: str
    family: str
    plant: Callable[[Node, Place], bool]


def all_drills() -> Iterator[Drill]:
    """Every kind, by family and in the order of its module."""
    for info in pkgutil.iter_modules(__path__):
        yield from importlib.import_module(f"{__name__}.{info.name}").DRILLS


def first_fragment(node: Node) -> Node | None:
    """The first piece of evidence that quotes words; None where the first piece is none."""
    pieces = node.get("evidence") or []
    return pieces[0] if pieces and pieces[0].get("quote") else None


def other_digit(text: str, chance: random.Random) -> str | None:
    """The text with one digit of its first number changed; None where it has no number."""
    spots = [index for index, char in enumerate(text) if char.isdigit()]
    if not spots:
        return None
    spot = chance.choice(spots)
    digits = [d for d in "123456789" if d != text[spot]]
    return text[:spot] + chance.choice(digits) + text[spot + 1 :]
