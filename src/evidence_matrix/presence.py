"""How the value of a claim stands in its fragments, looked up once for all rules that ask."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.evidence import Fragment
from evidence_matrix.matrix import Claim
from evidence_matrix.quantity import Quantity
from evidence_matrix.standing import How, Standing, number_in

_FOUND = Standing(How.FOUND)
_kept: dict[tuple[str, str], Standing] = {}
_MOST_KEPT = 100_000


def standings(claim: Claim) -> Iterator[tuple[int, Fragment, Standing]]:
    """Each fragment of a quantity claim by its index, and how the number stands in it.

    Fragments where it is found just as it is claimed are left out.
    """
    quantity = claim.parsed
    if not isinstance(quantity, Quantity):
        return
    for index, piece in enumerate(claim.evidence):
        if not isinstance(piece, Fragment) or not piece.quote:
            continue
        key = (piece.quote, quantity.text)
        standing = _kept.get(key)
        if standing is None:
            if len(_kept) >= _MOST_KEPT:
                _kept.clear()
            standing = number_in(piece.quote, quantity)
            _kept[key] = _FOUND if standing.how is How.FOUND else standing
        if standing.how is not How.FOUND:
            yield index, piece, standing
