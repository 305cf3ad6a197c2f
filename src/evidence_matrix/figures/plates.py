"""Plates: what is drawn in a figure and the words in it, put together from a table's claims."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from evidence_matrix.figures import lineage, rungs, stations
from evidence_matrix.figures.events import place_of, quarters
from evidence_matrix.figures.lanes import Flag, timeline
from evidence_matrix.figures.spans import Scale, Span, amount, spans
from evidence_matrix.figures.stations import Item, Station
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim
from evidence_matrix.pages.cells import Row, cell, day_of, rows
from evidence_matrix.pages.composer import Composer, View, aspect_title, iso, value_words
from evidence_matrix.pages.tables import claims_cell, column, row, table, text_cell
from evidence_matrix.quantity import Quantity
from evidence_matrix.records import ColumnRecord, TableRecord

TABLE = "#table"


def station_plates(composer: Composer, record: TableRecord, form: stations.Form) -> list[View]:
    """The stations of a figure, drawn for wide pages and for phones."""
    matrix = composer.matrix
    filled = rows(matrix, record)
    boxes = []
    for head in record.columns:
        if record.draw == "factory":
            boxes.append(_by_lab(composer, record, head, filled))
        else:
            boxes.append(_by_claim(composer, record, head, filled))
    widths = (stations.WIDE, stations.NARROW)
    return [stations.draw(boxes, form, width).view() for width in widths]


def _by_lab(
    composer: Composer, record: TableRecord, head: ColumnRecord, filled: Sequence[Row]
) -> Station:
    """A station whose items are the labs that disclose it, each with its first claim."""
    matrix = composer.matrix
    items = []
    for one in filled:
        claims = [c for c in cell(matrix, record, head, one) if c.label is not Label.U]
        if not claims:
            continue
        name = matrix.labs[one.lab].record.name
        words = f"{name}, {_words(composer, claims[0])}"
        if len(claims) > 1:
            words += f", and {len(claims) - 1} more"
        items.append(_item(composer, claims[0], "", name, words))
    note = " ".join(part for part in (head.note, f"{len(items)} of {len(filled)} labs.") if part)
    return Station(head.title, note, tuple(items), aside=head.role == "aside")


def _by_claim(
    composer: Composer, record: TableRecord, head: ColumnRecord, filled: Sequence[Row]
) -> Station:
    """A station whose items are claims, of every row one before a second of any."""
    matrix = composer.matrix
    cells = [cell(matrix, record, head, one) for one in filled]
    turns = max((len(claims) for claims in cells), default=0)
    claims = [claims[turn] for turn in range(turns) for claims in cells if turn < len(claims)]
    shown = claims[: int(head.most)]
    rest = len(claims) - len(shown)
    several = len(filled) > 1
    items = [
        _item(composer, c, _who(composer, head, c, several), value_words(c, composer.matrix))
        for c in shown
    ]
    return Station(
        head.title,
        head.note or "",
        tuple(items),
        f"and {rest} more in the table" if rest else "",
        TABLE,
        head.role == "aside",
    )


def _who(composer: Composer, head: ColumnRecord, claim: Claim, several: bool) -> str:
    subject = composer.matrix.subjects[claim.subject]
    words = [subject.name] if several else []
    if len(head.aspects) != 1 or not several:
        title = aspect_title(claim, composer.matrix)
        words.append(title.lower() if words and not title[1:2].isupper() else title)
    if claim.scope and not several and claim.scope not in head.scopes[:1]:
        words.append(subject.record.scopes.get(claim.scope, claim.scope))
    return ", ".join(words)


def _item(composer: Composer, claim: Claim, who: str, text: str, words: str = "") -> Item:
    return Item(
        who,
        text,
        claim.label.value,
        composer.href(f"claim:{claim.id}"),
        words or _words(composer, claim),
        iso(composer.matrix.public_of(claim)),
    )


def _words(composer: Composer, claim: Claim) -> str:
    words = f"{composer.title_of(claim)}: {value_words(claim, composer.matrix)}"
    if claim.record.means:
        words += f" ({claim.record.means})"
    return f"{words}; {claim.label.in_words}"


def lineage_plate(composer: Composer, record: TableRecord) -> tuple[list[View], View]:
    """The trees of who starts from whom, and their list."""
    matrix = composer.matrix
    found = lineage.descents(matrix, record)
    labs = list(matrix.labs)
    days = {s: day_of(matrix, matrix.subjects[s], record.dated_by) for s in matrix.subjects}

    def age(subject: str) -> tuple[int, date]:
        lab = matrix.subjects[subject].lab
        day = days[subject]
        return labs.index(lab) if lab in labs else len(labs), day.latest if day else date.max

    stood = lineage.places(found, sorted(matrix.subjects, key=age))
    nodes = {}
    for subject_id in stood:
        subject = matrix.subjects[subject_id]
        day = days[subject_id]
        about = matrix.labs[subject.lab].record.name if subject.lab in matrix.labs else subject.lab
        if day is not None:
            about += f", {day.format()}"
        nodes[subject_id] = lineage.Node(
            subject.name, about, composer.href(f"subject:{subject_id}")
        )
    links = {(one.child, one.base): _descent(composer, one) for one in found}
    drawing = lineage.draw(found, stood, nodes, links)
    return [drawing.view()], _descents(composer, found)


def _descent(composer: Composer, one: lineage.Descent) -> tuple[str, str]:
    matrix = composer.matrix
    words = f"{matrix.subjects[one.child].name} starts from {matrix.subjects[one.base].name}"
    if one.claim is None:
        href = composer.href(f"subject:{one.child}")
        return href, f"{words}: said in the head of the record, without a claim"
    if one.claim.record.means:
        words += f" ({one.claim.record.means})"
    return composer.href(f"claim:{one.claim.id}"), f"{words}; {one.claim.label.in_words}"


def _descents(composer: Composer, found: Sequence[lineage.Descent]) -> View:
    matrix = composer.matrix
    lines = []
    for one in found:
        child, base = matrix.subjects[one.child], matrix.subjects[one.base]
        claims = [one.claim] if one.claim is not None else []
        plain = {"whose": [""], "more": "", "more_href": ""}
        means = (one.claim.record.means or "") if one.claim is not None else "no claim yet"
        cells = [
            text_cell(base.name) | plain,
            claims_cell(composer, claims, linked=True) | plain,
            text_cell(means) | plain,
        ]
        lines.append(row(child.name, cells, composer.href(f"subject:{child.id}")))
    heads = [column(title) for title in ("Subject", "Starts from", "Claim", "Checkpoint")]
    return table("Who starts from whom", heads, lines, filtered=len(lines) > 15, linked=True)


def span_tracks(composer: Composer, record: TableRecord) -> View:
    """The tracks of parts and wholes, one a line, with their claims beside them."""
    found = spans(composer.matrix, record)
    amounts = [amount(claim) for span in found for claim in (*span.wholes, *span.parts)]
    scale = Scale.over(amounts)
    return {
        "caption": record.caption,
        "head": record.columns[0].title,
        "ticks": scale.ticks(),
        "columns": [head.title for head in record.columns[:3]],
        "rows": [_track(composer, span, scale) for span in found],
    }


def _track(composer: Composer, span: Span, scale: Scale) -> View:
    matrix, subject = composer.matrix, span.subject
    marks: list[View] = [
        {"kind": "whole", "x": scale.x(amount(c)), "words": _words(composer, c)}
        for c in span.wholes
    ]
    marks += [
        {"kind": "part", "x": scale.x(amount(c)), "words": _words(composer, c)} for c in span.parts
    ]
    lab = matrix.labs[subject.lab].record.name if subject.lab in matrix.labs else subject.lab
    note = "" if span.joined else "not joined: the counts have different scopes"
    ends = [mark["x"] for mark in marks] if span.joined else []
    return {
        "title": subject.name,
        "sub": "; ".join(part for part in (lab, span.scope, note) if part),
        "href": composer.href(f"subject:{subject.id}"),
        "line": {"from": min(ends), "to": max(ends)} if ends else None,
        "marks": marks,
        "cells": [
            [composer.claim(c, cite=False) for c in claims]
            for claims in (span.wholes, span.parts, span.shares)
        ],
    }


def ladder(composer: Composer, record: TableRecord, figure_id: str) -> View:
    """Amounts on rungs that double, by the day since when there was something to know."""
    matrix = composer.matrix
    on_rung: dict[int, list[Flag]] = {}
    for one in rows(matrix, record):
        if one.head is None:
            continue
        day = day_of(matrix, one.head, record.dated_by)
        for head in record.columns:
            for claim in cell(matrix, record, head, one):
                number = claim.parsed
                power = rungs.rung(number) if isinstance(number, Quantity) else None
                if day is None or power is None or claim.subject != one.head.id or claim.reading:
                    continue
                flag = Flag(
                    place_of(day),
                    head.mark,
                    f"{one.head.name} {value_words(claim, matrix).removesuffix(' tokens')}",
                    composer.href(f"claim:{claim.id}"),
                    iso(matrix.public_of(claim)),
                    _words(composer, claim),
                    day.by or day.day is None,
                )
                on_rung.setdefault(power, []).append(flag)
    lanes = [(f"{rungs.title(p)} and more", on_rung[p]) for p in sorted(on_rung, reverse=True)]
    kinds: dict[str, str] = {head.mark: head.title for head in record.columns}
    span = quarters([f.at for _, flags in lanes for f in flags] or [matrix.today])
    summary = (
        "Each rung is twice the one below. A mark stands at the day of the model; a broken outline "
        "is one that was there by that day."
    )
    return timeline(figure_id, record.title, summary, kinds, lanes, span, matrix.today)
