"""Lineage: which subject starts from the weights of which, and the trees that this makes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evidence_matrix.figures.drawing import Drawing, Mark, Shape, Words, wrapped
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.pages.cells import chosen
from evidence_matrix.records import TableRecord

COLUMN, ROW = 252.0, 50.0  # pixels from one generation to the next, and from one line to the next
WIDTH, HEIGHT = 196.0, 40.0
MARGIN = 8.0
BADGE = 17.0


@dataclass(frozen=True, slots=True)
class Descent:
    """One subject starts from another.

    Attributes:
        claim: the claim that says so; None where the head of the subject alone does.
    """

    child: str
    base: str
    claim: Claim | None


def descents(matrix: Matrix, table: TableRecord) -> list[Descent]:
    """Who starts from whom: by claims that the table's columns take, then by subjects' heads."""
    found: dict[tuple[str, str], Descent] = {}
    for column in table.columns:
        for claim in chosen(matrix, column, matrix.claims.values()):
            if claim.label is Label.U or claim.value is None:
                continue
            for base in claim.value.split(", "):
                if base in matrix.subjects and base != claim.subject:
                    found.setdefault((claim.subject, base), Descent(claim.subject, base, claim))
    for subject in matrix.subjects.values():
        bases = subject.record.base or ()
        for base in (bases,) if isinstance(bases, str) else bases:
            if base in matrix.subjects and base != subject.id:
                found.setdefault((subject.id, base), Descent(subject.id, base, None))
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Place:
    """Where a subject stands: its generation and its line, both from 0."""

    generation: int
    line: int


def places(found: Sequence[Descent], order: Sequence[str]) -> dict[str, Place]:
    """Where every subject of the trees stands; a first child stands on the line of its base.

    A subject with several bases stands under the first. Subjects that descend from each other in
    a circle are entered where the order names one of them first.

    Args:
        found: who starts from whom.
        order: subject ids, the order of roots and of children.
    """
    rank = {subject: number for number, subject in enumerate(order)}
    base_of: dict[str, str] = {}
    for one in found:
        base_of.setdefault(one.child, one.base)
    children: dict[str, list[str]] = {}
    for child, base in sorted(base_of.items(), key=lambda pair: rank[pair[0]]):
        children.setdefault(base, []).append(child)
    named = {name for one in found for name in (one.child, one.base)}
    members = sorted(named, key=rank.__getitem__)
    roots = [subject for subject in members if subject not in base_of]
    stood: dict[str, Place] = {}
    line = 0
    for root in [*roots, *members]:
        if root not in stood:
            line = _descend(root, Place(0, line), children, stood)
    return stood


def _descend(
    subject: str, place: Place, children: Mapping[str, Sequence[str]], stood: dict[str, Place]
) -> int:
    """Put a subject and all below it; gives the next free line."""
    stood[subject] = place
    line = place.line
    for child in children.get(subject, ()):
        if child not in stood:
            line = _descend(child, Place(place.generation + 1, line), children, stood)
    return max(line, place.line + 1)


@dataclass(frozen=True, slots=True)
class Node:
    """What is written of a subject, and where it links to."""

    name: str
    about: str
    href: str


def draw(
    found: Sequence[Descent],
    stood: Mapping[str, Place],
    nodes: Mapping[str, Node],
    links: Mapping[tuple[str, str], tuple[str, str]],
) -> Drawing:
    """The trees, from left to right.

    Args:
        found: who starts from whom.
        stood: where each subject stands.
        nodes: what is written of each subject.
        links: href and words of each descent.
    """
    generations = max((place.generation for place in stood.values()), default=0) + 1
    lines = max((place.line for place in stood.values()), default=0) + 1
    sheet = Drawing(
        2 * MARGIN + COLUMN * (generations - 1) + WIDTH, 2 * MARGIN + ROW * (lines - 1) + HEIGHT
    )
    bases: dict[str, int] = {}
    for one in found:
        before = bases.get(one.child, 0)
        for mark in _edge(one, stood, links[one.child, one.base], before):
            sheet.add(mark)
        bases[one.child] = before + 1
    for subject, place in stood.items():
        sheet.add(_node(place, nodes[subject]))
    return sheet


def _corner(place: Place) -> tuple[float, float]:
    return MARGIN + COLUMN * place.generation, MARGIN + ROW * place.line


def _edge(
    one: Descent, stood: Mapping[str, Place], link: tuple[str, str], before: int
) -> Iterable[Mark]:
    """The line from base to child, and on it the label of the claim, beside those before it."""
    (x1, y1), (x2, y2) = _corner(stood[one.base]), _corner(stood[one.child])
    start, end = (x1 + WIDTH, y1 + HEIGHT / 2), (x2, y2 + HEIGHT / 2)
    style = "edge" if one.claim is not None else "guess"
    bend = start[0] + 14
    if before:
        path = (
            f"M{start[0]:.0f} {start[1]:.0f}C{start[0] + 46:.0f} {start[1]:.0f}"
            f" {end[0] - 46:.0f} {end[1]:.0f} {end[0]:.0f} {end[1]:.0f}"
        )
    else:
        path = f"M{start[0]:.0f} {start[1]:.0f}H{bend:.0f}V{end[1]:.0f}H{end[0]:.0f}"
    yield Mark([Shape(style, path=path)])
    href, words = link
    label = one.claim.label.value if one.claim is not None else "?"
    x, y = end[0] - (BADGE + 3) * (before + 1) - 6, end[1] - BADGE / 2
    yield Mark(
        [Shape("badge", x, y, BADGE, BADGE, 2)],
        [Words(x + BADGE / 2, y + 13, label, "label")],
        href,
        words,
        label if one.claim is not None else "",
    )


def _node(place: Place, node: Node) -> Mark:
    x, y = _corner(place)
    name = wrapped(node.name, WIDTH - 16, 14, 1)[0]
    about = (wrapped(node.about, WIDTH - 16, 12, 1) or [""])[0]
    return Mark(
        [Shape("node", x, y, WIDTH, HEIGHT, 4)],
        [Words(x + 8, y + 17, name, "title"), Words(x + 8, y + 32, about, "note")],
        node.href,
        f"{node.name}, {node.about}",
        "node",
    )
