"""What the site's pages show of an objective, read from its file as text: no torch is imported.

A file's module docstring has fixed parts, which are Markdown, in this order: a first line
`Name: what it is.`, then `## Idea`, `## Equation` (with a line `Source: ...` for each paper),
`## Symbols` (a table), `## Choices` and `## Tested`. The module's `ORDER` is its place in the
objective reference.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from evidence_matrix.objectives import FOLDER, discover

PARTS = ("Idea", "Equation", "Symbols", "Choices", "Tested")
SYMBOLS_HEAD = ("symbol", "argument", "shape", "meaning")


@dataclass(frozen=True)
class Function:
    """One public function: its arguments, and its source with the number of its first line."""

    name: str
    module: str
    positional: tuple[str, ...]
    keyword_only: tuple[str, ...]
    defaults: tuple[str, ...]
    """Names of the arguments that have a default."""
    first_line: int
    lines: tuple[str, ...]

    @property
    def arguments(self) -> tuple[str, ...]:
        """All arguments, in order."""
        return self.positional + self.keyword_only

    @property
    def numbered(self) -> tuple[tuple[int, str], ...]:
        """The source lines with their numbers in the file."""
        return tuple(enumerate(self.lines, self.first_line))


@dataclass(frozen=True)
class Symbol:
    """One row of the symbol table, and the lines of the file where its argument is used."""

    symbol: str
    argument: str
    shape: str
    meaning: str
    lines: tuple[int, ...]


@dataclass(frozen=True)
class Entry:
    """One objective as its file describes it; prose is Markdown, equations are LaTeX in it."""

    id: str
    """As in the coverage list, with hyphens; the module has underscores."""
    name: str
    summary: str
    idea: str
    equation: str
    source: tuple[str, ...]
    """Papers with version and equation number, one a line, as the equation part gives them."""
    symbols: tuple[Symbol, ...]
    code: tuple[Function, ...]
    pieces: tuple[Function, ...]
    """Shared functions that the file imports: aggregations, ratios, baselines."""
    choices: str
    tested: str
    order: int


def entries() -> tuple[Entry, ...]:
    """All objectives, by their place in the objective reference."""
    return tuple(sorted(map(entry, discover()), key=lambda found: (found.order, found.id)))


def entry(module: str) -> Entry:
    """The objective in the file `module`.py.

    Raises:
        ValueError: the file lacks a part of its docstring, or a cell of its symbol table.

    """
    tree = _tree(module)
    head, parts = _parts(module, ast.get_docstring(tree) or "")
    name, colon, summary = head.partition(": ")
    if not colon:
        raise ValueError(f"{module}.py: the first line must read 'Name: what it is.'")
    return Entry(
        id=module.replace("_", "-"),
        name=name,
        summary=summary,
        idea=parts["Idea"],
        equation=parts["Equation"],
        source=tuple(re.findall(r"^Source: (.+)$", parts["Equation"], re.MULTILINE)),
        symbols=_symbols(module, parts["Symbols"], tree),
        code=_functions(module, tree),
        pieces=_pieces(tree),
        choices=parts["Choices"],
        tested=parts["Tested"],
        order=_order(module, tree),
    )


def _text(module: str) -> str:
    return (FOLDER / f"{module}.py").read_text(encoding="utf-8")


def _tree(module: str) -> ast.Module:
    return ast.parse(_text(module))


def _parts(module: str, docstring: str) -> tuple[str, dict[str, str]]:
    head, *rest = re.split(r"^## (.+)$", docstring, flags=re.MULTILINE)
    titles, bodies = rest[::2], rest[1::2]
    if tuple(titles) != PARTS:
        raise ValueError(
            f"{module}.py: the docstring has the parts {titles}; it must have {list(PARTS)}, "
            "in this order"
        )
    # The docstring wraps the first sentence where the line is full.
    summary = " ".join(head.split())
    return summary, {title: body.strip() for title, body in zip(titles, bodies, strict=True)}


def _symbols(module: str, table: str, tree: ast.Module) -> tuple[Symbol, ...]:
    rows = [
        tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|")))
        for line in table.splitlines()
        if line.startswith("|")
    ]
    if not rows or rows[0] != SYMBOLS_HEAD or any(len(row) != len(SYMBOLS_HEAD) for row in rows):
        raise ValueError(
            f"{module}.py: the symbol table must have the columns {' | '.join(SYMBOLS_HEAD)} in "
            "every row"
        )
    found = []
    for symbol, argument, shape, meaning in rows[2:]:
        names = re.findall(r"`(\w+)`", argument)
        if len(names) != 1:
            raise ValueError(f"{module}.py: a symbol row names {argument!r}; write one `argument`")
        found.append(Symbol(symbol, names[0], shape, meaning, _uses(names[0], tree)))
    return tuple(found)


def _uses(argument: str, tree: ast.Module) -> tuple[int, ...]:
    lines = {
        node.lineno
        for node in ast.walk(tree)
        if (isinstance(node, ast.Name) and node.id == argument)
        or (isinstance(node, ast.arg) and node.arg == argument)
    }
    return tuple(sorted(lines))


def _functions(module: str, tree: ast.Module) -> tuple[Function, ...]:
    source = _text(module).splitlines()
    found = []
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
            continue
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        positional = [argument.arg for argument in [*node.args.posonlyargs, *node.args.args]]
        keyword_only = [argument.arg for argument in node.args.kwonlyargs]
        given = positional[len(positional) - len(node.args.defaults) :] + [
            name
            for name, default in zip(keyword_only, node.args.kw_defaults, strict=True)
            if default is not None
        ]
        found.append(
            Function(
                name=node.name,
                module=module,
                positional=tuple(positional),
                keyword_only=tuple(keyword_only),
                defaults=tuple(given),
                first_line=first,
                lines=tuple(source[first - 1 : node.end_lineno]),
            )
        )
    return tuple(found)


def _pieces(tree: ast.Module) -> tuple[Function, ...]:
    prefix = "evidence_matrix.objectives."
    found = []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(prefix):
            module = (node.module or "").removeprefix(prefix)
            shared = {each.name: each for each in _functions(module, _tree(module))}
            found += [shared[alias.name] for alias in node.names if alias.name in shared]
    return tuple(found)


def _order(module: str, tree: ast.Module) -> int:
    for node in tree.body:
        match node:
            case ast.Assign(
                targets=[ast.Name(id="ORDER")], value=ast.Constant(value=int() as order)
            ):
                return order
    raise ValueError(f"{module}.py: write ORDER = a number, its place in the objective reference")
