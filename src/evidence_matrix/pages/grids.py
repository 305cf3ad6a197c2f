"""Grids: matrix tables as templates take them, each cell claims, a count or nothing."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim
from evidence_matrix.pages.cells import Row, Share, cell, chosen, day_of, ordered, rows, share
from evidence_matrix.pages.composer import Composer, View
from evidence_matrix.pages.tables import claims_cell, column, date_cell, row, table, text_cell
from evidence_matrix.records import ColumnRecord, Protocol, TableRecord

NOTED = 60  # claims with a note on the page; a longer table links to the claims instead
NOT_STATED = "not stated"
_PLAIN: View = {"whose": [], "more": "", "more_href": ""}


def grid(
    composer: Composer, record: TableRecord, *, linked: bool | None = None, whole: bool = False
) -> View:
    """A table whose rows are labs or subjects.

    Args:
        composer: of the page.
        record: the table.
        linked: whether chips go to their claims; None links where notes would be too many.
        whole: whether a cell shows all of its claims.
    """
    matrix = composer.matrix
    filled = rows(matrix, record)
    contents = [[cell(matrix, record, c, r) for c in record.columns] for r in filled]
    shown = sum(len(claims) for line in contents for claims in line)
    linked = shown > NOTED if linked is None else linked
    lines = []
    for one, line in zip(filled, contents, strict=True):
        cells = []
        for head, claims in zip(record.columns, line, strict=True):
            if head.show == "count":
                cells.append(_count_cell(composer, share(matrix, head, one)))
            else:
                most = len(claims) if whole else int(head.most)
                cells.append(_claims_cell(composer, head, one, claims, most, linked))
        lines.append(_row(composer, record, one, cells))
    heads = [column("Lab" if record.rows_are == "labs" else "Model")]
    heads += [_head(composer, one) for one in record.columns]
    return table(
        record.caption,
        heads,
        lines,
        note=record.note or "",
        wide=len(record.columns) > 4,
        filtered=len(lines) > 15,
        linked=linked,
    )


def _head(composer: Composer, head: ColumnRecord) -> View:
    target = f"aspect:{head.aspects[0]}" if len(head.aspects) == 1 else ""
    unit = ""
    if target:
        unit = composer.matrix.aspects[head.aspects[0]].record.unit or ""
    counted = head.show == "count"
    return column(
        head.title,
        unit="" if counted or unit.casefold() in head.title.casefold() else unit,
        href=composer.href(target) if target else "",
    )


def _row(composer: Composer, record: TableRecord, one: Row, cells: Sequence[View]) -> View:
    matrix = composer.matrix
    lab = matrix.labs[one.lab].record.name if one.lab in matrix.labs else one.lab
    lab_href = composer.href(f"lab:{one.lab}")
    if one.head is None:
        sub = "no dated model in the record" if record.rows_are == "latest" else ""
        return row(lab, cells, lab_href, sub=sub)
    dated = [day_of(matrix, subject, record.dated_by) for subject in one.subjects]
    days = [day for day in dated if day is not None]
    first = min(days, key=lambda day: day.sort_key, default=None)
    sub = Markup("{}, <time>{}</time>").format(lab, first.format()) if first else lab
    return row(one.head.name, cells, composer.href(f"subject:{one.head.id}"), sub=sub)


def _claims_cell(
    composer: Composer,
    head: ColumnRecord,
    one: Row,
    claims: Sequence[Claim],
    most: int,
    linked: bool,
) -> View:
    """Claims with the subject or scope that they are about, and how many more there are."""
    view = claims_cell(composer, claims[:most], _applies(head, one), linked)
    whose = [_whose(composer, head, one, claim) for claim in claims[:most]]
    rest = len(claims) - most
    target = f"subject:{one.head.id}" if one.head else f"lab:{one.lab}"
    return view | {
        "whose": whose,
        "more": f"and {rest} more" if rest > 0 else "",
        "more_href": composer.href(target) if rest > 0 else "",
    }


def _applies(head: ColumnRecord, one: Row) -> bool:
    if one.head is None or not head.aspects:
        return True
    return not set(head.aspects) <= set(one.head.record.not_applicable)


def _whose(composer: Composer, head: ColumnRecord, one: Row, claim: Claim) -> str:
    """What a chip needs said before it: another subject than the row's, the aspect, the scope."""
    matrix = composer.matrix
    subject = matrix.subjects[claim.subject]
    words = []
    if one.head is None or subject.id != one.head.id:
        words.append(subject.name)
    if claim.label is Label.U:
        words.append(matrix.aspects[claim.aspect].record.title.lower())
    if claim.scope and claim.scope not in head.scopes[:1]:
        words.append(subject.record.scopes.get(claim.scope, claim.scope))
    return ", ".join(words)


def _count_cell(composer: Composer, counted: Share) -> View:
    """How many disclose it, which ones, and how many were searched in vain."""
    if not counted.asked:
        return text_cell("") | _PLAIN
    if not counted.known and not counted.searched:
        return claims_cell(composer, []) | _PLAIN  # nobody looked: no count of ours
    matrix = composer.matrix
    known = len(counted.known)
    return text_cell(f"{known} of {counted.asked}", sort=f"{known / counted.asked:.4f}") | {
        "kind": "count",
        "searched": f"{counted.searched} in vain" if counted.searched else "",
        "share": round(100 * known / counted.asked),
        "part": round(100 * counted.searched / counted.asked),
        "who": [
            {
                "title": matrix.subjects[subject].name,
                "href": composer.href(f"claim:{claim.id}"),
                "label": claim.label.value,
            }
            for subject, claim in counted.known.items()
        ],
    }


def standings(composer: Composer, record: TableRecord) -> list[View]:
    """A table for each column, whose rows are its claims with the protocol beside the value."""
    matrix = composer.matrix
    every = [
        claim
        for claim in matrix.claims.values()
        if not record.kinds or matrix.subjects[claim.subject].record.kind in record.kinds
    ]
    taken = [(head, chosen(matrix, head, every)) for head in record.columns]
    linked = sum(len(claims) for _, claims in taken) > NOTED
    tables = []
    for head, claims in taken:
        places = {claim.id: Row(claim.lab, matrix.subjects[claim.subject], ()) for claim in claims}
        order = ordered(matrix, record, list(places.values()))
        claims = sorted(claims, key=lambda c, p=places, o=order: o.index(p[c.id]))  # type: ignore[misc]
        titles = ("Model", "Value", "Reported by", "Protocol", "What it counts", "Public since")
        heads = [column(title) for title in titles]
        lines = [_claim_row(composer, claim, linked) for claim in claims]
        caption = f"{head.title}: {len(lines)} " + ("claim" if len(lines) == 1 else "claims")
        tables.append(
            table(
                caption,
                heads,
                lines,
                note=head.note or "",
                section=head.title,
                wide=True,
                sort=False,
                linked=linked,
            )
        )
    return tables


def _setting(protocol: Protocol | None) -> str:
    """The protocol of a score but for who reports it: what is stated, then what is not."""
    if protocol is None:
        return "no protocol in the record"
    fields: dict[str, str] = protocol.model_dump(exclude={"by"})
    stated = [f"{name}: {text}" for name, text in fields.items() if text != NOT_STATED]
    silent = [name for name, text in fields.items() if text == NOT_STATED]
    if len(silent) > 1:
        silent = [", ".join(silent[:-1]) + f" and {silent[-1]}"]
    stated += [f"{names} not stated" for names in silent]
    words = "; ".join(stated)
    return words[:1].upper() + words[1:]


def _claim_row(composer: Composer, claim: Claim, linked: bool) -> View:
    matrix = composer.matrix
    subject = matrix.subjects[claim.subject]
    value = claims_cell(composer, [claim], linked=linked) | _PLAIN | {"whose": [""]}
    protocol = claim.record.protocol
    texts = (protocol.by if protocol else "", _setting(protocol), claim.record.means or "")
    cells = [value, *(text_cell(text) | _PLAIN for text in texts)]
    cells += [date_cell(matrix.public_of(claim)) | _PLAIN]
    scope = subject.record.scopes.get(claim.scope, claim.scope) if claim.scope else ""
    sub = "; ".join(part for part in (scope, claim.reading) if part)
    public = matrix.public_of(claim)
    return row(
        subject.name,
        cells,
        composer.href(f"claim:{claim.id}"),
        sub=sub,
        public=public.format() if public else "",
    )
