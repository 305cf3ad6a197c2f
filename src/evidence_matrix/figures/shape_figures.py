"""Figures of shapes as their template takes them: panels, settings, words and claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from evidence_matrix.figures.curves import FILE, RUN, Curve, Setting, read, settings, shared
from evidence_matrix.figures.panels import Line, number, panel
from evidence_matrix.figures.shape_words import Words
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.pages.composer import Composer, View
from evidence_matrix.quantity import Quantity

ASPECTS = {
    "clip_low": "rl.clip_low",
    "clip_high": "rl.clip_high",
    "kl_coef": "rl.kl_coefficient",
}
"""The aspect under which a constant of an objective is disclosed."""


CHOICES = {"method", "estimator", "loss"}


def recorded(matrix: Matrix) -> Mapping[str, tuple[Curve, ...]]:
    """The recorded curves by figure; none where the record has no such run."""
    run = matrix.runs.get(RUN)
    return read((matrix.root / run.file).with_name(FILE)) if run else {}


def shapes(composer: Composer, words: Words, curves: Sequence[Curve], users: Iterable[str]) -> View:
    """A figure as its template takes it.

    Args:
        composer: of the page.
        words: what it shows, in words.
        curves: what was recorded.
        users: ids of the subjects that name the objective, whose constants are looked for.
    """
    chosen = settings(curves)
    same = shared(chosen)
    marks = disclosed(composer.matrix, chosen, users)
    everywhere = [claims for claims in marks[0] if all(claims in each for each in marks)]
    panels = _panels(words, curves, chosen)
    own = [[claims for claims in each if claims not in everywhere] for each in marks]
    return {
        "id": f"shape-{words.figure}",
        "title": words.title,
        "seen": words.seen,
        "run_href": composer.href(f"run:{RUN}"),
        "same": _parts(same),
        "same_marks": [_mark(composer, claims) for claims in everywhere],
        "settings": [
            {
                "number": i,
                "parts": _parts({k: v for k, v in setting.items() if k not in same}),
                "said": _said(words, [c for c in curves if c.setting == setting]),
                "marks": [_mark(composer, claims) for claims in own[i - 1]],
            }
            for i, setting in enumerate(chosen, 1)
        ],
        "panels": panels,
        "shaded": any(line["still"] for drawn in panels for line in drawn["lines"]),
        "dotted": any(line["jumps"] for drawn in panels for line in drawn["lines"]),
        "table": _table(words, curves, chosen),
    }


def disclosed(
    matrix: Matrix, chosen: Sequence[Setting], users: Iterable[str]
) -> list[list[list[Claim]]]:
    """By setting, the claims of each subject and scope whose numbers are those of the setting.

    A subject must agree in every constant that it discloses. Of settings that fit, those with the
    fewest constants are marked, unless they differ in one that could have been disclosed.
    """
    marks: list[list[list[Claim]]] = [[] for _ in chosen]
    for subject in dict.fromkeys(users):
        for claims in _constants(matrix, subject):
            fits = [i for i, setting in enumerate(chosen) if _fit(claims, setting)]
            least = min((len(chosen[i]) for i in fits), default=0)
            fits = [i for i in fits if len(chosen[i]) == least]
            numbers = {tuple(chosen[i].get(name) for name in ASPECTS) for i in fits}
            for i in fits if len(numbers) == 1 else ():
                marks[i].append([claim for name, claim in claims.items() if name in chosen[i]])
    return marks


def _constants(matrix: Matrix, subject: str) -> list[dict[str, Claim]]:
    """Claims on constants by the name of the constant, for each scope of a subject."""
    names = {aspect: name for name, aspect in ASPECTS.items()}
    found: dict[str | None, dict[str, Claim]] = {}
    for claim in matrix.claims.values():
        if claim.subject == subject and claim.aspect in names and claim.label is not Label.U:
            found.setdefault(claim.scope, {})[names[claim.aspect]] = claim
    return list(found.values())


def _fit(claims: Mapping[str, Claim], setting: Setting) -> bool:
    here = {name: claim for name, claim in claims.items() if name in setting}
    return bool(here) and all(_is(claim, setting[name]) for name, claim in here.items())


def _is(claim: Claim, value: float | str) -> bool:
    quantity = claim.parsed
    return (
        isinstance(quantity, Quantity)
        and quantity.is_point
        and quantity.low == Fraction(str(value))
    )


def _mark(composer: Composer, claims: Sequence[Claim]) -> View:
    subject = composer.matrix.subjects[claims[0].subject]
    scope = claims[0].scope
    return {
        "name": subject.name + (f", {subject.record.scopes.get(scope, scope)}" if scope else ""),
        "href": composer.href(f"subject:{subject.id}"),
        "claims": [composer.noted(claim) for claim in claims],
    }


def _parts(setting: Setting) -> list[tuple[str, str]]:
    """The constants of a setting, to print; the choice of a function stands without a name."""
    return [
        ("" if name in CHOICES else name, value if isinstance(value, str) else f"{value:g}")
        for name, value in setting.items()
    ]


def _said(words: Words, curves: Sequence[Curve]) -> list[str]:
    """What can be read off the curves of one setting, a sentence for each sign."""
    return [sentence(curve, words.signs[curve.sign]) for curve in curves]


def sentence(curve: Curve, sign: str) -> str:
    """Where a curve has no gradient, where it turns, and how great it gets."""
    first, last = curve.x[0], curve.x[-1]
    parts = []
    still = []
    for start, end in curve.still:
        if start == first and end == last:
            still.append("anywhere")
        elif start == first:
            still.append(f"up to {number(end)}")
        elif end == last:
            still.append(f"from {number(start)} on")
        else:
            still.append(f"from {number(start)} to {number(end)}")
    parts.append(f"no gradient {' and '.join(still)}" if still else "a gradient everywhere")
    if curve.turns:
        parts.append("it turns " + " and ".join(_between(*place) for place in curve.turns))
    value, place = curve.greatest
    if value:
        where = ", where the figure ends" if place in (first, last) else ""
        parts.append(f"the greatest is {number(value)}, at {number(place)}{where}")
    text = "; ".join(parts)
    return f"{sign[:1].upper()}{sign[1:]}: {text}." if sign else f"{text[0].upper()}{text[1:]}."


def _between(start: float, end: float) -> str:
    one, other = number(start), number(end)
    return f"at {one}" if one == other else f"between {one} and {other}"


def _panels(words: Words, curves: Sequence[Curve], chosen: Sequence[Setting]) -> list[View]:
    """Gradients, and below them terms; a column for each sign."""
    rows = [("gradient", words.gradient), ("term", words.term)]
    pushed = [value for curve in curves for value in curve.gradient]
    return [
        panel(
            f"{title}, {name}" if name else title,
            words.axis,
            [
                Line(
                    chosen.index(curve.setting) + 1,
                    list(zip(curve.x, getattr(curve, row), strict=True)),
                    curve.still,
                )
                for curve in curves
                if curve.sign == sign
            ],
            # Both signs on one scale, so that their gradients can be compared.
            (min(pushed), max(pushed)) if row == "gradient" else None,
        )
        for row, title in rows
        if title
        for sign, name in words.signs.items()
    ]


def _table(words: Words, curves: Sequence[Curve], chosen: Sequence[Setting]) -> View:
    """The recorded gradients at a few places, for those who do not see the panels."""
    same = shared(chosen)
    rows = []
    for curve in curves:
        own = {k: v for k, v in curve.setting.items() if k not in same}
        title = ", ".join(f"{name} {value}".strip() for name, value in _parts(own))
        sign = words.signs[curve.sign]
        found = [curve.gradient_at(x) for x in words.at]
        cells = ["on an edge" if value is None else number(value) for value in found]
        rows.append({"title": f"{title}, {sign}" if sign else title, "cells": cells})
    return {
        "caption": f"{words.gradient}, as recorded",
        "axis": words.axis,
        "columns": [number(x) for x in words.at],
        "rows": rows,
    }
