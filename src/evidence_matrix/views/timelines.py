"""Timelines: what was released when, a lane a lab, and for each lab with enough events its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evidence_matrix.figures.events import Event, events, name_of, quarters
from evidence_matrix.figures.lanes import Flag, timeline
from evidence_matrix.matrix import Matrix, Subject
from evidence_matrix.pages.composer import Composer, View, iso
from evidence_matrix.pages.page import Content, Page
from evidence_matrix.pages.tables import claims_cell, column, date_cell, row, table, text_cell
from evidence_matrix.records import TableRecord

ENOUGH = 5  # events that make a timeline of a lab's own
NOTED = 60
KINDS = {
    "model": "Models",
    "family": "Models",
    "method": "Methods",
    "dataset": "Data sets",
    "framework": "Systems",
    "system": "Systems",
}
REST = "Other"


def pages(matrix: Matrix) -> Iterator[Page]:
    """One page for each table drawn on an axis of time, and one a lab that has none of its own."""
    drawn = [entry for entry in matrix.tables.values() if entry.record.draw == "timeline"]
    whole = [entry for entry in drawn if not entry.record.rows]
    kinds = whole[0].record.columns if whole else ()
    own: set[str] = set()
    for entry in drawn:
        record = entry.record
        own |= set(record.rows) if len(record.rows) == 1 else set()
        if not record.columns:
            record = record.model_copy(update={"columns": kinds})
        yield _page(matrix, entry.id, record)
    for entry in whole:
        for lab in matrix.labs.values():
            record = entry.record.model_copy(
                update={
                    "title": f"{lab.record.name}: releases",
                    "caption": f"Dated events of {lab.record.name}",
                    "rows": (lab.id,),
                }
            )
            if lab.id not in own and len(_events(matrix, record)) >= ENOUGH:
                yield _page(matrix, "", record)


def _page(matrix: Matrix, table: str, record: TableRecord) -> Page:
    lab = record.rows[0] if len(record.rows) == 1 else ""
    shows = {f"table:{table}": ""} if table else {}
    shows |= {f"timeline:{lab}": ""} if lab else {"page:timeline": ""}
    name = matrix.labs[lab].record.name if lab else ""
    return Page(
        url=f"timeline/{lab}/" if lab else "timeline/",
        template="timeline",
        title=record.title,
        description=record.caption,
        content=lambda composer: _content(composer, record),
        shows=shows,
        tab="Timeline & ledger",
        nav=name or "All releases",
        order=20 if lab else 0,
        crumbs=(("Timelines", "page:timeline"),) if lab else (),
        wide=True,
    )


def _subjects(matrix: Matrix, record: TableRecord) -> list[Subject]:
    labs = record.rows or tuple(matrix.labs)
    return [subject for subject in matrix.subjects.values() if subject.lab in labs]


def _events(matrix: Matrix, record: TableRecord) -> list[Event]:
    return events(matrix, record, _subjects(matrix, record))


def _content(composer: Composer, record: TableRecord) -> Content:
    matrix = composer.matrix
    found = _events(matrix, record)
    kinds: dict[str, str] = {}
    for head in record.columns:
        told = kinds.get(head.mark)
        kinds[head.mark] = f"{told}, {head.title.lower()}" if told else head.title
    lanes = [
        (title, [_flag(composer, event) for event in group])
        for title, group in _lanes(matrix, record, found)
    ]
    span = quarters([event.at for event in found] or [matrix.today])
    name = record.rows[0] if len(record.rows) == 1 else "all"
    caption = f"{record.caption}: {len(found)}"
    summary = (
        f"{len(found)} dated claims. Marks of one day stand side by side; a day that is only an "
        "upper bound says “by”, one on which sources disagree has the sign ≠, and a broken outline "
        "says that the day is not known exactly."
    )
    return {
        "page_of": {
            "lede": record.lede or "",
            "timeline": timeline(name, caption, summary, kinds, lanes, span, matrix.today),
            "table": _table(composer, record, found),
            "labels": composer.legend,
            "notes": composer.notes,
        }
    }


def _lanes(
    matrix: Matrix, record: TableRecord, found: Sequence[Event]
) -> list[tuple[str, list[Event]]]:
    """Events by lane: as the table says, else a lane a lab, else by the kind of subject."""
    lanes: dict[str, list[Event]] = {title: [] for title in record.lanes}
    named = {subject: title for title, subjects in record.lanes.items() for subject in subjects}
    for event in found:
        subject = matrix.subjects[event.claim.subject]
        title = named.get(subject.id)
        if title is None and record.lanes:
            title = REST
        elif title is None and len(record.rows) == 1:
            title = KINDS[subject.record.kind]
        elif title is None:
            title = matrix.labs[subject.lab].record.name
        lanes.setdefault(title, []).append(event)
    if record.lanes:
        return list(lanes.items())
    order = [entry.record.name for entry in matrix.labs.values()]
    order += list(dict.fromkeys(KINDS.values()))
    return sorted(lanes.items(), key=lambda lane: order.index(lane[0]))


def _flag(composer: Composer, event: Event) -> Flag:
    matrix = composer.matrix
    name = name_of(matrix, event)
    signs = ("by " if event.day.by else "") + ("≠ " if event.disputed else "")
    words = [f"{name}: {event.kind.lower()}, {event.day.format()}"]
    if event.claim.record.means:
        words.append(event.claim.record.means)
    if event.disputed:
        words.append("sources disagree")
    words.append(f"{event.claim.label.value} {event.claim.label.in_words}")
    return Flag(
        event.at,
        event.mark,
        signs + name,
        composer.href(f"claim:{event.claim.id}"),
        iso(matrix.public_of(event.claim)),
        "; ".join(words),
        event.unsure,
    )


def _table(composer: Composer, record: TableRecord, found: Sequence[Event]) -> View:
    matrix = composer.matrix
    linked = len(found) > NOTED
    several = len(record.rows) != 1
    rows = []
    for event in found:
        claim = event.claim
        subject = matrix.subjects[claim.subject]
        scope = subject.record.scopes.get(claim.scope, claim.scope) if claim.scope else ""
        public = matrix.public_of(claim)
        cells = [
            text_cell(event.kind),
            claims_cell(composer, [claim], linked=linked) | {"sort": event.at.isoformat()},
            date_cell(public),
        ]
        if several:
            cells.insert(0, text_cell(matrix.labs[subject.lab].record.name))
        href = composer.href(f"subject:{subject.id}")
        since = public.format() if public else ""
        sub = "; ".join(part for part in (scope, claim.record.means) if part)
        rows.append(row(subject.name, cells, href, sub=sub, public=since))
    heads = ["Subject", "Event", "Day", "Public since"]
    if several:
        heads.insert(1, "Lab")
    return table(
        f"{record.caption}, newest first",
        [column(title) for title in heads],
        rows,
        wide=several,
        filtered=len(rows) > 15,
        linked=linked,
    )
