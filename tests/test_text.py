from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evidence_matrix.text import fold, fold_pages, plain

MARKDOWN = "text/markdown"


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("e\ufb03cient \ufb01ne-tuning", "efficient fine-tuning"),
        ("\u0153uvre, \xc6sir", "oeuvre, AEsir"),
        ("pre\x02training", "pretraining"),
        ("pre\ufffetraining", "pretraining"),
        ("rein\xadforce", "reinforce"),
        ("14.8\u2009T and 14.8\u202fT", "14.8 T and 14.8 T"),
        ("10\u201320 \u2212 5 \u2014 x", "10-20 - 5 - x"),
        ("\u201cquoted\u201d and \u2018it\u2019s\u2019", "\"quoted\" and 'it's'"),
        ("``quoted''", '"quoted"'),
        ("  a\t\tb\r\n\n c ", "a b c"),
        ("zero\u200bwidth\u2060\ufeff", "zerowidth"),
        ("\u223c10\u2a7d20", "~10≤20"),
        ("\U0001d461\U0001d45c\U0001d458\U0001d452\U0001d45b", "token"),
        ("a\x11b\x1cc", "abc"),
    ],
)
def test_what_looks_the_same_folds_to_the_same(written: str, folded: str) -> None:
    assert fold(written) == folded


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("10²⁵ FLOP", "10^25 FLOP"),
        ("10⁻⁶", "10^-6"),
        ("tokens¹", "tokens^1"),
        ("2½ days", "2 1/2 days"),
        ("GPT\x024", "GPT-4"),
        ("Heron\x02V3.2", "Heron-V3.2"),
        ("1.48", "1.48"),
        ("1,480", "1,480"),
    ],
)
def test_folding_never_makes_another_number(written: str, folded: str) -> None:
    assert fold(written) == folded


@pytest.mark.parametrize(
    ("lines", "folded"),
    [
        ("pre-\ntraining", "pretraining"),
        ("pre-\r\ntraining", "pretraining"),
        ("Heron-\nV3 is", "Heron-V3 is"),
        ("Heron-2.5-\n7B", "Heron-2.5-7B"),
        ("a 14-\nlayer model", "a 14-layer model"),
        ("a list -\nof things", "a list - of things"),
        ("one\ntwo", "one two"),
        ("pre-\n\ntraining", "pretraining"),
    ],
)
def test_a_hyphen_at_the_end_of_a_line_is_joined_unless_it_is_part_of_a_name(
    lines: str, folded: str
) -> None:
    assert fold(lines) == folded


@given(st.text(max_size=200))
@example("`\u0301`")
@example("²\u0301")
def test_folding_twice_gives_what_folding_once_gives(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text(max_size=200))
def test_folded_text_is_one_line_without_control_characters(text: str) -> None:
    folded = fold(text)
    assert folded == " ".join(folded.split())
    assert not any(ord(char) < 32 for char in folded)


@given(st.lists(st.text("ab1- \n\x02", max_size=30), min_size=1, max_size=5))
@example(["a-\n\na"])
@example(["aa-", "", "a"])
def test_every_line_and_page_begins_at_an_offset_of_the_folded_text(pages: list[str]) -> None:
    folded = fold_pages(pages)
    assert len(folded.pages) == len(pages)
    assert len(folded.lines) == sum(page.count("\n") + 1 for page in pages)
    assert list(folded.lines) == sorted(folded.lines)
    assert all(0 <= offset <= len(folded.text) for offset in (*folded.lines, *folded.pages))


def test_an_offset_leads_back_to_its_line_and_page() -> None:
    folded = fold_pages(["first line\nsecond line", "third line"])
    offset = folded.text.index("third")
    assert (folded.page_of(offset), folded.line_of(offset)) == (2, 3)
    assert folded.text[slice(*folded.span_of_lines(2, 2))] == "second line "
    assert folded.text[slice(*folded.span_of_pages(2, 2))] == "third line"
    assert folded.span_of_pages(3, 4) == (len(folded.text), len(folded.text))


@pytest.mark.parametrize(
    ("source", "read"),
    [
        ("We use **14.8T** _high-quality_ tokens", "We use 14.8T high-quality tokens"),
        ("- [x] the [report](https://example.org/a_(b).pdf) says", "the report says"),
        ("[![badge](https://img.example.org/x.svg)](https://example.org)", "badge"),
        ("| Total | **671B** |", "Total 671B"),
        ("|---|:-:|", ""),
        ('<td style="text-align: center">104B</td>', "104B"),
        ("## 2.1 `num_prompts_per_step`", "2.1 num_prompts_per_step"),
        ("10<sup>25</sup> FLOP", "10^25 FLOP"),
        ("64\\*8 GPUs, \\~22T", "64*8 GPUs, ~22T"),
        ("$2.7\\times 10^{-4}$ for most", "2.7×10^-4 for most"),
        ("costs $5.576M at $2 an hour", "costs $5.576M at $2 an hour"),
        ("AT&amp;T &gt; 10", "AT&T > 10"),
        ("snake_case_name and 2*3*4", "snake_case_name and 2*3*4"),
        ("> quoted text", "quoted text"),
        ("if x < y and z > w, <2B>", "if x < y and z > w, <2B>"),
    ],
)
def test_markdown_is_read_as_a_reader_reads_it(source: str, read: str) -> None:
    assert fold(plain(source, MARKDOWN)) == read


def test_an_angle_bracket_that_opens_no_tag_hides_nothing() -> None:
    source = "loss is a <b\n\nfor every step\n\nand c> d here"
    assert "for every step" in plain(source, MARKDOWN)


@given(st.text("ab*_`<>[]()!|#-$\\{}^&;\n \"'=", max_size=120))
@example("<!-- a\nb -->\nc")
@example('<img\nsrc="a"\n>\nb')
@example("[a\nb](c)\nd")
@example("a&#10;b")
def test_stripping_markup_leaves_every_line_where_it_is(source: str) -> None:
    assert plain(source, MARKDOWN).count("\n") == source.count("\n")


def test_json_escapes_are_read_as_what_they_stand_for() -> None:
    source = '{"a": "\\n\\nRequest: it\\u2019s \\"this\\""}'
    assert fold(plain(source, "application/json")) == '{"a": " Request: it\'s "this""}'


def test_other_media_keep_their_signs() -> None:
    assert plain("a **b** <td>", "text/plain") == "a **b** <td>"
