"""Figures: drawn from claims when the site is built, each with the table that it is drawn from."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.figures.plates import ladder, lineage_plate, span_tracks, station_plates
from evidence_matrix.figures.stations import Form
from evidence_matrix.matrix import Entry, Matrix
from evidence_matrix.pages.composer import Composer, View
from evidence_matrix.pages.grids import grid
from evidence_matrix.pages.page import Content, Page
from evidence_matrix.records import TableRecord

FORMS: dict[str, Form] = {"factory": "line", "line": "line", "loop": "loop", "stack": "stack"}
DRAWN = (*FORMS, "lineage", "spans", "ladder")
ELSEWHERE = ("bars", "timeline")


def pages(matrix: Matrix) -> Iterator[Page]:
    """The gallery, and one page for each table that is drawn as a figure of its own."""
    drawn = [entry for entry in matrix.tables.values() if entry.record.draw in DRAWN]
    elsewhere = [entry for entry in matrix.tables.values() if entry.record.draw in ELSEWHERE]
    if drawn or elsewhere:
        yield _gallery(drawn + elsewhere)
    for entry in drawn:
        yield _page(entry)


def _gallery(entries: list[Entry[TableRecord]]) -> Page:
    return Page(
        url="figures/",
        template="gallery",
        title="Figures",
        description="Figures that are drawn from claims, each with the table behind it.",
        content=lambda composer: _cards(composer, entries),
        shows={"page:figures": ""},
        tab="Timeline & ledger",
        nav="Figures",
        order=15,
    )


def _cards(composer: Composer, entries: list[Entry[TableRecord]]) -> Content:
    return {
        "page_of": {
            "lede": "Each figure is drawn from the record when the site is built. Every box, mark "
            "and bar opens its claim, and the table behind it stands below it.",
            "cards": [
                {
                    "title": entry.record.title,
                    "text": entry.record.caption,
                    "href": composer.href(f"table:{entry.id}"),
                    "kind": entry.record.draw,
                }
                for entry in entries
            ],
        }
    }


def _page(entry: Entry[TableRecord]) -> Page:
    record = entry.record
    return Page(
        url=f"figures/{entry.id}/",
        template="figure",
        title=record.title,
        description=record.caption,
        content=lambda composer: _content(composer, entry),
        shows={f"figure:{entry.id}": "", f"table:{entry.id}": ""},
        tab="Timeline & ledger",
        crumbs=(("Figures", "page:figures"),),
        wide=True,
    )


def _content(composer: Composer, entry: Entry[TableRecord]) -> Content:
    record = entry.record
    drawings: list[View] = []
    tracks = axis = None
    tables: list[View] = []
    if record.draw == "lineage":
        drawings, listed = lineage_plate(composer, record)
        tables = [listed]
    elif record.draw == "spans":
        tracks = span_tracks(composer, record)
    else:
        tables = [grid(composer, record, linked=True, whole=record.draw != "factory")]
        if record.draw == "ladder":
            axis = ladder(composer, record, entry.id)
        else:
            drawings = station_plates(composer, record, FORMS[str(record.draw)])
    return {
        "page_of": {
            "id": entry.id,
            "lede": record.lede or "",
            "title": record.title,
            "note": record.note or "",
            "drawn": composer.matrix.today.isoformat(),
            "drawings": drawings,
            "timeline": axis,
            "tracks": tracks,
            "tables": tables,
            "labels": composer.legend,
            "notes": composer.notes,
        }
    }
