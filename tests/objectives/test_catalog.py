from __future__ import annotations

import pytest

from evidence_matrix.objectives import catalog

WELL_FORMED = '''r"""TOY: a loss to test the reader with.

## Idea

First principles.

## Equation

$$
x
$$

Source: A paper, arXiv 1234.56789v1, Eq. 1
Source: Another, not confirmed

## Symbols

| symbol | argument | shape | meaning |
|---|---|---|---|
| $a\\|b$ | `given` | `[B]` | what is given |

## Choices

None.

## Tested

Here.
"""

from evidence_matrix.objectives.ratios import share, token_ratio

ORDER = 7


def toy(given, *, scale=1):
    """A docstring."""
    return scale * given
'''


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """Writes `toy.py` into a folder that stands for the package's, and reads its entry."""

    def read(text: str) -> catalog.Entry:
        for piece in ("ratios", "aggregation"):
            source = (catalog.FOLDER / f"{piece}.py").read_text(encoding="utf-8")
            (tmp_path / f"{piece}.py").write_text(source, encoding="utf-8")
        (tmp_path / "toy.py").write_text(text, encoding="utf-8")
        with monkeypatch.context() as patch:
            patch.setattr(catalog, "FOLDER", tmp_path)
            return catalog.entry("toy")

    return read


def test_every_part_is_read(toy):
    entry = toy(WELL_FORMED)
    assert (entry.id, entry.name, entry.order) == ("toy", "TOY", 7)
    assert entry.summary == "a loss to test the reader with."
    assert entry.idea == "First principles."
    assert entry.equation.startswith("$$\nx\n$$")
    assert entry.source == ("A paper, arXiv 1234.56789v1, Eq. 1", "Another, not confirmed")
    assert (entry.choices, entry.tested) == ("None.", "Here.")


def test_code_has_the_line_numbers_of_the_file_and_symbols_point_into_it(toy):
    entry = toy(WELL_FORMED)
    (function,) = entry.code
    lines = WELL_FORMED.splitlines()
    assert all(lines[number - 1] == text for number, text in function.numbered)
    assert function.lines[0] == "def toy(given, *, scale=1):"
    assert function.arguments == ("given", "scale")
    assert (function.positional, function.keyword_only) == (("given",), ("scale",))
    assert function.defaults == ("scale",)
    (symbol,) = entry.symbols
    assert (symbol.symbol, symbol.argument, symbol.shape) == (r"$a\|b$", "given", "`[B]`")
    assert [lines[number - 1].strip() for number in symbol.lines] == [
        "def toy(given, *, scale=1):",
        "return scale * given",
    ]


def test_shared_pieces_come_with_their_own_source(toy):
    entry = toy(WELL_FORMED)
    assert [(piece.module, piece.name) for piece in entry.pieces] == [
        ("ratios", "share"),
        ("ratios", "token_ratio"),
    ]
    assert entry.pieces[1].lines[0].startswith("def token_ratio(")


def test_decorators_belong_to_the_code():
    entry = catalog.entry("dapo")
    penalty = next(function for function in entry.code if function.name == "overlong_penalty")
    assert penalty.lines[0] == "@torch.no_grad()"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("TOY: a loss", "A loss", r"the first line must read 'Name: what it is\.'"),
        ("## Choices", "## Notes", r"has the parts .*'Notes'.*; it must have \['Idea'"),
        ("## Tested\n\nHere.\n", "", r"it must have .*'Tested'\], in this order"),
        ("| symbol | argument", "| sign | argument", "the symbol table must have the columns"),
        ("| `[B]` | what is given |", "| `[B]` |", "the symbol table must have the columns"),
        ("| `given` |", "| given |", r"a symbol row names 'given'; write one `argument`"),
        ("ORDER = 7", "", "write ORDER = a number"),
    ],
)
def test_what_is_missing_is_an_error_that_names_the_file(toy, old, new, message):
    assert old in WELL_FORMED
    with pytest.raises(ValueError, match=rf"toy\.py: .*{message}"):
        toy(WELL_FORMED.replace(old, new))


def test_entries_come_in_the_order_of_the_objective_reference():
    ids = [entry.id for entry in catalog.entries()]
    assert ids.index("ppo") < ids.index("grpo") < ids.index("dapo") < ids.index("sao")
    assert "gspo-token" in ids
