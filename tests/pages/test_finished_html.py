"""Finished HTML within a Markdown page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown import Markdown

from evidence_matrix.pages.finished_html import fence

EXTENSIONS = ["attr_list", "tables", "pymdownx.superfences", "evidence_matrix.pages.finished_html"]


def page(text: str) -> str:
    return Markdown(extensions=EXTENSIONS).convert(text)


@pytest.mark.parametrize(
    "html",
    [
        "<div>*not* emphasis, `not` code, [not](a link)</div>",
        "<div>\n\n# not a heading\n\n</div>",
        "<pre>    four spaces\n```\nno fence\n```\n</pre>",
        "<table>\n<tr><td>| no | table |</td></tr>\n</table>",
        "<p>&lt;!--/finished--&gt; & 5 < 6 {: #no }</p>",
        "<div>unclosed",
        "</div>",
    ],
)
def test_finished_html_comes_out_as_it_went_in(html: str) -> None:
    assert html in page(f"before{fence(html)}after")


def test_what_stands_around_it_is_still_markdown() -> None:
    text = f"# One\n{fence('<div>_a_</div>')}## Two {{: #two }}\n{fence('<div>b</div>')}_last_"
    said = page(text)
    parts = ("<h1>One</h1>", "<div>_a_</div>", '<h2 id="two">Two</h2>', "<em>last</em>")
    assert [said.index(part) for part in parts] == sorted(said.index(part) for part in parts)


def test_it_stands_in_no_paragraph() -> None:
    assert "<p><div>" not in page(f"before{fence('<div>a</div>')}after")


def test_nothing_is_fenced_as_nothing() -> None:
    assert fence(" \n ") == ""


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1))
def test_any_text_within_an_element_is_kept(text: str) -> None:
    if "\u2028" in text or "finished-->" in text:
        return
    html = f"<div>{text}</div>"
    assert html in page(f"a{fence(html)}b")
