"""Ledgers: amounts by stage as bars, and in words whether the stages of a bar may be added up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from evidence_matrix import formula
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix, Subject
from evidence_matrix.pages.cells import chosen
from evidence_matrix.quantity import Quantity
from evidence_matrix.records import ColumnRecord, InferredClaim, TableRecord

ADDS_UP = "stages that add up to what the source gives"
OUR_SUM = "added up by us, see the formula"
NOT_ADDED = "no source adds it to the rest"
LEAVES_OPEN = "searched for, not found"
TOTAL_ALONE = "stages that are known do not add up to it"
ROLES = ("total", "before", "main", "inner", "further", "after")


@dataclass(frozen=True, slots=True)
class Part:
    """An amount in a bar: a claim and the column that took it."""

    claim: Claim
    head: ColumnRecord

    @property
    def quantity(self) -> Quantity:
        """The amount."""
        assert isinstance(self.claim.parsed, Quantity)
        return self.claim.parsed


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a subject.

    Attributes:
        total: the claim that gives the whole bar; None where parts stand by themselves.
        parts: amounts drawn one after another, or one alone.
        others: claims of other readings, shown and not drawn.
        inferred: whether we added the parts up.
        unknown: what was searched for and not found; it leaves the end of the bar open.
        words: whether the stages may be added up, in a few words; "" for a single amount.
    """

    subject: Subject
    total: Claim | None
    parts: tuple[Part, ...]
    others: tuple[Claim, ...] = ()
    inferred: bool = False
    unknown: tuple[Part, ...] = ()
    words: str = ""

    @property
    def scope(self) -> str:
        """What the bar measures, where it is not the whole subject."""
        scope = self.first.scope if self.parts or len(self.unknown) == 1 else None
        return self.subject.record.scopes.get(scope, scope) if scope else ""

    @property
    def first(self) -> Claim:
        """The claim that the bar is named after."""
        return self.total or (self.parts or self.unknown)[0].claim


def bars(matrix: Matrix, table: TableRecord, subject: Subject) -> Iterator[Bar]:
    """The bars of a subject: sums first, then main stages, then stages that nobody adds up.

    What came before is drawn inside of a sum alone.
    """
    claims = matrix.claims_of_subject[subject.id]
    by_role: dict[str, list[Part]] = {role: [] for role in ROLES}
    unknown: list[Part] = []
    others: dict[str, list[Claim]] = {}
    for head in table.columns:
        if head.role not in ROLES:
            continue
        for claim in chosen(matrix, head, claims):
            if claim.label is Label.U:
                unknown.append(Part(claim, head))
            elif claim.reading:
                others.setdefault(claim.topic, []).append(claim)
            elif isinstance(claim.parsed, Quantity):
                by_role[head.role].append(Part(claim, head))
    drawn = list(_bars(matrix, subject, by_role))
    ends = [part for part in unknown if part.head.role in ("total", "main")] if drawn else []
    for bar in drawn:
        shown = [part.claim for part in bar.parts] + ([bar.total] if bar.total else [])
        read = tuple(other for claim in shown for other in others.pop(claim.topic, ()))
        yield replace(bar, others=read, unknown=tuple(ends) if bar is drawn[0] else ())
    rest = tuple(part for part in unknown if part not in ends)
    if rest:
        yield Bar(subject, None, (), unknown=rest, words=LEAVES_OPEN)


def _bars(matrix: Matrix, subject: Subject, by_role: dict[str, list[Part]]) -> Iterator[Bar]:
    used: set[str] = set()
    for total in by_role["total"]:
        parts, words = _parts_of_total(matrix, total, by_role)
        used |= {part.claim.id for part in parts}
        inferred = isinstance(total.claim.record, InferredClaim)
        drawn = tuple(parts or [total])
        yield Bar(subject, total.claim, drawn, inferred=inferred, words=words)
    for main in by_role["main"]:
        if main.claim.id in used:
            continue
        inner = [p for p in by_role["inner"] if p.claim.id not in used and _within(main, p)]
        if len(inner) > 1 and _sums_to(inner, main):
            used |= {part.claim.id for part in inner}
            yield Bar(subject, main.claim, tuple(inner), words=ADDS_UP)
        else:
            yield Bar(subject, None, (main,))
    rest = by_role["inner"] + by_role["further"] + by_role["after"]
    several = len(rest) + len(by_role["main"]) > 1
    for part in rest:
        if part.claim.id not in used:
            yield Bar(subject, None, (part,), words=NOT_ADDED if several else "")


def _parts_of_total(
    matrix: Matrix, total: Part, by_role: dict[str, list[Part]]
) -> tuple[list[Part], str]:
    """The stages of a total, and what may be said of their sum.

    Stages are taken whole kind by whole kind, never picked one by one until a sum fits.
    """
    record = total.claim.record
    if isinstance(record, InferredClaim):
        heads = {part.claim.id: part.head for parts in by_role.values() for part in parts}
        premises = [matrix.claims[p] for p in record.premises.values() if p in matrix.claims]
        parts = [
            Part(claim, heads.get(claim.id, total.head))
            for claim in premises
            if isinstance(claim.parsed, Quantity)
        ]
        return (parts, OUR_SUM) if _sums_to(parts, total) else ([], OUR_SUM)
    any_stage = False
    for roles in (("before", "main", "further"), ("before", "inner", "further")):
        stages = [p for role in roles for p in by_role[role] if _within(total, p)]
        any_stage = any_stage or bool(stages)
        if len(stages) > 1 and _sums_to(stages, total):
            return stages, ADDS_UP
    return [], TOTAL_ALONE if any_stage else ""


def _within(whole: Part, part: Part) -> bool:
    """Whether a stage may belong to a whole: it has the same scope, or the whole has none."""
    return whole.claim.scope is None or whole.claim.scope == part.claim.scope


def _sums_to(parts: Sequence[Part], whole: Part) -> bool:
    """Whether amounts add up to another, as exactly as all of them are written."""
    names = {f"p{number}": part.quantity for number, part in enumerate(parts)}
    if not names:
        return False
    try:
        total = formula.evaluate(" + ".join(names), names)
    except formula.FormulaError:
        return False
    return total.meets(whole.quantity)


def reach(quantity: Quantity) -> tuple[Fraction, bool]:
    """How far an amount is drawn, and whether it has no upper bound."""
    if quantity.high is None:
        return quantity.low or Fraction(0), True
    return quantity.high, False
