"""Context: what a fragment leaves to the text around it, and a reader should be told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from evidence_matrix.evidence import Evidence, Fragment
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.notation.units import all_names, unit_in
from evidence_matrix.quantity import Quantity

UNIT = "unit from context"
SUBJECT = "model not named in the fragment"


def left_to_context(piece: Evidence, claim: Claim, matrix: Matrix) -> Iterator[str]:
    """What the words quoted do not say themselves: the unit, or which subject they are about.

    The subject is only asked for where the source carries claims about several.
    """
    if not isinstance(piece, Fragment) or not piece.quote:
        return
    aspect = matrix.aspects.get(claim.aspect)
    if isinstance(claim.parsed, Quantity) and aspect is not None and aspect.record.unit:
        names = all_names(aspect.record.unit, aspect.record.also)
        if not unit_in(piece.words, names):
            yield UNIT
    if _about_several(piece.source, matrix) and not _named(piece, claim, matrix):
        yield SUBJECT


def _about_several(source: str, matrix: Matrix) -> bool:
    subjects = {claim.subject for claim in matrix.claims_of_source.get(source, ())}
    return len(subjects) > 1


def _named(piece: Fragment, claim: Claim, matrix: Matrix) -> bool:
    words = piece.words.casefold()
    return any(name in words for name in _names(claim.subject, claim.scope, matrix))


def _names(subject_id: str, scope: str | None, matrix: Matrix) -> tuple[str, ...]:
    record = matrix.subjects[subject_id].record
    return _pieces((record.name, *record.aliases, *((scope,) if scope else ())))


@lru_cache(maxsize=4096)
def _pieces(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names, and their parts that hold a digit: `K3` of `Kimi K3`, `Flash` is no part."""
    found = {name.casefold() for name in names}
    for name in names:
        parts = re.split(r"[\s-]+", name)
        found |= {part.casefold() for part in parts if re.search(r"\d", part) and len(part) > 1}
    return tuple(sorted(found))
