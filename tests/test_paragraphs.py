"""Paragraphs: what a reader reads, with each citation at its own paragraph."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.paragraphs import CITED, paragraphs

DECOYS = [
    "```\n[@x/code]\n```",
    "    [@x/indented]",
    "`[@x/inline]`",
    "$a [@x/math]$",
    "$$\n[@x/block]\n$$",
    "<div>\n[@x/html]\n</div>",
    '<a title="[@x/attribute]">t</a>',
    "![alt [@x/alt]](a.png)",
    "[text](page.md#[@x/target])",
    "::: example\n[@x/example]\n:::",
    "Words.",
    "| a |\n|---|\n| b |",
]


@given(st.lists(st.sampled_from(DECOYS), max_size=4), st.lists(st.sampled_from(DECOYS), max_size=4))
def test_a_citation_belongs_to_its_paragraph_whatever_stands_around(
    above: list[str], below: list[str]
) -> None:
    text = "\n\n".join([*above, "Mine is [@wren/a.b] here.", *below])
    (mine,) = [p for p in paragraphs(text) if p.text.startswith("Mine is")]
    assert mine.cites == ("wren/a.b",)
    assert mine.text == f"Mine is {CITED} here."
    assert text.split("\n")[mine.line - 1].startswith("Mine is")


@pytest.mark.parametrize("decoy", DECOYS[:6])
def test_code_math_and_markup_cite_nothing(decoy: str) -> None:
    assert not [p for p in paragraphs(decoy) if p.cites]


def test_headings_cells_and_links_are_told_apart() -> None:
    text = "# The 3 wrens\n\n| n |\n|---|\n| 7 [@a/b] |\n\nSee [Wren 3](wren.md) and [@c/d].\n"
    found = [(p.kind, p.text, p.cites) for p in paragraphs(text)]
    assert found == [
        ("heading", "The 3 wrens", ()),
        ("cell", "n", ()),
        ("cell", f"7 {CITED}", ("a/b",)),
        ("paragraph", f"See Wren 3 and {CITED}.", ("c/d",)),
    ]
    assert paragraphs(text)[-1].links == ("Wren 3",)


def test_the_head_of_a_file_is_no_paragraph() -> None:
    (only,) = paragraphs("---\nlab: acme\n---\n\nWords.\n")
    assert (only.text, only.line) == ("Words.", 5)
