"""Listings: every line can be linked, and a symbol and the lines that use it lead to each other."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from evidence_matrix.objectives.catalog import Function, Symbol, entries
from evidence_matrix.pages.listings import line_id, listing, row_id, uses_id

CODE = (
    'def toy(given, *, scale: float = "<b>"):',
    '    """Text',
    '    over lines."""',
    "",
    "    return scale",
)
TOY = Function("toy", "toy", ("given",), ("scale",), ("scale",), 7, CODE)
SYMBOLS = (
    Symbol("$g$", "given", "`[B]`", "what is given", (7,)),
    Symbol("$s$", "scale", "number", "how much", (7, 11)),
)


def parsed(html: str) -> LexborHTMLParser:
    return LexborHTMLParser(html)


def test_lines_have_their_numbers_in_the_file_and_their_text() -> None:
    page = parsed(listing(TOY, SYMBOLS))
    lines = page.css("span.em-line")
    assert [line.id for line in lines] == [line_id("toy", n) for n in range(7, 12)]
    numbers = [line.css_first("a").attributes["data-n"] for line in lines]
    assert numbers == ["7", "8", "9", "10", "11"]
    assert [line.text() for line in lines] == [f"{text}\n" for text in CODE]


def test_lines_say_the_rows_of_the_symbols_that_they_use() -> None:
    lines = parsed(listing(TOY, SYMBOLS)).css("span.em-line")
    assert [line.attributes.get("data-u") for line in lines] == ["1 2", None, None, None, "2"]


def test_the_first_use_of_a_symbol_can_be_gone_to_and_its_parameter_leads_back() -> None:
    page = parsed(listing(TOY, SYMBOLS))
    first = page.css_first(f"#{line_id('toy', 7)}")
    assert first.css_first(f"#{uses_id(1)}")
    assert first.css_first(f"#{uses_id(2)}")
    assert [a.attributes["href"] for a in page.css("a.n")] == [f"#{row_id(2)}"]


def test_a_shared_piece_has_lines_and_no_symbols() -> None:
    page = parsed(listing(TOY))
    assert len(page.css("span.em-line")) == 5
    assert not page.css("[data-u], a.n, i")


def test_every_symbol_of_every_objective_leads_to_lines_that_are_listed() -> None:
    for entry in entries():
        page = parsed("".join(listing(function, entry.symbols) for function in entry.code))
        ids = {node.id for node in page.css("[id]")}
        for row, symbol in enumerate(entry.symbols, 1):
            assert uses_id(row) in ids, (entry.id, symbol.argument)
            assert {line_id(entry.code[0].module, line) for line in symbol.lines} <= ids
