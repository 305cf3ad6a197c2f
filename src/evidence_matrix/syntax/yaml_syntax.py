"""What a YAML parser says when it cannot go on, put into a contributor's words."""

from __future__ import annotations

from typing import Any

import yaml

from evidence_matrix.findings import Finding, Severity, shown

_SYNTAX, _TOO_DEEP = "EM003", "EM007"
_LONGEST = 120
_HINTS = (
    # a part of what the parser says, and what to write instead
    (
        "found character that cannot start any token",
        'put a text that begins with @, `, % or another sign in quotes: key: "@text"',
    ),
    (
        "mapping values are not allowed",
        'put a text with a colon and a space in it in quotes, key: "a: b"; '
        "or, where this line is a key, indent it like the keys around it",
    ),
    ("could not find expected ':'", "write `key: value`, and indent the lines of a longer text"),
    ("found unexpected end of stream", "close the quotation mark"),
    ("found unknown escape character", "use single quotes, in which a backslash is just itself"),
    ("did not find expected ',' or ']'", "close the list with `]`, or put a comma between items"),
    (
        "did not find expected ',' or '}'",
        "close it with `}`, put a comma between keys, or quote a text that has `: ` in it",
    ),
    ("did not find expected key", "indent the keys of one mapping alike, and quote odd texts"),
    (
        "did not find expected '-' indicator",
        "begin each item of a list with `- `, indented alike",
    ),
    ("did not find expected node content", "write a value, or close the bracket"),
    ("exceeded maximum nesting depth", "close a bracket, or write the record flatter"),
)
_OTHERWISE = "write `key: value` lines, indented by two spaces a level, and quote odd texts"


def syntax_finding(error: yaml.YAMLError, file: str) -> Finding:
    """The finding for a fault after which the parser could not go on."""
    mark: Any = getattr(error, "problem_mark", None)
    line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", None) or "no YAML")
    context = getattr(error, "context", None)
    begun: Any = getattr(error, "context_mark", None)
    message = f"the YAML cannot be read: {shown(problem, _LONGEST)}"
    if context and begun:
        message += f" ({shown(str(context), _LONGEST)} that begins in line {begun.line + 1})"
    hint = next((hint for part, hint in _HINTS if part in problem), _OTHERWISE)
    code = _TOO_DEEP if "nesting depth" in problem else _SYNTAX
    return Finding(code, Severity.ERROR, file, line, column, message, hint)
