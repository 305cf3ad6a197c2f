"""Listings: source as HTML whose lines can be linked to, and whose arguments lead to their row."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from evidence_matrix.objectives.catalog import Function, Symbol

_PARAMETER = re.compile(r'<span class="n">(\w+)</span>(?=<span class="p">:</span>)')


def line_id(module: str, line: int) -> str:
    """The id of a line on its page."""
    return f"{module}-{line}"


def row_id(row: int) -> str:
    """The id of a symbol's row; rows count from 1."""
    return f"symbol-{row}"


def uses_id(row: int) -> str:
    """The id at the first line that uses a symbol; as a target it marks all of them."""
    return f"uses-{row}"


def listing(function: Function, symbols: Sequence[Symbol] = ()) -> str:
    """A function with numbered lines, each marked with the rows of the symbols it uses.

    Args:
        function: what is listed.
        symbols: those of its file, in the order of their rows; none for a shared piece.
    """
    rows = {symbol.argument: row for row, symbol in enumerate(symbols, 1)}
    starts: dict[int, list[int]] = {}
    for row, symbol in enumerate(symbols, 1):
        if symbol.lines:
            starts.setdefault(min(symbol.lines), []).append(row)
    lines = []
    for number, text in enumerate(_colored(function.lines), function.first_line):
        used = [row for row, symbol in enumerate(symbols, 1) if number in symbol.lines]
        marked = f' data-u="{" ".join(map(str, used))}"' if used else ""
        anchors = "".join(f'<i id="{uses_id(row)}"></i>' for row in starts.get(number, ()))
        here = line_id(function.module, number)
        lines.append(
            f'<span class="em-line" id="{here}"{marked}>{anchors}<a href="#{here}" tabindex="-1" '
            f'aria-hidden="true" data-n="{number}"></a>{_linked(text, rows)}\n</span>'
        )
    title = f"{function.module}.py, {function.name}"
    return (
        f'<div class="highlight em-code"><p>{html.escape(title)}</p>'
        f'<pre tabindex="0" role="region" aria-label="{html.escape(title)}"><code>'
        f"{''.join(lines)}</code></pre></div>"
    )


def _colored(lines: Sequence[str]) -> list[str]:
    formatter = HtmlFormatter(nowrap=True)
    text: str = highlight("\n".join(lines), PythonLexer(stripnl=False), formatter)
    return text.rstrip("\n").split("\n")


def _linked(text: str, rows: dict[str, int]) -> str:
    """A line whose parameters, where it declares any, lead to the rows of the symbol table."""

    def link(match: re.Match[str]) -> str:
        row = rows.get(match[1])
        return f'<a class="n" href="#{row_id(row)}">{match[1]}</a>' if row else match[0]

    return _PARAMETER.sub(link, text)
