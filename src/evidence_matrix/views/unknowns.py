"""What is not known: subjects against core aspects in three states, and what nobody discloses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from evidence_matrix.coverage import Answer, claims_about
from evidence_matrix.figures.heat import core_aspects, model_rows, models, said
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.pages.composer import Composer, View
from evidence_matrix.pages.page import Content, Page
from evidence_matrix.pages.tables import column, row, table, text_cell


def pages(matrix: Matrix) -> Iterator[Page]:
    """The ranking with the searches, and the map of models by core aspect."""
    yield Page(
        url="unknowns/models/",
        template="unknown_map",
        title="What is not known, model by model",
        description="Models and families against core aspects: known, searched, not looked.",
        content=_map_content,
        shows={"page:unknown-map": ""},
        tab="Overview",
        crumbs=(("Unknowns", "page:unknowns"),),
        wide=True,
        search=False,
    )
    yield Page(
        url="unknowns/",
        template="unknowns",
        title="What is not known",
        description="Core aspects that are most often undisclosed, and where we looked.",
        content=_content,
        shows={"page:unknowns": ""},
        tab="Overview",
        nav="Unknowns",
        order=20,
        wide=True,
    )


def _content(composer: Composer) -> Content:
    matrix = composer.matrix
    core = core_aspects(matrix)
    subjects = models(matrix)
    about = {s.id: _by_aspect(claims_about(matrix, s)) for s in subjects}
    ranking = []
    for aspect in core:
        known = searched = empty = 0
        for subject in subjects:
            if aspect.id in subject.record.not_applicable:
                continue
            claims = about[subject.id].get(aspect.id, ())
            if any(claim.label is not Label.U for claim in claims):
                known += 1
            elif claims:
                searched += 1
            else:
                empty += 1
        ranking.append((-searched, known, aspect, searched, empty))
    ranking.sort(key=lambda entry: entry[:2])
    columns = [
        column("Aspect"),
        column("Searched, not found", unit=f"of {len(subjects)}", numeric=True),
        column("Disclosed by", numeric=True),
        column("Nobody looked", numeric=True),
    ]
    caption = "Core aspects, by how often we searched in vain"
    rows = []
    for _, known, aspect, searched, empty in ranking:
        cells = [text_cell(str(n), sort=f"{n:05d}") for n in (searched, known, empty)]
        rows.append(row(aspect.record.title, cells, composer.href(f"aspect:{aspect.id}")))
    return {
        "page_of": {
            "lede": "Searched and not found, nobody looked, and does not apply are three things. "
            "A searched unknown names its terms and texts.",
            "ranking": table(caption, columns, rows, linked=True),
            "searches": _searches(composer),
            "map_href": composer.href("page:unknown-map"),
            "notes": composer.notes,
        }
    }


def _map_content(composer: Composer) -> Content:
    return {"page_of": {"map": _map(composer), "labels": composer.legend}}


def _by_aspect(claims: list[Claim]) -> dict[str, list[Claim]]:
    found: dict[str, list[Claim]] = {}
    for claim in claims:
        found.setdefault(claim.aspect, []).append(claim)
    return found


def _searches(composer: Composer) -> View:
    matrix = composer.matrix
    rows = []
    for claim in matrix.claims.values():
        if claim.label is not Label.U:
            continue
        view = composer.claim(claim, cite=False)
        search = view["search"]
        cells = [
            text_cell(view["aspect_title"]),
            text_cell(", ".join(search["terms"])),
            text_cell("; ".join(source["title"] for source in search["sources"])),
            text_cell(search["reason_text"].partition(":")[0]),
            text_cell(view["checked_text"]),
        ]
        sub = view["scope_text"]
        rows.append(row(view["subject_name"], cells, view["href"], sub=sub, public=view["public"]))
    titles = ("Subject", "Aspect", "Looked for", "Looked in", "Why", "Searched on")
    return table(
        f"{len(rows)} searched unknowns",
        [column(title) for title in titles],
        rows,
        section="Where we looked",
        wide=True,
        filtered=True,
        linked=True,
    )


def _map(composer: Composer) -> View:
    matrix = composer.matrix
    rows = []
    known: Counter[int] = Counter()
    for subject, cells in model_rows(matrix):
        shown = [cell.shown for cell in cells]
        found = [at for at, one in enumerate(shown) if one.answer is Answer.ANSWERED]
        known.update(found)
        rows.append(
            {
                "title": subject.name,
                "href": composer.href(f"subject:{subject.id}"),
                "sum": len(found),
                "cells": [
                    {
                        "label": one.label,
                        "href": composer.href(f"claim:{one.claim.id}") if one.claim else "",
                        "words": said(one, matrix),
                    }
                    for one in shown
                ],
            }
        )
    columns = [
        {
            "title": aspect.record.title,
            "href": composer.href(f"aspect:{aspect.id}"),
            "sum": known[at],
        }
        for at, aspect in enumerate(core_aspects(matrix))
    ]
    return {
        "caption": "Models and families by core aspect",
        "columns": columns,
        "rows": rows,
        "corner": "Model",
        "sum_title": "Known",
    }
