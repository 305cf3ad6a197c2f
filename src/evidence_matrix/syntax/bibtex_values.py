"""What a BibTeX value says: braces, quotation marks, numbers and macros, joined by `#`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from evidence_matrix.findings import shown
from evidence_matrix.syntax.spelling import nearest

MONTHS: Mapping[str, str] = {
    "jan": "January",
    "feb": "February",
    "mar": "March",
    "apr": "April",
    "may": "May",
    "jun": "June",
    "jul": "July",
    "aug": "August",
    "sep": "September",
    "oct": "October",
    "nov": "November",
    "dec": "December",
}
_SPACE = re.compile(r"\s*")
_WORD = re.compile(r"[^\s\"#%'(),={}]+")
_BRACE = re.compile(r"(?<!\\)[{}]")
_BRACE_OR_QUOTE = re.compile(r'(?<!\\)[{}"]')
_NEXT_FIELD = re.compile(r"\s*,?\s*([A-Za-z][\w-]*)\s*=")
_FIELD_INSIDE = re.compile(
    r"(?<![\w\\])(abstract|author|booktitle|copy|date|doi|editor|eprint|institution|journal|kind|lab"
    r"|licence|media|month|note|publisher|retrieved|sha256|title|url|version|whole|year)"
    r"\s*=\s*[{\"]",
    re.IGNORECASE,
)
_ENTRY_INSIDE = re.compile(r"@[A-Za-z]+\s*[{(]\s*[^\s,{}()]+\s*,")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a value, at an offset into it as written."""

    offset: int
    message: str
    hint: str


def evaluate(written: str, macros: Mapping[str, str]) -> tuple[str, list[Fault]]:
    """The text that a value stands for, and what is wrong with it.

    Where something is wrong, the text is as much as could be read. White space is kept as it is;
    LaTeX is not decoded. Macro names are folded; `macros` has them folded too.
    """
    text = ""
    position = 0
    while True:
        part, end, fault = _part(written, position, macros)
        text += part
        if fault:
            return text, [fault]
        position = _past_space(written, end)
        if position == len(written):
            return text, _faults_inside(written)
        if written[position] != "#":
            return text, [_left_over(written, position)]
        position = _past_space(written, position + 1)


def _part(written: str, start: int, macros: Mapping[str, str]) -> tuple[str, int, Fault | None]:
    """Text, end and fault of the part that begins at `start`."""
    if start == len(written):
        what = "after the `#` stands nothing" if start else "the value is missing"
        return "", start, Fault(start, what, "write the value in braces: {text}")
    if written[start] in '{"':
        end = _closing(written, start)
        if end is None:
            sign = "brace" if written[start] == "{" else "quotation mark"
            return (
                written[start + 1 :],
                start,
                Fault(start, f"the {sign} is not closed", "close it"),
            )
        return written[start + 1 : end], end + 1, None
    word = _WORD.match(written, start)
    if word is None:
        message = f"the value begins with '{shown(written[start])}'"
        return "", start, Fault(start, message, "write the value in braces: {text}")
    name = word.group()
    if name.isdecimal() and name.isascii():
        return name, word.end(), None
    known = {**MONTHS, **macros}
    if name.casefold() in known:
        return known[name.casefold()], word.end(), None
    near = nearest(name, macros) or nearest(name, MONTHS)
    message = f"'{shown(name)}' is neither a number nor a macro that is defined"
    hint = f"write it in braces: {{{shown(name)}}}" + (f", or the macro {near}" if near else "")
    return name, word.end(), Fault(start, message, hint)


def _closing(written: str, start: int) -> int | None:
    """Offset of what closes the brace or quotation mark at `start`."""
    quoted = written[start] == '"'
    depth = 0
    for mark in (_BRACE_OR_QUOTE if quoted else _BRACE).finditer(written, start):
        sign = mark.group()
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if mark.start() > start and depth == 0 and sign == ('"' if quoted else "}"):
            return mark.start()
    return None


def _left_over(written: str, position: int) -> Fault:
    field = _NEXT_FIELD.match(written, position)
    if field:
        name = shown(field.group(1))
        message = f"the comma before the field '{name}' is missing"
        hint = f"write a comma at the end of the value, before '{name}'"
        return Fault(field.start(1), message, hint)
    message = f"after the value stands '{shown(written[position:], 30)}'"
    hint = "write a comma after the value, join texts with #, and keep comments out of entries"
    return Fault(position, message, hint)


def _faults_inside(written: str) -> list[Fault]:
    faults = []
    field = _FIELD_INSIDE.search(written) if "=" in written else None
    if field:
        message = f"the value holds a field, {field.group(1)!r}: a brace before it is not closed"
        faults.append(Fault(field.start(), message, "close the value before the next field"))
    entry = _ENTRY_INSIDE.search(written) if "@" in written else None
    if entry:
        message = f"the value holds an entry, '{shown(entry.group(), 30)}'"
        faults.append(Fault(entry.start(), message, "close the value before the next entry"))
    return faults


def _past_space(written: str, position: int) -> int:
    found = _SPACE.match(written, position)
    return found.end() if found else position
