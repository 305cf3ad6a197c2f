"""The home page: how much is known, how sure, by lab and question, and what changed last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from evidence_matrix.checking import evidence_states
from evidence_matrix.coverage import Answer, coverage
from evidence_matrix.figures.heat import lab_rows, questions, said
from evidence_matrix.labels import Label, State
from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.composer import Composer, View, aspect_title, iso, value_words
from evidence_matrix.pages.linked_data import whole_record
from evidence_matrix.pages.page import Content, Page


def pages(matrix: Matrix) -> Iterator[Page]:
    """The home page."""
    yield Page(
        url="",
        template="home",
        title="Evidence Matrix",
        description="What frontier AI labs have publicly disclosed about training their models: "
        "claims with labels that are earned, each with its place in a primary source.",
        content=lambda composer: {"home": _content(composer)},
        shows={"page:home": ""},
        tab="Overview",
        nav="Overview",
        order=0,
        wide=True,
        jsonld=whole_record,
    )


def _content(composer: Composer) -> Content:
    matrix = composer.matrix
    counts = composer.counts(matrix.claims.values())
    labs = {subject.lab for subject in matrix.subjects.values()}
    return {
        "lede": f"{len(matrix.claims):,} claims about {len(matrix.subjects):,} models, methods and "
        f"systems of {len(labs)} labs. Each has one label, and a label is earned: the program "
        "works out what the evidence supports and refuses more.",
        "day": matrix.today.isoformat(),
        "explore_href": composer.href("page:explore"),
        "find_hint": "Kimi K3 active parameters",
        "counts": counts,
        "states": _states(composer),
        "audit": _audit(composer),
        "map": _map(composer),
        "labels": composer.legend,
        "evidence_states": [],
        "changes": _changes(composer),
        "changes_href": composer.href("page:changes"),
        "unknowns": _unknowns(composer),
        "unknowns_href": composer.href("page:unknowns"),
    }


def _states(composer: Composer) -> list[View]:
    numbers = Counter(evidence_states(composer.matrix))
    total = sum(numbers.values()) or 1
    views = []
    for state in State:
        if not numbers[state] and state is not State.MATCHED:
            continue
        share = f"{100 * numbers[state] / total:.0f}%"
        views.append(
            {
                "number": f"{numbers[state]:,} ({share})",
                "name": state.value,
                "sentence": state.meaning,
                "href": composer.href("page:evidence"),
            }
        )
    return views


def _audit(composer: Composer) -> list[View]:
    """What the last audit found and what the drill catches, as far as either was made."""
    if "page:catch-rate" not in composer.addresses:
        return []
    href = composer.href("page:catch-rate")
    views = []
    if composer.matrix.audits:
        last = composer.matrix.audits[-1].record
        text = f"{last.errors} of {last.read} claims wrong"
        views.append({"title": f"Last audit, {last.on}:", "text": text, "href": href})
    views.append({"title": "Planted faults:", "text": "what is caught", "href": href})
    return views


def _map(composer: Composer) -> View:
    matrix = composer.matrix
    rows = []
    answered: Counter[int] = Counter()
    for lab, cells in lab_rows(matrix):
        shown = [cell.shown for cell in cells]
        known = [at for at, one in enumerate(shown) if one.answer is Answer.ANSWERED]
        answered.update(known)
        rows.append(
            {
                "title": matrix.labs[lab].record.name,
                "href": composer.href(f"lab:{lab}"),
                "sum": len(known),
                "cells": [
                    {
                        "label": one.label,
                        "href": composer.href(f"claim:{one.claim.id}") if one.claim else "",
                        "words": said(one, matrix, named=True),
                    }
                    for one in shown
                ],
            }
        )
    columns = [
        {"title": _short(q.id), "href": composer.href(f"question:{q.id}"), "sum": answered[at]}
        for at, q in enumerate(questions(matrix))
    ]
    return {
        "caption": "Labs by question: the label of the newest answer about any of their models",
        "columns": columns,
        "rows": rows,
        "corner": "Lab",
        "sum_title": "Answered",
    }


def _short(question: str) -> str:
    """A question's id as a column head: `rl-data` is `RL data`."""
    words = [word.upper() if word in ("rl", "sft") else word for word in question.split("-")]
    text = " ".join(words)
    return text[:1].upper() + text[1:]


def _changes(composer: Composer) -> list[View]:
    """The newest of what labs said or released; what we worked out ourselves is no news."""
    matrix = composer.matrix
    dated = []
    for claim in matrix.claims.values():
        public = matrix.public_of(claim)
        if public is not None and claim.label in (Label.D, Label.C):
            dated.append((iso(public), claim))
    dated.sort(key=lambda entry: (entry[0], entry[1].id), reverse=True)
    views: list[View] = []
    seen: set[tuple[str, str]] = set()
    for day, claim in dated:
        key = (day, claim.subject)
        if key in seen:
            continue
        seen.add(key)
        name = matrix.subjects[claim.subject].name
        text = f"{name}, {aspect_title(claim, matrix)}: {value_words(claim, composer.matrix)}"
        if len(text) > 90:
            text = text[:89] + "…"
        views.append({"day": day, "text": text, "href": composer.href(f"claim:{claim.id}")})
        if len(views) == 6:
            break
    return views


def _unknowns(composer: Composer) -> list[View]:
    matrix = composer.matrix
    subjects = [
        s
        for s in matrix.subjects.values()
        if s.record.kind in ("model", "family") and matrix.claims_of_subject[s.id]
    ]
    numbers: dict[str, Counter[Answer]] = {}
    for one in coverage(matrix, subjects):
        numbers.setdefault(one.question, Counter())[one.answer] += 1
    ranked = sorted(
        (q for q in matrix.questions if q in numbers),
        key=lambda q: (-numbers[q][Answer.SEARCHED], numbers[q][Answer.ANSWERED]),
    )
    return [
        {
            "title": matrix.questions[q].record.title,
            "text": f"answered for {numbers[q][Answer.ANSWERED]}, searched in vain for "
            f"{numbers[q][Answer.SEARCHED]}, not looked for {numbers[q][Answer.NOT_LOOKED]}",
            "href": composer.href(f"question:{q}"),
        }
        for q in ranked[:6]
    ]
