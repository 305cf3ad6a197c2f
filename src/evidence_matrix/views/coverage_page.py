"""Coverage: every question, by lab and by subject: answered, searched, or not looked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from evidence_matrix.coverage import Answer, asked, coverage, standing
from evidence_matrix.matrix import Entry, Matrix
from evidence_matrix.pages.composer import Composer
from evidence_matrix.pages.page import Content, Find, Page
from evidence_matrix.pages.tables import claims_cell, column, row, table, table_page, text_cell
from evidence_matrix.records import QuestionRecord


def pages(matrix: Matrix) -> Iterator[Page]:
    """The overview, and one page a question."""
    yield Page(
        url="questions/",
        template="table",
        title="Questions and coverage",
        description="What readers ask, and how far the record answers it.",
        content=_overview,
        shows={"page:questions": ""},
        tab="Overview",
        nav="Questions and coverage",
        order=10,
        wide=True,
    )
    for question in matrix.questions.values():
        yield Page(
            url=f"questions/{question.id}/",
            template="table",
            title=question.record.title,
            description=f"{question.record.title} The answer for every subject it is asked of.",
            content=lambda composer, question=question: _question(composer, question),  # type: ignore[misc]
            shows={f"question:{question.id}": ""},
            tab="Overview",
            crumbs=(("Questions", "page:questions"),),
            finds=(
                Find(
                    question.record.title,
                    "Question",
                    id=question.id,
                    text=", ".join(
                        matrix.aspects[a].record.title
                        for a in question.record.aspects
                        if a in matrix.aspects
                    ),
                ),
            ),
            wide=True,
        )


_HEADS = {
    Answer.ANSWERED: "Answered",
    Answer.SEARCHED: "Searched",
    Answer.NOT_LOOKED: "Not looked",
    Answer.NOT_APPLICABLE: "Does not apply",
}


def _numbers(counts: Counter[Answer], shown: Iterable[Answer]) -> list[dict[str, object]]:
    return [text_cell(f"{counts[a]:,}", sort=f"{counts[a]:05d}") for a in shown]


def _overview(composer: Composer) -> Content:
    matrix = composer.matrix
    subjects = list(matrix.subjects.values())
    by_question: dict[str, Counter[Answer]] = {}
    by_lab: dict[str, Counter[Answer]] = {}
    for one in coverage(matrix, subjects):
        by_question.setdefault(one.question, Counter())[one.answer] += 1
        by_lab.setdefault(matrix.subjects[one.subject].lab, Counter())[one.answer] += 1
    every = sum(by_lab.values(), Counter())
    # a column of zeros says nothing
    shown = [a for a in _HEADS if every[a] or a is not Answer.NOT_APPLICABLE]
    heads = [column(_HEADS[a], numeric=True) for a in shown]
    questions = [
        row(
            q.record.title,
            [text_cell(q.record.group), *_numbers(by_question.get(q.id, Counter()), shown)],
            composer.href(f"question:{q.id}"),
        )
        for q in matrix.questions.values()
    ]
    labs = [
        row(
            lab.record.name,
            _numbers(by_lab.get(lab.id, Counter()), shown),
            composer.href(f"lab:{lab.id}"),
        )
        for lab in matrix.labs.values()
    ]
    return table_page(
        composer,
        "A question is asked of each kind of subject it fits. Not looked is a debt of ours and no "
        "statement about the lab.",
        [
            table(
                "By question",
                [column("Question"), column("Group"), *heads],
                questions,
                section="By question",
                linked=True,
            ),
            table("By lab", [column("Lab"), *heads], labs, section="By lab", linked=True),
        ],
    )


def _question(composer: Composer, question: Entry[QuestionRecord]) -> Content:
    matrix = composer.matrix
    rows = []
    counts: Counter[Answer] = Counter()
    for subject in matrix.subjects.values():
        if question not in asked(matrix, subject):
            continue
        one = standing(matrix, subject, question)
        counts[one.answer] += 1
        if one.answer is Answer.NOT_LOOKED and not matrix.claims_of_subject[subject.id]:
            continue
        lab = matrix.labs[subject.lab].record.name if subject.lab in matrix.labs else subject.lab
        applies = one.answer is not Answer.NOT_APPLICABLE
        cells = [
            claims_cell(composer, one.claims[:6], applies=applies, linked=True),
            text_cell(one.answer.value),
            text_cell(lab),
        ]
        rows.append(row(subject.name, cells, composer.href(f"subject:{subject.id}")))
    rows.sort(key=lambda r: (list(Answer).index(Answer(r["cells"][1]["text"])), r["title"]))
    aspects = ", ".join(
        matrix.aspects[a].record.title for a in question.record.aspects if a in matrix.aspects
    )
    said = ", ".join(f"{counts[answer]} {answer.value}" for answer in Answer if counts[answer])
    return table_page(
        composer,
        f"Answered by claims on: {aspects}. {said}.",
        [
            table(
                question.record.title,
                [column("Subject"), column("Answer"), column("State"), column("Lab")],
                rows,
                wide=True,
                filtered=True,
                linked=True,
            )
        ],
    )
