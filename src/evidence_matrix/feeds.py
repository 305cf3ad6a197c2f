"""Feeds: the newest answers in Atom (RFC 4287), by the records' own dates."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from jinja2 import Environment

from evidence_matrix.dates import PartialDate
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.pages.composer import Composer
from evidence_matrix.views.changes import dated

NEWEST = 100
# It never changes: feed readers know entries by what is made from it.
_IDS = uuid.UUID("6f1d8a52-5b0e-4c39-9a57-0d1c3b8e7a41")


def write(composer: Composer, templates: Environment, docs: Path, site_url: str) -> None:
    """Write feed.xml and labs/<lab>/feed.xml below `docs`; the composer is that of the home page.

    Links are relative to xml:base: the site's address, or without one the way up to its root.
    """
    matrix = composer.matrix
    claims = [claim for _, claim in dated(matrix)]
    template = templates.get_template("feed.xml.j2")

    def feed(path: str, title: str, page: str, about: Sequence[Claim]) -> None:
        text = template.render(
            id=_urn(path),
            title=title,
            base=site_url or "../" * path.count("/") or "./",
            address=path,
            page=composer.href(page),
            updated=_instant(matrix, about[0]) if about else f"{matrix.today}T00:00:00Z",
            entries=[_entry(composer, claim) for claim in about[:NEWEST]],
        )
        (docs / path).parent.mkdir(parents=True, exist_ok=True)
        (docs / path).write_text(text, encoding="utf-8", newline="\n")

    feed("feed.xml", "Evidence Matrix: what changed", "page:changes", claims)
    for lab, entry in matrix.labs.items():
        about = [claim for claim in claims if claim.lab == lab]
        title = f"Evidence Matrix: {entry.record.name}"
        feed(f"labs/{lab}/feed.xml", title, f"lab:{lab}", about)


def _entry(composer: Composer, claim: Claim) -> dict[str, object]:
    view = composer.claim(claim, cite=False)
    return {
        "id": entry_id(claim),
        "title": f"{composer.title_of(claim)}: {view['value_text']}",
        "updated": _instant(composer.matrix, claim),
        "claim": view,
    }


def entry_id(claim: Claim) -> str:
    """What a reader knows an entry by: the claim and which of its answers, wherever the site is."""
    return _urn(f"{claim.id}#{len(claim.record.earlier)}")


def _urn(name: str) -> str:
    return uuid.uuid5(_IDS, name).urn


def _instant(matrix: Matrix, claim: Claim) -> str:
    """The first instant of the day, the month or the year since when the world could know it."""
    day = matrix.public_of(claim)
    return f"{first_day(day).isoformat()}T00:00:00Z" if day else ""


def first_day(day: PartialDate) -> date:
    """The day that a date stands at in the order of Changes: a month stands at its first."""
    return date(day.year, day.month or 1, day.day or 1)
