"""YAML read with every scalar as text and with the line and column of every key and value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from sys import intern
from typing import Any, NoReturn, TypeAlias

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
)

from evidence_matrix.findings import Finding, Severity, shown
from evidence_matrix.syntax.characters import called, decode, is_hidden, lookalike
from evidence_matrix.syntax.places import Lines, Place, PlacesByKey
from evidence_matrix.syntax.yaml_syntax import syntax_finding

__all__ = ["Entries", "Items", "Place", "read_yaml"]

_Parser: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # libyaml where PyYAML has it
_DEEPEST = 20
_MOST_FAULTS = 100  # of one file; so many have one cause
_NULLS = frozenset({"", "~", "null"})
_ODD_KEYS = frozenset({"", "<<"})
_TAB = re.compile(r"^ *\t", re.MULTILINE)
_SYNTAX, _DUPLICATE, _NOT_PLAIN = "EM003", "EM004", "EM005"
_DOCUMENTS, _TOO_DEEP, _EMPTY, _HIDDEN = "EM006", "EM007", "EM008", "EM009"


class Entries(dict[str, Any]):
    """A YAML mapping: text, None, `Entries` or `Items` by key, and where each of them stands.

    It is not changed once it is read: the offsets are in the order of the keys.
    """

    __slots__ = ("_key_offsets", "_lines", "_offset", "_value_offsets")

    def __init__(self, lines: Lines, offset: int) -> None:
        self._lines = lines
        self._offset = offset
        self._key_offsets: list[int] = []
        self._value_offsets: list[int] = []

    @property
    def place(self) -> Place:
        """Where the mapping begins."""
        return self._lines.place(self._offset)

    @property
    def keys_at(self) -> Mapping[str, Place]:
        """Where each key stands."""
        return PlacesByKey(self._lines, dict(zip(self, self._key_offsets, strict=True)))

    @property
    def values_at(self) -> Mapping[str, Place]:
        """Where each value begins."""
        return PlacesByKey(self._lines, dict(zip(self, self._value_offsets, strict=True)))


class Items(list[Any]):
    """A YAML list of text, None, `Entries` or `Items`, and where each of them stands."""

    __slots__ = ("_lines", "_offset", "_offsets")

    def __init__(self, lines: Lines, offset: int) -> None:
        self._lines = lines
        self._offset = offset
        self._offsets: list[int] = []

    @property
    def place(self) -> Place:
        """Where the list begins."""
        return self._lines.place(self._offset)

    @property
    def places(self) -> list[Place]:
        """Where each item begins."""
        return [self._lines.place(offset) for offset in self._offsets]


Node: TypeAlias = Entries | Items | str | None


def read_yaml(
    text_or_bytes: str | bytes, *, file: str
) -> tuple[Entries | Items | None, list[Finding]]:
    """The one document of a YAML file, and all that is wrong with how it is written.

    Failsafe: scalars are text as written, quoted or not; only a plain `null`, `~` or nothing is
    None. The document is None where its structure cannot be trusted; it is there beside findings
    that concern single characters only. `file` is the path that findings name.
    """
    text, findings = decode(text_or_bytes, file)
    if text is None:
        return None, findings
    reader = _Reader(text, file)
    document = None
    try:
        whole = reader.document()
        if not reader.findings:
            document = whole
            if "\\" in text or not text.isascii():
                reader.look_at_characters(document)
    except yaml.YAMLError as error:
        reader.findings.append(syntax_finding(error, file))
    except _StoppedError:
        pass  # the reason is among the findings
    return document, findings + reader.findings


class _StoppedError(Exception):
    """Nothing that stands further down in the file could be trusted."""


class _Reader:
    """Builds a document from parser events; one method call a collection, for speed."""

    def __init__(self, text: str, file: str) -> None:
        self.findings: list[Finding] = []
        self._file = file
        self._lines = Lines(text)
        self._text = text

    def document(self) -> Entries | Items:
        tab = _TAB.search(self._text) if "\t" in self._text else None
        if tab:
            hint = "indent with spaces, two a level"
            self._stop(_SYNTAX, tab.end() - 1, "a tab cannot indent YAML", hint)
        self._next: Any = _Parser(self._text).get_event
        self._next()  # the stream starts
        started = self._next()
        root: Any = self._next() if type(started) is DocumentStartEvent else None
        if root is None or self._is_null(root):
            self._stop(_EMPTY, 0, "the file holds no record", "write one, or delete the file")
        document = self._node(root, 0)
        if not isinstance(document, Entries | Items):
            message = f"the file holds the text '{shown(str(document))}' and no record"
            self._stop(_SYNTAX, root.start_mark.index, message, "write `key: value` lines")
        self._next()  # the document ends
        after: Any = self._next()
        second = after.start_mark.index
        if type(after) is DocumentStartEvent:
            message = "a second document begins here"
            hint = "delete the `---`, or move what follows into a file of its own"
            self._stop(_DOCUMENTS, second, message, hint)
        return document

    def look_at_characters(self, node: Entries | Items) -> None:
        """Finds keys of mixed scripts, and hidden characters that stand there as escapes."""
        if isinstance(node, Entries):
            for key, offset in zip(node, node._key_offsets, strict=True):
                self._judge_scripts(key, offset)
                self._judge_escapes(key, offset)
            children = zip(node.values(), node._value_offsets, strict=True)
        else:
            children = zip(node, node._offsets, strict=True)
        for child, offset in children:
            if isinstance(child, str):
                self._judge_escapes(child, offset)
            elif child is not None:
                self.look_at_characters(child)

    def _mapping(self, start: int, depth: int) -> Entries:
        entries = Entries(self._lines, start)
        key_offsets, value_offsets = entries._key_offsets, entries._value_offsets
        next_event = self._next
        while True:
            event = next_event()
            kind = type(event)
            if kind is MappingEndEvent:
                return entries
            if (
                kind is not ScalarEvent
                or (key := intern(event.value)) in entries
                or key in _ODD_KEYS
                or event.anchor is not None
                or event.tag is not None
            ):
                self._judge_key(event, entries, depth)
                self._node(next_event(), depth)
                continue
            key_offsets.append(event.start_mark.index)
            event = next_event()
            value_offsets.append(event.start_mark.index)
            if type(event) is ScalarEvent and event.anchor is None and event.tag is None:
                text = event.value
                entries[key] = None if text in _NULLS and not event.style else text
            else:
                entries[key] = self._node(event, depth)

    def _sequence(self, start: int, depth: int) -> Items:
        items = Items(self._lines, start)
        offsets = items._offsets
        next_event = self._next
        while True:
            event = next_event()
            kind = type(event)
            if kind is SequenceEndEvent:
                return items
            offsets.append(event.start_mark.index)
            if kind is ScalarEvent and event.anchor is None and event.tag is None:
                text = event.value
                items.append(None if text in _NULLS and not event.style else text)
            else:
                items.append(self._node(event, depth))

    def _node(self, event: Any, depth: int) -> Node:
        """What begins with the event, `depth` collections deep; takes all events of it."""
        start = event.start_mark.index
        if event.anchor is not None:
            self._judge_anchor(event, start)
        if type(event) is AliasEvent:
            return None
        if event.tag is not None:
            message = f"the tag '{shown(event.tag)}' cannot stand in a record"
            hint = "delete the tag: every value is text; quote a text that begins with !"
            self._fault(_NOT_PLAIN, start, message, hint)
        if type(event) is ScalarEvent:
            return None if self._is_null(event) else str(event.value)
        if depth == _DEEPEST:
            message = f"lists and mappings are nested more than {_DEEPEST} deep"
            self._stop(_TOO_DEEP, start, message, "close a bracket, or write the record flatter")
        if type(event) is MappingStartEvent:
            return self._mapping(start, depth + 1)
        return self._sequence(start, depth + 1)

    def _judge_key(self, event: Any, entries: Entries, depth: int) -> None:
        start = event.start_mark.index
        if type(event) is not ScalarEvent:
            if type(event) is not AliasEvent:
                message = "a key is a list or a mapping, not text"
                self._fault(_SYNTAX, start, message, "write a name as the key, or quote the text")
            self._node(event, depth)
        elif event.value in entries:
            first = entries.keys_at[event.value].line
            again = self._lines.place(start).line
            message = f"the key '{shown(event.value)}' stands twice, in lines {first} and {again}"
            hint = "keep one of the two; neither is taken as it is"
            self._fault(_DUPLICATE, start, message, hint)
        elif event.value == "<<":
            message = "the merge key << cannot stand in a record"
            self._fault(_NOT_PLAIN, start, message, "write the keys out where they belong")
        elif event.value == "":
            self._fault(_SYNTAX, start, "a key is empty", "write a name before the colon")
        else:
            self._node(event, depth)

    def _judge_anchor(self, event: Any, start: int) -> None:
        name = shown(event.anchor, 30)
        if type(event) is AliasEvent:
            message, hint = f"the alias *{name} cannot stand in a record", "write the value out"
        else:
            message = f"the anchor &{name} cannot stand in a record"
            hint = "delete the anchor, and write values out where they belong"
        line = self._lines.place(start).line
        if not any(f.code == _NOT_PLAIN and f.line == line for f in self.findings):
            self._fault(_NOT_PLAIN, start, message, f"{hint}; quote a text that begins so")

    def _judge_scripts(self, key: str, offset: int) -> None:
        letters = [char for char in key if char.isalpha()]
        odd = [char for char in letters if not char.isascii()]
        if odd and len(odd) < len(letters):
            plain = lookalike(key)
            message = f"the key '{shown(key)}' mixes scripts: it holds {called(odd[0])}"
            message += f" and looks like '{shown(plain)}'" if plain else ""
            hint = f"write '{shown(plain)}' in ASCII letters" if plain else "use ASCII letters"
            self._fault(_HIDDEN, offset, message, hint)

    def _judge_escapes(self, text: str, offset: int) -> None:
        for char in sorted(set(text)):
            if is_hidden(char) and char not in self._text:
                message = f"the text holds {called(char)}, written as an escape"
                hint = "delete the escape, or write what it stands for in words"
                self._fault(_HIDDEN, offset, message, hint)

    def _fault(self, code: str, offset: int, message: str, hint: str) -> None:
        line, column = self._lines.place(offset)
        finding = Finding(code, Severity.ERROR, self._file, line, column, message, hint)
        self.findings.append(finding)
        if len(self.findings) == _MOST_FAULTS:
            message = f"the file has {_MOST_FAULTS} faults, and what follows is not read"
            hint = "mend these first; so many often have one cause"
            finding = Finding(_SYNTAX, Severity.ERROR, self._file, line, column, message, hint)
            self.findings.append(finding)
            raise _StoppedError

    def _stop(self, code: str, offset: int, message: str, hint: str) -> NoReturn:
        self._fault(code, offset, message, hint)
        raise _StoppedError

    @staticmethod
    def _is_null(event: Any) -> bool:
        return type(event) is ScalarEvent and event.value in _NULLS and not event.style
