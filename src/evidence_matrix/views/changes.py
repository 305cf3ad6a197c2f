"""What became known when: the record's own dates as a page."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.pages.composer import Composer, View, aspect_title, iso
from evidence_matrix.pages.page import Content, Page
from evidence_matrix.pages.tables import (
    claims_cell,
    column,
    date_cell,
    row,
    table,
    table_page,
    text_cell,
)

_SHOWN = 150


def pages(matrix: Matrix) -> Iterator[Page]:
    """One page with the newest answers."""
    yield Page(
        url="changes/",
        template="table",
        title="What changed",
        description="The newest answers of the record, by the day they became public.",
        content=_content,
        shows={"page:changes": ""},
        tab="Overview",
        nav="Changes",
        order=40,
        wide=True,
        search=False,
    )


def dated(matrix: Matrix) -> list[tuple[str, Claim]]:
    """Claims by the day since when the world could know them, newest first."""
    entries = []
    for claim in matrix.claims.values():
        day = matrix.public_of(claim)
        if day is not None and claim.label is not Label.U:
            entries.append((iso(day), claim))
    return sorted(entries, key=lambda entry: (entry[0], entry[1].id), reverse=True)


def _content(composer: Composer) -> Content:
    matrix = composer.matrix
    entries = dated(matrix)
    changed = [
        (day, claim) for day, claim in entries if claim.record.earlier or claim.record.withdrawn
    ]
    rows = [_row(composer, claim, []) for _, claim in entries[:_SHOWN]]
    subject, aspect, answer = column("Subject"), column("Aspect"), column("Answer")
    since = column("Public since")
    tables = []
    if changed:
        tables.append(
            table(
                "Places whose answer changed",
                [subject, aspect, answer, column("Before"), since],
                [_row(composer, claim, [_before(composer, claim)]) for _, claim in changed],
                section="Answers that changed",
                linked=True,
            )
        )
    tables.append(
        table(
            f"The newest {len(rows)} of {len(entries):,} answers",
            [subject, aspect, answer, since],
            rows,
            section="Newest answers",
            filtered=True,
            linked=True,
        )
    )
    return table_page(
        composer,
        Markup(
            "By the day since when the world could know it, which is not the day we read it. "
            '<a href="../feed.xml">The same as a feed</a>, and each lab’s by itself on its page.'
        ),
        tables,
    )


def _before(composer: Composer, claim: Claim) -> View:
    earlier = composer.claim(claim, cite=False)["earlier"]
    return text_cell("; ".join(f"{e['value_text']} until {e['until']}" for e in earlier))


def _row(composer: Composer, claim: Claim, before: list[View]) -> View:
    matrix = composer.matrix
    cells = [
        text_cell(aspect_title(claim, matrix)),
        claims_cell(composer, [claim], linked=True),
        *before,
        date_cell(matrix.public_of(claim)),
    ]
    name = matrix.subjects[claim.subject].name
    href = composer.href(f"subject:{claim.subject}")
    scopes = matrix.subjects[claim.subject].record.scopes
    scope = scopes.get(claim.scope, claim.scope) if claim.scope else ""
    return row(name, cells, href, sub=scope, public=iso(matrix.public_of(claim)))
