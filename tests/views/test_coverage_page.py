"""Questions and coverage: no column of zeros."""

from __future__ import annotations

from tests.conftest import TINY
from tests.views.conftest import Shown

QUESTIONS = "claims/questions.yaml"
BASE = "base: {title: Which base?, group: Size, asks: [model], aspects: [lineage.base]}\n"


def heads(shown: Shown, files: dict[str, str]) -> list[list[str]]:
    tables = shown(files, "questions/").css("table")
    return [[head.text() for head in table.css("thead th")] for table in tables]


def test_a_column_that_would_be_all_zeros_is_left_out(shown: Shown) -> None:
    for columns in heads(shown, {}):
        assert columns[-3:] == ["Answered", "Searched", "Not looked"]


def test_the_column_stands_where_a_question_does_not_apply(shown: Shown) -> None:
    text = (TINY / QUESTIONS).read_text(encoding="utf-8")
    for columns in heads(shown, {QUESTIONS: text + BASE}):
        assert columns[-1] == "Does not apply"
