"""Python source: the literal that a class field or a constant is set to, parsed and never run."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

CLASS_DEFAULT = "class default"
"""What a value read from a class is: what the code starts from, not what a checkpoint has."""

_FIELD_CALLS = ("field", "Field")


class NoValueError(Exception):
    """A name that has no one literal value; says why, and what to write instead."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def value_of(name: str, source: str) -> str:
    """The literal that `CONSTANT` or `Class.field` is set to, as text.

    A field is set in the class body, by `field(default=…)`, or as a default of `__init__`.
    """
    module = _parsed(source)
    owner, _, last = name.rpartition(".")
    if not owner:
        return _literal(_assigned(module.body, last), name, source, _names(module.body))
    classes = {node.name: node for node in module.body if isinstance(node, ast.ClassDef)}
    if owner not in classes:
        raise NoValueError(f"the file has no class `{owner}`", _nearest(owner, list(classes)))
    body = classes[owner].body
    values = [_field_default(value) for value in _assigned(body, last)]
    values += [default for argument, default in _init_defaults(body) if argument == last]
    fields = [*_names(body), *(argument for argument, _ in _init_defaults(body))]
    return _literal(values, name, source, fields)


def prose_at(source: str, first: int, last: int) -> str | None:
    """`a docstring` or `a comment` where lines of a file hold nothing else, or None."""
    lines = range(first, last + 1)
    held: dict[int, str] = {}
    for node in ast.walk(_parsed(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            held.update(dict.fromkeys(range(node.lineno, (node.end_lineno or 0) + 1), "docstring"))
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            held.setdefault(token.start[0], "comment")
        elif token.string.strip() and held.get(token.start[0]) != "docstring":
            code.update(range(token.start[0], token.end[0] + 1))
    kinds = [held[line] for line in lines if line in held and line not in code]
    return f"a {kinds[0]}" if kinds and not code.intersection(lines) else None


def _parsed(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError) as error:
        raise NoValueError(f"the file cannot be read as Python source: {error}") from None


def _settings(body: Sequence[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    for node in body:
        if isinstance(node, ast.AnnAssign) and node.value and isinstance(node.target, ast.Name):
            yield node.target.id, node.value
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, node.value


def _assigned(body: Sequence[ast.stmt], name: str) -> list[ast.expr]:
    return [value for target, value in _settings(body) if target == name]


def _names(body: Sequence[ast.stmt]) -> list[str]:
    return [target for target, _ in _settings(body)]


def _init_defaults(body: Sequence[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            given = node.args
            positional = [*given.posonlyargs, *given.args]
            start = len(positional) - len(given.defaults)
            yield from ((a.arg, d) for a, d in zip(positional[start:], given.defaults, strict=True))
            keywords = zip(given.kwonlyargs, given.kw_defaults, strict=True)
            yield from ((a.arg, d) for a, d in keywords if d is not None)


def _field_default(value: ast.expr) -> ast.expr:
    """The default inside `field(default=…)`; a factory is code and stays what it is."""
    if isinstance(value, ast.Call):
        called = value.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if name in _FIELD_CALLS:
            for keyword in value.keywords:
                if keyword.arg == "default":
                    return keyword.value
    return value


def _literal(values: list[ast.expr], name: str, source: str, known: list[str]) -> str:
    if not values:
        last = name.rpartition(".")[2]
        raise NoValueError(f"the file sets no `{name}`", _nearest(last, known))
    texts = [_text_of(value, name, source) for value in values]
    if len(set(texts)) > 1:
        raise NoValueError(f"`{name}` is set more than once: {', '.join(texts)}")
    return texts[0]


def _text_of(value: ast.expr, name: str, source: str) -> str:
    number = value.operand if isinstance(value, ast.UnaryOp) else value
    if isinstance(number, ast.Constant) and type(number.value) in (int, float):
        written = ast.get_source_segment(source, value)
        if written is not None:
            return written.replace("_", "")
    try:
        return as_text(ast.literal_eval(value))
    except (ValueError, TypeError, MemoryError):
        computed = ast.unparse(value)[:60]
        raise NoValueError(
            f"`{name}` is computed: `{computed}`", "cite what it is computed from, or use I"
        ) from None


def as_text(value: object) -> str:
    """A value as the records write it: true, false, null, numbers, text and [lists]."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(as_text, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {as_text(item)}" for key, item in value.items()) + "}"
    return getattr(value, "written", None) or str(value)


def _nearest(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, 1)
    return f"did you mean `{near[0]}`?" if near else ""
