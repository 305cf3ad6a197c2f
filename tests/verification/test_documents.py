from __future__ import annotations

from pathlib import Path

import pytest

from evidence_matrix.verification.documents import (
    SHOWN_WORDS,
    Hit,
    Miss,
    document_of,
    open_document,
)
from evidence_matrix.verification.extraction import PDF
from tests.paper import pdf_of

PAPER = pdf_of(
    ["Heron 1 technical report", "We train Heron 1 on 14.8T high-quality tokens."],
    ["Table 2: sizes of both models", "Model Heron 1 Heron 1 mini", "Layers 61 12"],
    ["The learning rate is 2.2 \xd7 10-4 and decays.", "We train Heron 1 mini on 1T tokens."],
    ["Appendix: Layers 61"],
)
CARD = b"""# Heron 1

We train on **14.8T** tokens ([report](https://example.org/heron-1.pdf)).

| | Heron 1 | mini |
|---|---|---|
| Layers | 61 | 12 |
The card goes
on here.
"""


def test_a_fragment_is_found_on_its_page_and_nowhere_else() -> None:
    paper = open_document(PAPER, PDF)
    assert paper.find("on 14.8T high-quality tokens", "p. 1, sec. 2") == Hit(page=1, line=2)
    missed = paper.find("on 14.8T high-quality tokens", "p. 2")
    assert missed == Miss("the fragment does not stand on p. 2", elsewhere=("p. 1",))


def test_a_fragment_that_stands_on_several_pages_says_so() -> None:
    found = open_document(PAPER, PDF).find("Layers 61", "p. 2, Table 2")
    assert isinstance(found, Hit)
    assert (found.page, found.others) == (2, (4,))


def test_a_fragment_in_markdown_is_found_as_a_reader_reads_it() -> None:
    card = open_document(CARD, "text/markdown")
    assert card.find("14.8T tokens (report)", "line 3") == Hit(page=1, line=3)
    assert card.find("**14.8T** tokens", "line 3, Heron 1") == Hit(page=1, line=3)
    assert card.find("Layers 61 12", "lines 6-7") == Hit(page=1, line=7)


def test_a_fragment_begins_on_its_line_and_may_run_over_its_end() -> None:
    card = open_document(CARD, "text/markdown")
    assert card.find("card goes on here", "line 8") == Hit(page=1, line=8)
    assert isinstance(card.find("card goes on here", "line 9"), Miss)


def test_an_address_that_only_the_markup_holds_is_found() -> None:
    card = open_document(CARD, "text/markdown")
    assert card.find("https://example.org/heron-1.pdf", "line 3") == Hit(page=1, line=3)


def test_a_fragment_of_markup_is_not_one() -> None:
    card = open_document(b"<td>x</td>\n<td class='a'>104B</td>\n", "text/markdown")
    assert isinstance(card.find("'a'>104B</td>", "line 2"), Miss)
    assert card.find("104B", "line 2") == Hit(page=1, line=2)


def test_a_number_of_a_bare_cell_is_found_only_with_its_row_and_head_near() -> None:
    paper = open_document(PAPER, PDF)
    assert isinstance(paper.find("61", "p. 2", row="Layers", head="Heron 1"), Hit)
    missed = paper.find("61", "p. 2", row="Experts")
    assert missed == Miss("the fragment stands there, but its row “Experts” not near it")
    assert isinstance(paper.find("61", "p. 2", row="learning rate"), Miss)


def test_a_head_stands_above_its_cell() -> None:
    card = open_document(b"61\n\nLayers\n", "text/plain")
    assert isinstance(card.find("61", "line 1", row="Layers"), Hit)
    assert isinstance(card.find("61", "line 1", head="Layers"), Miss)


def test_a_row_that_stands_far_away_is_not_its_row() -> None:
    for name, lines in (("row", 4), ("head", 41)):
        text = b"Layers\n" + b"\n" * (lines - 1) + b"61\n"
        far = open_document(text, "text/plain")
        assert isinstance(far.find("61", None, **{name: "Layers"}), Miss)
        near = open_document(text.replace(b"\n\n", b"\n", 1), "text/plain")
        assert isinstance(near.find("61", None, **{name: "Layers"}), Hit)


def test_a_row_is_tried_with_each_place_of_the_fragment() -> None:
    text = b"61\n" + b"\n" * 60 + b"Layers\n61\n"
    found = open_document(text, "text/plain").find("61", None, row="Layers")
    assert isinstance(found, Hit)
    assert found.line == 63


def test_an_exponent_that_a_pdf_lost_is_found_as_a_reader_writes_it() -> None:
    paper = open_document(PAPER, PDF)
    assert isinstance(paper.find("rate is 2.2 × 10^-4", "p. 3"), Hit)
    assert isinstance(paper.find("rate is 2.2 × 10⁻⁴", "p. 3"), Hit)
    text = open_document(b"rate is 2.2 x 10-4", "text/plain")
    assert isinstance(text.find("rate is 2.2 x 10^-4", "line 1"), Miss)


def test_a_miss_shows_the_nearest_passage_in_at_most_twelve_words() -> None:
    missed = open_document(PAPER, PDF).find("We train Heron 1 on 14.9T low-quality tokens", "p. 1")
    assert isinstance(missed, Miss)
    assert missed.nearest_at == "p. 1"
    assert "14.8T high-quality" in (missed.nearest or "")
    long = " ".join(f"word{n}" for n in range(90)).encode()
    missed = open_document(long, "text/plain").find("word1 " * 40, None)
    assert isinstance(missed, Miss)
    assert len((missed.nearest or "").split()) <= SHOWN_WORDS


def test_a_part_of_a_number_is_told_with_the_number_it_is_part_of() -> None:
    text = open_document(b"it has ~92k pairs, at most \xe2\x89\xa4 2,304 comparisons", "text/plain")
    missed = text.find("92k pairs", "line 1")
    assert isinstance(missed, Miss)
    assert missed.inside == "~92k pairs,"
    missed = text.find("2,304 comparisons", None)
    assert missed == Miss(
        "the fragment stands only inside “≤ 2,304 comparisons”", inside="≤ 2,304 comparisons"
    )


@pytest.mark.parametrize(
    ("at", "reason"),
    [
        ("p. 9", "the file has 4 pages, so nothing stands on p. 9"),
        ("line 2", "a PDF is read by page, so nothing stands on line 2"),
    ],
)
def test_a_place_that_a_pdf_does_not_have_is_told(at: str, reason: str) -> None:
    missed = open_document(PAPER, PDF).find("Appendix", at)
    assert missed == Miss(reason, elsewhere=("p. 4",))


@pytest.mark.parametrize(
    ("at", "reason"),
    [
        ("p. 1", "the text has lines and no pages, so nothing stands on p. 1"),
        ("line 30", "the file has 10 lines, so nothing stands on line 30"),
    ],
)
def test_a_place_that_a_text_does_not_have_is_told(at: str, reason: str) -> None:
    missed = open_document(CARD, "text/markdown").find("card goes", at)
    assert missed == Miss(reason, elsewhere=("line 8",))


def test_a_fragment_without_words_and_a_page_without_text_are_told() -> None:
    assert open_document(CARD, "text/markdown").find("**", "line 3") == Miss(
        "the fragment has no words"
    )
    missed = open_document(pdf_of([]), PDF).find("anything", "p. 1")
    assert isinstance(missed, Miss)
    assert missed.reason.endswith("no text could be read in it")


def test_terms_are_counted_by_page_and_by_line() -> None:
    paper = open_document(PAPER, PDF)
    assert paper.count("layer") == {"2": 1, "4": 1}
    assert paper.count("HERON 1 mini") == {"2": 1, "3": 1}
    assert paper.count("dropout") == {}
    card = open_document(CARD, "text/markdown")
    assert card.count("14.8T tokens") == {"3": 1}
    assert card.count("example.org") == {"3": 1}


def test_places_of_a_quote_name_the_source() -> None:
    assert open_document(PAPER, PDF).places("Layers 61", "heron-1-report") == [
        "heron-1-report, p. 2"
    ]
    assert open_document(PAPER, PDF).places("Layers 62", "heron-1-report") == []


def test_the_media_type_of_a_file_is_that_of_its_suffix(tmp_path: Path) -> None:
    for name, data, media in (
        ("a.pdf", PAPER, PDF),
        ("a.md", CARD, "text/markdown"),
        ("a.txt", b"text", "text/plain"),
    ):
        (tmp_path / name).write_bytes(data)
        assert open_document(tmp_path / name).media == media


def test_the_pages_of_a_document_are_its_folded_text() -> None:
    assert document_of(["a\nb", "c"], PDF).pages == ("a b ", "c")
    assert document_of(["a\nb"], "text/plain").pages == ("a b",)
