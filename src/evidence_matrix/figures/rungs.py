"""Rungs: amounts that double from step to step, such as lengths of a context."""

from __future__ import annotations

import math

from evidence_matrix.quantity import Quantity

# 1,000,000 stands on the rung of 2^20 and 128,000 on that of 2^17: sources write both for either.
TOLERANCE = 0.075


def rung(quantity: Quantity) -> int | None:
    """The power of two that a quantity reaches, or None for one that has no lower bound."""
    number = quantity.low if quantity.low is not None else quantity.high
    if number is None or number < 1:
        return None
    return math.floor(math.log2(number) + TOLERANCE)


def title(power: int) -> str:
    """How a power of two is written: 128K, 1M."""
    for exponent, sign in ((30, "B"), (20, "M"), (10, "K")):
        if power >= exponent:
            return f"{2 ** (power - exponent)}{sign}"
    return str(2**power)
