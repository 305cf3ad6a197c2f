"""The value of a claim, as the kind of its aspect reads it: a quantity, a day, words or terms."""

from __future__ import annotations

from typing import TypeAlias

from evidence_matrix.dates import PartialDate, parse_date
from evidence_matrix.quantity import Quantity, QuantityError, parse_quantity
from evidence_matrix.records import AspectRecord

Parsed: TypeAlias = Quantity | PartialDate | tuple[str, ...] | str | None


def parse_value(written: str | tuple[str, ...], aspect: AspectRecord) -> Parsed:
    """The value as the aspect's kind reads it.

    Raises:
        QuantityError: a quantity cannot be read, or its unit is not the aspect's.
        DateError: a date cannot be read.
    """
    if aspect.kind == "quantity":
        if isinstance(written, tuple):
            raise QuantityError(
                "a list where one quantity belongs",
                "write one quantity; several are several claims, each with a scope",
            )
        quantity = parse_quantity(written, aspect.unit, aspect.also)
        if aspect.unit is None and quantity.unit is not None and quantity.unit not in aspect.also:
            raise QuantityError(
                f"`{written}` has the unit `{quantity.unit}`, and the aspect has none",
                "write the number alone, and what it counts in `means`",
                is_unit=True,
            )
        return quantity
    if aspect.kind == "date":
        return parse_date(written if isinstance(written, str) else ", ".join(written))
    if isinstance(written, tuple):
        return written
    return (written,) if aspect.kind == "term" else written
