"""Comparisons: one aspect across all subjects, sorted as numbers, with ranges and unknowns."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.matrix import Entry, Matrix
from evidence_matrix.pages.composer import Composer
from evidence_matrix.pages.page import Content, Find, Page
from evidence_matrix.pages.tables import (
    claims_cell,
    column,
    date_cell,
    row,
    sort_key,
    span,
    table,
    table_page,
    text_cell,
)
from evidence_matrix.records import AspectRecord


def pages(matrix: Matrix) -> Iterator[Page]:
    """The vocabulary, and one page for each aspect that has a claim."""
    used = {claim.aspect for claim in matrix.claims.values()}
    yield Page(
        url="compare/",
        template="table",
        title="Compare by aspect",
        description="Every aspect of the vocabulary: what it counts, and who answers it.",
        content=_vocabulary,
        shows={"page:compare": ""}
        | {f"aspect:{aspect}": aspect for aspect in matrix.aspects if aspect not in used},
        tab="Compare",
        nav="By aspect",
        order=0,
        wide=True,
    )
    for aspect in matrix.aspects.values():
        if aspect.id not in used:
            continue
        yield Page(
            url=f"compare/{aspect.id}/",
            template="table",
            title=aspect.record.title,
            description=f"{aspect.record.title} of every subject: {aspect.record.counts}.",
            content=lambda composer, aspect=aspect: _aspect(composer, aspect),  # type: ignore[misc]
            shows={f"aspect:{aspect.id}": ""},
            tab="Compare",
            crumbs=(("Compare", "page:compare"),),
            finds=(
                Find(
                    f"{aspect.record.title} of all subjects",
                    "Comparison",
                    id=aspect.id,
                    text=aspect.record.counts,
                ),
            ),
            wide=True,
        )


def _vocabulary(composer: Composer) -> Content:
    matrix = composer.matrix
    numbers: dict[str, int] = {}
    for claim in matrix.claims.values():
        numbers[claim.aspect] = numbers.get(claim.aspect, 0) + 1
    rows = []
    for aspect in matrix.aspects.values():
        record = aspect.record
        count = numbers.get(aspect.id, 0)
        cells = [
            text_cell(record.counts),
            text_cell(record.group),
            text_cell(record.unit or ""),
            text_cell("core" if record.core == "yes" else ""),
            text_cell(f"{count:,}", sort=f"{count:05d}"),
        ]
        href = composer.href(f"aspect:{aspect.id}") if count else ""
        row_id = "" if count else aspect.id
        rows.append(row(record.title, cells, href, sub=aspect.id, row_id=row_id))
    titles = ("Aspect", "What counts", "Group", "Unit", "Core", "Claims")
    columns = [column(title, numeric=title == "Claims") for title in titles]
    return table_page(
        composer,
        "An aspect is a thing one can disclose. Claims with the same aspect can be compared, as "
        "long as their scopes and protocols agree.",
        [table("The vocabulary", columns, rows, wide=True, filtered=True, linked=True)],
    )


def _aspect(composer: Composer, aspect: Entry[AspectRecord]) -> Content:
    matrix = composer.matrix
    claims = list(matrix.claims_of_aspect[aspect.id])
    claims.sort(key=lambda claim: (sort_key(claim) == "~", sort_key(claim)))
    if aspect.record.kind == "quantity":
        known = [claim for claim in claims if sort_key(claim) != "~"]
        claims = known[::-1] + [claim for claim in claims if sort_key(claim) == "~"]
    linked = len(claims) > 40
    rows = []
    for claim in claims:
        subject = matrix.subjects[claim.subject]
        lab = matrix.labs[claim.lab].record.name if claim.lab in matrix.labs else claim.lab
        public = matrix.public_of(claim)
        cells = [
            claims_cell(composer, [claim], linked=linked),
            text_cell(claim.record.means or ""),
            text_cell(lab),
            date_cell(public),
        ]
        scope = subject.record.scopes.get(claim.scope, claim.scope) if claim.scope else ""
        sub = "; ".join(part for part in (scope, claim.reading) if part)
        href = composer.href(f"claim:{claim.id}")
        since = public.format() if public else ""
        rows.append(row(subject.name, cells, href, sub=sub, public=since, span=span(claim)))
    unit = aspect.record.unit or ""
    columns = [
        column("Subject"),
        column("Value", unit=unit, numeric=aspect.record.kind == "quantity"),
        column("What it counts"),
        column("Lab"),
        column("Public since"),
    ]
    subjects = {claim.subject for claim in claims}
    caption = f"{aspect.record.title}: {len(claims)} claims about {len(subjects)} subjects"
    return table_page(
        composer,
        f"{aspect.record.counts[:1].upper()}{aspect.record.counts[1:]}.",
        [
            table(
                caption,
                columns,
                rows,
                wide=True,
                filtered=len(rows) > 15,
                numbers=aspect.record.kind == "quantity",
                linked=linked,
            )
        ],
    )
