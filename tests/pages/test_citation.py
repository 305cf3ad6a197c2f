"""Citations: links to the very place, BibTeX that reads back, Markdown in one line."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.bibtex import plain, read_bibtex
from evidence_matrix.dates import parse_date
from evidence_matrix.evidence import Artifact, Fragment
from evidence_matrix.matrix import Matrix, Source
from evidence_matrix.pages.citation import (
    claim_markdown,
    deep_link,
    in_sentence,
    place_link,
    short_title,
    source_bibtex,
)
from evidence_matrix.records import SourceRecord
from evidence_matrix.syntax.places import Place

COMMIT = "5f0c2ab7d3e94a1b8c6d7e8f9a0b1c2d3e4f5a6b"
GITHUB = f"https://github.com/acme/wren/blob/{COMMIT}"


def source(**fields: Any) -> Source:
    given = {"key": "wren", "entry": "misc", "title": "Wren", "lab": ["acme"], "kind": "report"}
    record = SourceRecord.model_validate({**given, **fields})
    return Source("wren", record, "sources/acme.bib", {}, Place(1, 1))


def piece(at: str | None, quote: str = "14.8B parameters") -> Fragment:
    return Fragment(source="wren", at=at, quote=quote)


@pytest.mark.parametrize(
    ("at", "url", "media", "link"),
    [
        ("p. 7, Table 1", "https://a.org/w.pdf", None, "https://a.org/w.pdf#page=7"),
        ("pp. 7-9", "https://a.org/w.pdf", None, "https://a.org/w.pdf#page=7"),
        ("p. 7", "https://a.org/w", "application/pdf", "https://a.org/w#page=7"),
        ("p. 7", "https://arxiv.org/abs/2412.19437v2", None, "https://arxiv.org/pdf/2412.19437v2#page=7"),
        ("p. 7", "https://a.org/w", "text/html", "https://a.org/w"),
        ("sec. 2", "https://a.org/w.pdf", "application/pdf", "https://a.org/w.pdf"),
        ("line 9", f"{GITHUB}/config.json", None, f"{GITHUB}/config.json#L9"),
        ("lines 9-12", f"{GITHUB}/a.py", None, f"{GITHUB}/a.py#L9-L12"),
        ("line 9", f"{GITHUB}/README.md", None, f"{GITHUB}/README.md?plain=1#L9"),
        (None, f"{GITHUB}/a.py", None, f"{GITHUB}/a.py"),
        ("sec. 2", "https://a.org/w", "text/html", "https://a.org/w#:~:text=14.8B%20parameters"),
        ("sec. 2", "https://a.org/w", "application/zip", "https://a.org/w"),
        ("p. 7", "", None, ""),
    ],
)  # fmt: skip
def test_a_link_opens_the_place(at: str | None, url: str, media: str | None, link: str) -> None:
    assert deep_link(piece(at), source(url=url or None, media=media)) == link


@given(st.text(min_size=1))
def test_a_link_to_words_holds_none_of_the_signs_that_have_a_meaning_there(words: str) -> None:
    words = words.encode("utf-8", "replace").decode()
    link = deep_link(piece("sec. 2", words), source(url="https://a.org/w", media="text/html"))
    base, _, text = link.partition("#:~:text=")
    assert base == "https://a.org/w"
    assert not set(text) & set("-,& \n")
    assert unquote(text) == words


def test_an_expression_links_to_its_file() -> None:
    artifact = Artifact(source="wren", read="$.n")
    assert deep_link(artifact, source(url=f"{GITHUB}/config.json")) == f"{GITHUB}/config.json"


@pytest.mark.parametrize(
    ("fields", "title"),
    [
        ({"version": "v2"}, "Wren, v2"),
        ({"version": COMMIT}, "Wren @5f0c2ab"),
        ({"version": "5.24.0", "kind": "package"}, "Wren, 5.24.0"),
        ({}, "Wren"),
    ],
)
def test_a_short_title_names_the_version_people_write(fields: dict[str, str], title: str) -> None:
    assert short_title(source(**fields)) == title


SIGNS = "ab1 &%$#_\\"  # what a title may hold once it was read


def words_of(signs: str) -> st.SearchStrategy[str]:
    return st.text(signs).map(lambda text: " ".join(text.split())).filter(bool)


@given(words_of(SIGNS))
def test_a_title_reads_back_from_bibtex_whatever_signs_it_has(title: str) -> None:
    entries, findings = read_bibtex(source_bibtex(source(title=title)), file="a.bib")
    assert not findings
    assert plain(entries[0].fields["title"]) == title


@given(words_of(SIGNS + "{}~^"))
def test_an_author_never_breaks_the_entry(author: str) -> None:
    entries, findings = read_bibtex(source_bibtex(source(author=[author])), file="a.bib")
    assert not findings
    assert len(entries) == 1


@pytest.mark.parametrize("day", ["2025", "2025-02", "2025-02-11", "by 2025-02-11", "by 2025"])
def test_the_year_is_the_year(day: str) -> None:
    assert "  year = {2025},\n" in source_bibtex(source(date=parse_date(day)))


@pytest.mark.parametrize(
    ("title", "inside"),
    [
        ("Active parameters", "active parameters"),
        ("RL algorithm", "RL algorithm"),
        ("KV cache", "KV cache"),
        ("A test", "a test"),
        ("X", "x"),
        ("", ""),
    ],
)
def test_a_title_keeps_its_capitals_inside_a_sentence(title: str, inside: str) -> None:
    assert in_sentence(title) == inside


def test_a_claim_is_cited_in_one_line(tiny_matrix: Matrix) -> None:
    for claim in tiny_matrix.claims.values():
        line = claim_markdown(claim, tiny_matrix)
        assert "\n" not in line
        assert f"`{claim.id}`" in line
        assert f"({claim.label}, {claim.label.in_words})" in line
    line = claim_markdown(tiny_matrix.claims["heron-1/params.active"], tiny_matrix)
    assert line == (
        "Heron-1, active parameters: 8B (D, disclosed), [Heron-1 Technical Report, v2, "
        "p. 1, Abstract](https://reports.example.org/heron-1.pdf#page=1); Evidence Matrix "
        "`heron-1/params.active`, checked 2026-07-19"
    )
    assert re.search(r"checked \d{4}-\d\d-\d\d$", line)
    assert date.fromisoformat(line[-10:])


@pytest.mark.parametrize(
    ("media", "link"),
    [
        ("text/markdown", f"{GITHUB}/copy.md?plain=1#L9"),
        ("text/plain", ""),  # its lines are those of the text, not those of its address
    ],
)
def test_a_place_that_was_read_in_a_copy_is_opened_there_or_not_at_all(
    tiny_matrix: Matrix, media: str, link: str
) -> None:
    document = source(url="https://a.org/w.pdf", media="application/pdf")
    copy = source(url=f"{GITHUB}/copy.md", media=media, kind="transcription", of="wren")
    matrix = replace(tiny_matrix, sources={"wren": document, "wren-copy": copy})
    read = Fragment(source="wren", via="wren-copy", at="line 9", quote="14.8B parameters")
    assert place_link(read, matrix) == link
    assert place_link(piece("p. 7"), matrix) == "https://a.org/w.pdf#page=7"
