"""Coverage: which questions each subject answers, by a claim, by a search, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Entry, Matrix, Subject
from evidence_matrix.records import QuestionRecord


class Answer(StrEnum):
    """How a question stands for a subject: three kinds of nothing are told apart."""

    ANSWERED = "answered"
    SEARCHED = "searched"
    NOT_LOOKED = "not looked"
    NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True, slots=True)
class Standing:
    """A question about a subject, and the claims that bear on it."""

    subject: str
    question: str
    answer: Answer
    claims: tuple[Claim, ...]

    @property
    def label(self) -> Label | None:
        """The label of the first claim with a value, else U, else None."""
        for claim in self.claims:
            if claim.label is not Label.U:
                return claim.label
        return Label.U if self.claims else None


def standing(matrix: Matrix, subject: Subject, question: Entry[QuestionRecord]) -> Standing:
    """How a question stands for a subject; a member of a family has the family's answers too."""
    return judged(subject, question, claims_about(matrix, subject))


def judged(subject: Subject, question: Entry[QuestionRecord], about: Sequence[Claim]) -> Standing:
    """How a question stands for a subject, if these are the claims about it."""
    aspects = set(question.record.aspects)
    claims = [claim for claim in about if claim.aspect in aspects]
    known = tuple(claim for claim in claims if claim.label is not Label.U)
    if known:
        answer = Answer.ANSWERED
    elif claims:
        answer = Answer.SEARCHED
    elif aspects <= set(subject.record.not_applicable):
        answer = Answer.NOT_APPLICABLE
    else:
        answer = Answer.NOT_LOOKED
    return Standing(subject.id, question.id, answer, known or tuple(claims))


def claims_about(matrix: Matrix, subject: Subject) -> list[Claim]:
    """The claims of a subject and of the families it is part of, its own first."""
    claims = list(matrix.claims_of_subject[subject.id])
    seen = {subject.id}
    family = subject.record.part_of
    while family and family in matrix.subjects and family not in seen:
        seen.add(family)
        claims += matrix.claims_of_subject[family]
        family = matrix.subjects[family].record.part_of
    return claims


def asked(matrix: Matrix, subject: Subject) -> list[Entry[QuestionRecord]]:
    """The questions that a reader asks of a subject of this kind."""
    kind = "model" if subject.record.kind == "family" else subject.record.kind
    kind = "system" if kind == "framework" else kind
    return [q for q in matrix.questions.values() if kind in q.record.asks]


def coverage(matrix: Matrix, subjects: Sequence[Subject]) -> list[Standing]:
    """How every question stands for every subject."""
    return [standing(matrix, s, question) for s in subjects for question in asked(matrix, s)]
