"""Expressions: what a pinned file gives for a JSONPath, a name in Python source or a line range."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import yaml

from evidence_matrix.verification import python_source
from evidence_matrix.verification.python_source import CLASS_DEFAULT

JSON = ("application/json",)
YAML = ("application/yaml", "text/yaml", "application/x-yaml")
TOML = ("application/toml",)
PYTHON = ("text/x-python",)

_LINES = re.compile(r"lines?\s+([0-9]{1,7})(?:\s*[-–]\s*([0-9]{1,7}))?")
_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)?")


@dataclass(frozen=True, slots=True)
class Reading:
    """What an expression gives.

    Attributes:
        value: as text, written as in the file where it is a number.
        kind: `class default` where it is one, else None.
    """

    value: str
    kind: str | None = None


class ExpressionError(Exception):
    """An expression that gives no value; says why, and what to write instead."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def read(expression: str, data: bytes, media: str) -> Reading:
    """What an expression gives on the bytes of a file.

    JSONPath (`$.a.b`) reads JSON, YAML and TOML; `Class.field` and `CONSTANT` read Python source,
    which is parsed and never run; `lines 3-9` reads any text.

    Raises:
        ExpressionError: the expression or the file cannot be read, or there is no one value.
    """
    expression = expression.strip()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ExpressionError(f"the file is not UTF-8 at byte {error.start}") from None
    lines = _LINES.fullmatch(expression)
    if lines:
        first, last = int(lines[1]), int(lines[2] or lines[1])
        prose = _prose(text, first, last) if media in PYTHON else None
        if prose:
            raise ExpressionError(
                f"`{expression}` is {prose}: prose about the code, which confirms nothing",
                "read a class field or constant, or cite the words as D with a fragment",
            )
        return Reading(_line_range(text, first, last))
    try:
        if expression.startswith("$"):
            return Reading(_json_path(expression, _tree(text, media)))
        if _NAME.fullmatch(expression):
            if media not in PYTHON:
                raise ExpressionError(
                    f"`{expression}` is a name in Python source, the file is {media}",
                    f"write a JSONPath: `$.{expression}`",
                )
            return _python_name(expression, text)
    except (RecursionError, MemoryError):
        raise ExpressionError("the file is nested too deeply") from None
    raise ExpressionError(
        f"`{expression}` is no expression",
        "write `$.a.b`, `Class.field`, `CONSTANT` or `lines 3-9`",
    )


def _prose(text: str, first: int, last: int) -> str | None:
    try:
        return python_source.prose_at(text, first, last)
    except python_source.NoValueError as error:
        raise ExpressionError(error.message, error.hint) from None


def _line_range(text: str, first: int, last: int) -> str:
    lines = text.split("\n")
    if not 1 <= first <= last <= len(lines):
        raise ExpressionError(f"the file has {len(lines)} lines, not lines {first}-{last}")
    return "\n".join(line.rstrip() for line in lines[first - 1 : last])


class _WrittenFloat(float):
    """A float that prints as it is written in the file: 1e-5, not 1e-05."""

    written: str

    def __new__(cls, written: str) -> _WrittenFloat:
        number = super().__new__(cls, written)
        number.written = written
        return number


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ExpressionError(f"the file has the key `{twice}` twice, so it gives no one value")
    return mapping


class _TextLoader(yaml.BaseLoader):
    """YAML whose scalars are text as written; aliases and double keys are refused."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise ExpressionError("the file uses YAML aliases, which are not followed")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        read = self.construct_object
        return _pairs([(str(read(key, True)), read(value, deep)) for key, value in node.value])


def _tree(text: str, media: str) -> Any:
    try:
        if media in JSON:
            return json.loads(
                text, parse_float=_WrittenFloat, object_pairs_hook=_pairs, parse_constant=str
            )
        if media in TOML:
            return tomllib.loads(text, parse_float=_WrittenFloat)
        if media in YAML:
            return yaml.load(text, Loader=_TextLoader)
    except (ValueError, yaml.YAMLError) as error:
        said = str(error).split("\n")[0]
        raise ExpressionError(f"the file cannot be read as {media}: {said}") from None
    raise ExpressionError(
        f"a JSONPath reads JSON, YAML and TOML, the file is {media}",
        "write `lines 3-9`, or for Python source `Class.field`",
    )


def _json_path(expression: str, tree: Any) -> str:
    import jsonpath

    try:
        found = jsonpath.compile(expression).findall(tree)
    except jsonpath.JSONPathError as error:
        said = str(error).split("\n")[0]
        raise ExpressionError(f"`{expression}` is no JSONPath: {said}") from None
    if not found:
        near = get_close_matches(re.split(r"[.\[]", expression)[-1], _keys(tree), 1)
        hint = f"did you mean `{near[0]}`?" if near else ""
        raise ExpressionError(f"the file has nothing at `{expression}`", hint)
    if len(found) > 1:
        raise ExpressionError(
            f"`{expression}` gives {len(found)} values", "write a path that leads to one"
        )
    return python_source.as_text(found[0])


def _keys(tree: Any) -> list[str]:
    keys: dict[str, None] = {}
    rest = [tree]
    while rest:
        node = rest.pop()
        if isinstance(node, dict):
            keys.update(dict.fromkeys(map(str, node)))
            rest.extend(node.values())
        elif isinstance(node, list):
            rest.extend(node)
    return list(keys)


def _python_name(expression: str, text: str) -> Reading:
    try:
        value = python_source.value_of(expression, text)
    except python_source.NoValueError as error:
        raise ExpressionError(error.message, error.hint) from None
    return Reading(value, CLASS_DEFAULT if "." in expression else None)
