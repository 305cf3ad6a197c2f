"""Agreement: whether what an expression reads in a file is the value that a claim gives."""

from __future__ import annotations

from evidence_matrix.dates import DateError, PartialDate, parse_date
from evidence_matrix.quantity import Quantity, QuantityError, parse_quantity
from evidence_matrix.standing import number_in
from evidence_matrix.text import fold
from evidence_matrix.values import Parsed
from evidence_matrix.verification.passages import is_whole


def gives(read: str, written: str, parsed: Parsed) -> bool:
    """Whether a text read in a file is a claim's value: the same number, date, list or words.

    Numbers are compared exactly, 128K is not 131072. A text of several words, such as a range of
    lines, gives a value that stands in it.
    """
    if isinstance(parsed, Quantity):
        return _gives_number(read, parsed)
    if isinstance(parsed, PartialDate):
        return _date(read) == parsed
    wanted, found = fold(written).casefold(), fold(read).strip("[]").casefold()
    if wanted.strip("[]") == found:
        return True
    if parsed is None:
        try:
            return _gives_number(read, parse_quantity(written))
        except QuantityError:
            return _stands(wanted, found)
    return _stands(wanted, found)


def _gives_number(read: str, quantity: Quantity) -> bool:
    try:
        found = parse_quantity(read.strip())
    except QuantityError:
        return " " in read.strip() and bool(number_in(read, quantity))
    return _bounds(found) == _bounds(quantity)


def _bounds(quantity: Quantity) -> tuple[object, ...]:
    ends = (quantity.low, quantity.high)
    return (*ends, quantity.low_open, quantity.high_open, quantity.about)


def _date(read: str) -> PartialDate | None:
    try:
        return parse_date(read.strip())
    except DateError:
        return None


def _stands(wanted: str, found: str) -> bool:
    at = found.find(wanted) if wanted else -1
    while at >= 0:
        if is_whole(found, at, at + len(wanted)):
            return True
        at = found.find(wanted, at + 1)
    return False
