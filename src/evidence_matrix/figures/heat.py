"""Heat maps: labs by question and models by core aspect, today and on each day before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from evidence_matrix.coverage import Answer, claims_about, judged
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Entry, Matrix, Subject, public_date
from evidence_matrix.pages.claim_words import iso, value_words
from evidence_matrix.records import AspectRecord, QuestionRecord

Answers: TypeAlias = Mapping[str, Claim]  # the claims that are known, by id


@dataclass(frozen=True, slots=True)
class Shown:
    """What a cell shows: a claim's label, or which of the kinds of nothing it is.

    Attributes:
        answer: how the question stands.
        claim: the claim whose label is shown, if there is one.
    """

    answer: Answer
    claim: Claim | None = None

    @property
    def label(self) -> str:
        """The letter; "" where nobody looked, "-" where the question does not apply."""
        if self.claim is not None:
            return self.claim.label.value
        return "-" if self.answer is Answer.NOT_APPLICABLE else ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A place of a map: the claims that bear on it, and the rule that chooses among the known."""

    claims: tuple[Claim, ...]
    rule: Callable[[Answers], Shown]

    @property
    def shown(self) -> Shown:
        """What it shows with all of its claims known."""
        return self.rule({claim.id: claim for claim in self.claims})

    def history(self, matrix: Matrix) -> list[tuple[str, Shown]]:
        """What it showed since which ISO day, oldest first; since "" before anything was known."""
        states = [("", self.rule({}))]
        for day in sorted({day for claim in self.claims for day in matrix.turns(claim)}):
            known = (matrix.answer_at(claim, day) for claim in self.claims)
            shown = self.rule({claim.id: claim for claim in known if claim is not None})
            if shown != states[-1][1]:
                states.append((day.isoformat(), shown))
        return states


def said(shown: Shown, matrix: Matrix, *, named: bool = False) -> str:
    """What a cell says when it is asked; `named`: with the subject that the claim is about."""
    if shown.claim is None:
        return "does not apply" if shown.answer is Answer.NOT_APPLICABLE else "nobody looked"
    words = value_words(shown.claim, matrix)
    return f"{matrix.subjects[shown.claim.subject].name}: {words}" if named else words


def lab_rows(matrix: Matrix) -> Iterator[tuple[str, list[Cell]]]:
    """Each lab that has a model, and its cell for each question that is asked of models."""
    for lab in matrix.labs:
        about = {
            subject.id: claims_about(matrix, subject)
            for subject in matrix.subjects.values()
            if subject.lab == lab and subject.record.kind in ("model", "family")
        }
        if about:
            yield lab, [_of_lab(matrix, about, question) for question in questions(matrix)]


def questions(matrix: Matrix) -> list[Entry[QuestionRecord]]:
    """The questions that are asked of models."""
    return [q for q in matrix.questions.values() if "model" in q.record.asks]


def _of_lab(
    matrix: Matrix, about: Mapping[str, Sequence[Claim]], question: Entry[QuestionRecord]
) -> Cell:
    """The newest answer about any of the lab's models; a search only if there is no answer."""
    aspects = set(question.record.aspects)
    asked = {
        subject: [claim for claim in claims if claim.aspect in aspects]
        for subject, claims in about.items()
    }
    order = list(Answer)

    def rule(answers: Answers) -> Shown:
        best: tuple[tuple[int, list[int]], Shown] | None = None
        for subject, claims in asked.items():
            known = [answers[claim.id] for claim in claims if claim.id in answers]
            one = judged(matrix.subjects[subject], question, known)
            newest = max((_public(matrix, claim) for claim in one.claims), default="")
            rank = (order.index(one.answer), [-ord(sign) for sign in newest])
            if best is None or rank < best[0]:
                best = (rank, Shown(one.answer, one.claims[0] if one.claims else None))
        return best[1] if best else Shown(Answer.NOT_LOOKED)

    claims = {claim.id: claim for claims in asked.values() for claim in claims}
    return Cell(tuple(claims.values()), rule)


def _public(matrix: Matrix, claim: Claim) -> str:
    return iso(public_date(claim.record, matrix.claims))


def model_rows(matrix: Matrix) -> Iterator[tuple[Subject, list[Cell]]]:
    """Each model or family that has claims, lab by lab, and its cell for each core aspect."""
    for subject in models(matrix):
        by_aspect: dict[str, list[Claim]] = {}
        for claim in claims_about(matrix, subject):
            by_aspect.setdefault(claim.aspect, []).append(claim)
        cells = []
        for aspect in core_aspects(matrix):
            claims = tuple(by_aspect.get(aspect.id, ()))
            cells.append(Cell(claims, partial(_of_model, subject, aspect.id, claims)))
        yield subject, cells


def _of_model(subject: Subject, aspect: str, claims: Sequence[Claim], answers: Answers) -> Shown:
    """The first claim with a value, its own before its families', else the first search."""
    about = [answers[claim.id] for claim in claims if claim.id in answers]
    known = [claim for claim in about if claim.label is not Label.U]
    if known:
        return Shown(Answer.ANSWERED, known[0])
    if about:
        return Shown(Answer.SEARCHED, about[0])
    absent = aspect in subject.record.not_applicable
    return Shown(Answer.NOT_APPLICABLE if absent else Answer.NOT_LOOKED)


def core_aspects(matrix: Matrix) -> list[Entry[AspectRecord]]:
    """The aspects that every model is asked for."""
    return [aspect for aspect in matrix.aspects.values() if aspect.record.core == "yes"]


def models(matrix: Matrix) -> list[Subject]:
    """The models and families that core aspects are asked of, those with claims, lab by lab."""
    labs = list(matrix.labs)
    asked = [
        subject
        for subject in matrix.subjects.values()
        if subject.record.kind in ("model", "family") and matrix.claims_of_subject[subject.id]
    ]
    return sorted(
        asked, key=lambda subject: labs.index(subject.lab) if subject.lab in labs else len(labs)
    )
