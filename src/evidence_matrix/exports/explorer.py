"""Columns for the claims explorer, values apart, shards by subject, answers of earlier days."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evidence_matrix.exports import write_json
from evidence_matrix.labels import Label, State
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.pages.composer import aspect_title, iso, value_text, value_words, weakest_state

_SHOWN = 60


def write(matrix: Matrix, folder: Path) -> list[Path]:
    """Write the files that em.js reads, as templates/README.md says.

    The values are in a file of their own: what they are of is shown before they are there.
    """
    claims = sorted(matrix.claims.values(), key=lambda claim: claim.subject)
    values = [_cut(value_words(claim, matrix)) for claim in claims]
    paths = [
        write_json(folder / "explorer.json", _columns(matrix, claims), compact=True),
        write_json(folder / "explorer-values.json", values, compact=True),
        write_json(folder / "as-of.json", _earlier(matrix), compact=True),
    ]
    for subject in matrix.subjects:
        path = folder / "claims" / f"{subject}.json"
        paths.append(write_json(path, _shard(matrix, subject), compact=True))
    return paths


def _columns(matrix: Matrix, claims: list[Claim]) -> dict[str, Any]:
    labels = [label.value for label in Label]
    states = ["", *(state.value for state in State)]
    labs = list(matrix.labs)
    subjects = sorted(matrix.subjects)
    aspects = [a for a in matrix.aspects if any(c.aspect == a for c in matrix.claims.values())]
    days = sorted(
        {iso(matrix.public_of(c)) for c in claims} | {iso(c.record.checked) for c in claims}
    )
    day_index = {day: index for index, day in enumerate(days)} | {"": -1}
    subject_index = {subject: index for index, subject in enumerate(subjects)}
    aspect_index = {aspect: index for index, aspect in enumerate(aspects)}
    return {
        "day": matrix.today.isoformat(),
        "labels": labels,
        "label_names": [label.in_words for label in Label],
        "states": states,
        "labs": [[lab, matrix.labs[lab].record.name] for lab in labs],
        "subjects": [
            [s, matrix.subjects[s].name, labs.index(matrix.subjects[s].lab), f"claims/{s}/"]
            for s in subjects
        ],
        "aspects": [
            [a, matrix.aspects[a].record.title, matrix.aspects[a].record.group] for a in aspects
        ],
        "days": days,
        "subject": [subject_index[claim.subject] for claim in claims],
        "aspect": [aspect_index.get(claim.aspect, -1) for claim in claims],
        "tail": [_tail(claim) for claim in claims],
        "label": [labels.index(claim.label.value) for claim in claims],
        "state": [states.index(_state(claim, matrix)) for claim in claims],
        "public": [day_index[iso(matrix.public_of(claim))] for claim in claims],
        "checked": [day_index[iso(claim.record.checked)] for claim in claims],
    }


def _tail(claim: Claim) -> str:
    return claim.key.removeprefix(claim.aspect)


def _state(claim: Claim, matrix: Matrix) -> str:
    state = weakest_state(claim, matrix)
    return state.value if state else ""


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _earlier(matrix: Matrix) -> dict[str, Any]:
    days = sorted(iso(matrix.public_of(claim)) for claim in matrix.claims.values())
    known = [day for day in days if len(day) == 10]
    return {
        "first": known[0] if known else matrix.today.isoformat(),
        "last": matrix.today.isoformat(),
        "earlier": {
            claim.id: [
                [
                    before.label,
                    Label(before.label).in_words,
                    value_text(before),
                    iso(before.public or before.checked),
                    iso(before.until),
                ]
                for before in claim.record.earlier
            ]
            for claim in matrix.claims.values()
            if claim.record.earlier
        },
    }


def _shard(matrix: Matrix, subject_id: str) -> dict[str, Any]:
    subject = matrix.subjects[subject_id]
    return {
        "id": subject_id,
        "name": subject.name,
        "href": f"claims/{subject_id}/",
        "claims": [
            {
                "aspect": claim.aspect,
                "title": aspect_title(claim, matrix),
                "group": _group(claim, matrix),
                "tail": _tail(claim),
                "anchor": claim.key,
                "label": claim.label.value,
                "label_name": claim.label.in_words,
                "value": value_words(claim, matrix),
                "state": _state(claim, matrix),
                "public": iso(matrix.public_of(claim)),
            }
            for claim in matrix.claims_of_subject[subject_id]
        ],
    }


def _group(claim: Claim, matrix: Matrix) -> str:
    aspect = matrix.aspects.get(claim.aspect)
    return aspect.record.group if aspect else ""
