"""The value written for a formula: whether it is what the formula gives, to its precision."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from evidence_matrix.notation.units import PERCENT, comparable, factors
from evidence_matrix.quantity import Quantity

GUARD = 10  # a value may have one digit more than its premises carry


def disagreement(value: Quantity, computed: Quantity) -> str | None:
    """Why a value is not what the formula gives; None where it is."""
    if value.unit in PERCENT and computed.unit not in PERCENT:
        computed = _times_hundred(computed)
    units = (factors(value.unit), factors(computed.unit))
    if computed.unit and value.unit not in PERCENT and comparable(units[0]) != comparable(units[1]):
        return f"the formula gives {computed.unit}, the value has {value.unit or 'no unit'}"
    shape = _shape(computed)
    if _shape(value) != shape:
        return f"the formula gives {shape}, the value is {_shape(value)}"
    if computed.about and not value.about:
        return "a premise is about, the value is not"
    if (value.low_open and not computed.low_open) or (value.high_open and not computed.high_open):
        return "the value leaves out its bound, the formula does not"
    if not _near(value, computed):
        return f"in full it gives {replace(computed, step=Fraction(0)).format()}"
    if computed.step and value.step * GUARD < computed.step:
        return f"the premises carry no more digits than {computed.format()}"
    return None


def _near(value: Quantity, computed: Quantity) -> bool:
    """Whether each end is the computed one, rounded; a bound may be rounded outward only."""
    for mine, other, outward in (
        (value.low, computed.low, -1 if value.high is None else 0),
        (value.high, computed.high, 1 if value.low is None else 0),
    ):
        if mine is None or other is None:
            continue
        excess = mine - other
        if outward and (excess * outward < 0 or abs(excess) >= value.step):
            return excess == 0
        if not outward and abs(excess) > value.step / 2:
            return False
    return True


def _shape(of: Quantity) -> str:
    if of.is_point:
        return "one number"
    if of.low is None and of.high is None:
        return "any number"
    return (
        "a range"
        if None not in (of.low, of.high)
        else ("a lower bound" if of.high is None else "an upper bound")
    )


def _times_hundred(of: Quantity) -> Quantity:
    return replace(
        of,
        low=None if of.low is None else of.low * 100,
        high=None if of.high is None else of.high * 100,
        step=of.step * 100,
        unit="%" if of.unit is None else of.unit,
    )
