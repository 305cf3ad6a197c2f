"""Prose: citations are found where a reader sees them, and replaced where they stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.prose import broken_citations, chapter, citations, replace_citations

CITES = ["[@a/b]", "[@a/b|value]", "`[@c/d]`", "``[@c/d] ` ``", "[not](a)", "[@ x]"]
PIECES = st.sampled_from([*CITES, " words ", "\n", "\n\n"])


def test_a_citation_has_its_place_and_part() -> None:
    found = list(citations("# T\n\nIt has [@a/b.c@t-1] and\n  [@d/e|value].\n"))
    assert [(c.id, c.part, c.line, c.column) for c in found] == [
        ("a/b.c@t-1", None, 3, 8),
        ("d/e", "value", 4, 3),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "`[@a/b]`",
        "``x ` [@a/b]``",
        "```\n[@a/b]\n```",
        "~~~yaml\n[@a/b]\n~~~",
        "````\n```\n[@a/b]\n````",
        "[@a b]",
        "[a/b]",
    ],
)
def test_code_cites_nothing(text: str) -> None:
    assert not list(citations(text))
    assert replace_citations(text, lambda _: "!") == text


@pytest.mark.parametrize("begun", ["[@ a/b]", "[@a/b", "[@a/b |value]", "[@]", "[@a/b|Value]"])
def test_what_begins_as_a_citation_and_is_none_has_its_place(begun: str) -> None:
    assert list(broken_citations(f"`{begun}` [@c/d]\n\nof {begun}\n")) == [(3, 4)]


def test_a_citation_is_not_a_broken_one() -> None:
    assert not list(broken_citations("[@a/b] and [@a/b|value], (user@host) [a]@b\n"))


def test_after_code_there_is_prose_again() -> None:
    text = "```\n[@a/b]\n```\n[@c/d] `[@e/f]` [@g/h]"
    assert [c.id for c in citations(text)] == ["c/d", "g/h"]
    assert replace_citations(text, lambda c: c.id.upper()) == "```\n[@a/b]\n```\nC/D `[@e/f]` G/H"


@given(st.lists(PIECES).map("".join))
def test_to_replace_each_citation_by_itself_changes_nothing(text: str) -> None:
    def same(cited: object) -> str:
        part = cited.part
        return f"[@{cited.id}" + (f"|{part}]" if part else "]")

    assert replace_citations(text, same) == text
    seen: list[object] = []
    replace_citations(text, lambda cited: seen.append(cited) or "")
    assert seen == list(citations(text))


def test_a_chapter_has_a_head_a_title_and_a_body() -> None:
    text = "---\nlab: acme\nsubjects: [wren]\n---\n\n# The wrens\n\nThey sing.\n"
    found = chapter("docs/chapters/the-wrens.md", text)
    assert (found.id, found.title, found.first) == ("the-wrens", "The wrens", 7)
    assert dict(found.head) == {"lab": "acme", "subjects": ["wren"]}
    assert found.body.strip() == "They sing."
    assert text.split("\n")[found.first - 1 :] == found.body.split("\n")


def test_a_chapter_without_head_and_title_is_named_for_its_file() -> None:
    found = chapter("docs/chapters/the-wrens.md", "They sing.\n")
    assert (found.title, found.first, dict(found.head)) == ("the wrens", 1, {})
