"""Spelling knows which right name a wrong one was probably meant to be."""

from __future__ import annotations

from collections.abc import Iterable

_LIKE_ENOUGH = 65.0  # of 100; below that an offer misleads more often than it helps


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The name most like `name`, or None if none is like it; the order of `names` is no matter."""
    from rapidfuzz import fuzz, process  # needed only once there is a fault

    found = process.extractOne(
        name,
        sorted(names),
        scorer=fuzz.ratio,
        processor=str.casefold,
        score_cutoff=_LIKE_ENOUGH,
    )
    return None if found is None else str(found[0])
