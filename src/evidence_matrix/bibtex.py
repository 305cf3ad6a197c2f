"""Sources as BibTeX writes them, read strictly: what bibtexparser lets pass is a finding here."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from bibtexparser import model
from bibtexparser.entrypoint import parse_string
from bibtexparser.middlewares.names import split_multiple_persons_names

from evidence_matrix.findings import Finding, Severity, shown
from evidence_matrix.syntax.bibtex_values import evaluate
from evidence_matrix.syntax.characters import called, decode, lookalike
from evidence_matrix.syntax.places import Lines

logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # its warnings are findings here

_EMPTY, _SYNTAX, _DUPLICATE, _KEY, _LINK = "EM008", "EM301", "EM302", "EM303", "EM304"
_KEY_CHARS = re.compile(r"[A-Za-z0-9._:/-]+")
_FIELD_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_BLOCK_TYPE = re.compile(r"@(\w*)")
_ENTRY_START = re.compile(r"@[A-Za-z]+\s*[{(]")
_LINK_TEXT = re.compile(r"[^\s\\{}<>\"^`|]+")
_AMOUNT = re.compile(r"(?<!\\)\$(?=\d[\d,.]*(?:[KMBT]\b|[\s)]|$))")  # dollars, not mathematics
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_FAILURES = (
    # a part of what the parser says, and what to write instead
    ("Unexpected block start", "close the braces before that line; only an entry begins with @"),
    ("end of file", "close the braces and quotation marks of the entry"),
    ("Expected comma after entry key", "write the key and a comma first: @report{lab-report,"),
    ("Expected a `=`", "write each field as `name = {value},`"),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A bibliography entry as written.

    Attributes:
        key: the citation key.
        type: the entry type in lower case, without `@`.
        fields: text by field name in lower case; joined and without its outer braces, white
            space folded, LaTeX not decoded.
        lines: the line of each field.
        file: path below the root.
        line: where the entry begins.
    """

    key: str
    type: str
    fields: dict[str, str]
    lines: dict[str, int]
    file: str
    line: int


def read_bibtex(text_or_bytes: str | bytes, *, file: str) -> tuple[list[Entry], list[Finding]]:
    """The entries of a BibTeX file, and all that is wrong with how it is written.

    Entries with findings are there as far as they could be read, so that what cites them is not
    blamed too; a link that is not http or https is left out. Of two entries with one key the
    first is there.
    """
    text, findings = decode(text_or_bytes, file)
    if text is None:
        return [], findings
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    reader = _Reader(text, file)
    reader.read(parse_string(text, parse_stack=[]).blocks)
    return reader.entries, findings + reader.findings


def authors(entry: Entry) -> list[str]:
    """The names in `author`, each as written: a name in braces is one name and stays whole."""
    names = (plain(name) for name in split_multiple_persons_names(entry.fields.get("author", "")))
    return ["et al." if name == "others" else name for name in names if name]


def plain(text: str) -> str:
    """The text of a title or name as a reader sees it: LaTeX decoded, braces taken off."""
    guarded = _AMOUNT.sub(r"\\$", text)
    if "\\" in text or guarded.count("$") > guarded.count(r"\$") + 1:
        from pylatexenc.latex2text import LatexNodes2Text  # seldom needed

        guarded = re.sub(r"(?<!\\)%", r"\\%", guarded)
        decoder = LatexNodes2Text(math_mode="text", keep_comments=True)
        text = decoder.latex_to_text(guarded, tolerant_parsing=True)
    for written, read in (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"), ("~", " ")):
        text = text.replace(written, read)
    return " ".join(re.sub(r"[{}]", "", text).split())


class _Reader:
    """Judges the blocks of a file and builds its entries."""

    def __init__(self, text: str, file: str) -> None:
        self.entries: list[Entry] = []
        self.findings: list[Finding] = []
        self._text = text
        self._file = file
        self._lines = Lines(text)
        self._macros: dict[str, str] = {}
        self._keys: dict[str, Entry] = {}

    def read(self, blocks: Iterable[Any]) -> None:
        """Reads the blocks in order; macros first, since they may stand below their use."""
        located = list(self._located(blocks))
        for offset, block in located:
            if isinstance(block, model.String):
                self._macro(offset, block)
        failed = False
        for offset, block in located:
            if isinstance(block, model.Entry):
                self._entry(offset, block)
            elif isinstance(block, model.ExplicitComment):
                self._comment(offset, str(block.raw))
            elif isinstance(block, model.ImplicitComment) and not failed:
                self._loose_text(offset, str(block.raw))
            elif isinstance(block, model.ParsingFailedBlock):
                self._failed(offset, block)
            failed = isinstance(block, model.ParsingFailedBlock)
        if not self._keys and not self.findings:
            self._fault(_EMPTY, 0, "the file holds no source", "write one, or delete the file")

    def _located(self, blocks: Iterable[Any]) -> Iterator[tuple[int, Any]]:
        """Each block with its offset; of a duplicate, the block that it is."""
        end = 0
        for block in blocks:
            start = self._text.index(block.raw, end)
            read = getattr(block, "ignore_error_block", None) or block
            # what is given as the text of a failed block may reach into the next one
            end = start + (1 if isinstance(read, model.ParsingFailedBlock) else len(block.raw))
            yield start, read

    def _macro(self, offset: int, block: Any) -> None:
        self._judge_type(offset, block.raw, "string")
        name = block.key.casefold()
        if name in self._macros:
            message = f"the macro '{shown(block.key)}' is defined twice"
            self._fault(_DUPLICATE, offset, message, "keep one of the definitions")
        start = self._text.index(block.value, offset + block.raw.index("="))
        self._macros[name] = self._value(block.value, start)

    def _entry(self, offset: int, block: Any) -> None:
        before = self._text[self._text.rfind("\n", 0, offset) + 1 : offset]
        if before.strip():
            message = f"an entry begins after '{shown(before.strip(), 20)}' in the same line"
            hint = "begin a line with the entry; to comment one out, take the @ away"
            self._fault(_SYNTAX, offset, message, hint)
        end = self._text.index(block.key, offset + len(block.entry_type) + 2) + len(block.key)
        has_good_key = self._judge_key(end - len(block.key), block.key)
        place = self._lines.place(offset)
        fields, lines = self._fields(block.fields, end)
        entry = Entry(block.key, block.entry_type.lower(), fields, lines, self._file, place.line)
        first = self._keys.setdefault(block.key.casefold(), entry)
        if first is not entry:
            same = first.key == entry.key
            message = f"the key '{shown(entry.key)}' stands in lines {first.line} and {entry.line}"
            message += "" if same else f", there as '{shown(first.key)}'"
            hint = "give each source a key of its own; case alone does not tell two keys apart"
            self._fault(_DUPLICATE, offset, message, hint)
            if same:
                return
        if has_good_key:
            self.entries.append(entry)

    def _fields(self, written: Iterable[Any], end: int) -> tuple[dict[str, str], dict[str, int]]:
        fields: dict[str, str] = {}
        lines: dict[str, int] = {}
        for field in written:
            start = self._text.index(field.key, end)
            value_start = self._text.index(field.value, start + len(field.key))
            end = value_start + len(field.value)
            name = field.key.casefold()
            line = self._lines.place(start).line
            if not _FIELD_NAME.fullmatch(name):
                message = f"'{shown(field.key)}' is not the name of a field"
                hint = "write `name = {value},`; comments cannot stand inside an entry"
                self._fault(_SYNTAX, start, message, hint)
            elif name in fields:
                message = f"the field '{shown(name)}' stands in lines {lines[name]} and {line}"
                self._fault(
                    _DUPLICATE, start, message, "keep one of them; neither is taken as it is"
                )
            else:
                value = self._value(field.value, value_start)
                lines[name] = line
                if self._is_safe(name, value.strip(), value_start):
                    fields[name] = " ".join(value.split())
        return fields, lines

    def _value(self, written: str, start: int) -> str:
        value, faults = evaluate(written, self._macros)
        for fault in faults:
            self._fault(_SYNTAX, start + fault.offset, fault.message, fault.hint)
        return value

    def _is_safe(self, name: str, value: str, start: int) -> bool:
        """Whether the value may be made into a link, where the field is one."""
        if name == "url":
            message = f"the link '{shown(value)}' is not one to an http or https address"
            hint = "write the whole address, https://…, as it is: without spaces, braces or LaTeX"
            safe = _is_web_address(value)
        elif name == "doi":
            message = f"'{shown(value)}' is not a DOI"
            hint = "write it from 10. on, without https://doi.org/ before it"
            safe = _DOI.fullmatch(value) is not None
        else:
            return True
        if not safe:
            self._fault(_LINK, start, message, hint)
        return safe

    def _judge_key(self, offset: int, key: str) -> bool:
        odd = _KEY_CHARS.sub("", key)
        if not key:
            message, hint = (
                "the entry has no key",
                "write one after the brace: @report{lab-report,",
            )
        elif odd:
            like = lookalike(key)
            message = f"the key '{shown(key)}' holds {called(odd[0])}"
            message += f" and looks like '{shown(like)}'" if like else ""
            hint = "use the letters A to Z, digits and . _ : / - only"
        elif any(part in ("", ".", "..") for part in key.split("/")):
            message = f"the key '{shown(key)}' reads like a path"
            hint = "write names between the slashes; a receipt is stored under the key"
        else:
            return True
        self._fault(_KEY, offset, message, hint)
        return False

    def _comment(self, offset: int, raw: str) -> None:
        self._judge_type(offset, raw, "comment")
        inside = _ENTRY_START.search(raw, 1)
        if inside:
            message = "a comment holds an entry, which other readers take for a source"
            hint = "delete it, or take it out of the comment"
            self._fault(_SYNTAX, offset + inside.start(), message, hint)

    def _judge_type(self, offset: int, raw: str, expected: str) -> None:
        found = _BLOCK_TYPE.match(raw)
        if found and found.group(1).lower() != expected:
            message = f"@{shown(found.group(1), 30)} would be read as @{expected}"
            self._fault(_SYNTAX, offset, message, f"write @{expected}, or another entry type")

    def _loose_text(self, offset: int, raw: str) -> None:
        for line in raw.splitlines(keepends=True):
            text = line.strip()
            if text and not text.startswith("%"):
                message = f"the text '{shown(text, 30)}' stands outside of all entries"
                hint = "begin a comment with %, an entry with @type{key, and close braces once"
                self._fault(_SYNTAX, offset, message, hint)
                return
            offset += len(line)

    def _failed(self, offset: int, block: Any) -> None:
        rest = self._text[offset + len(block.raw) :]
        stopped = len(self._text) - len(rest.lstrip()) if rest.strip() else len(self._text)
        line = self._lines.place(stopped).line
        reason = str(getattr(block.error, "abort_reason", block.error))
        message = f"the entry cannot be read beyond line {line}: {shown(reason, 120).strip()}"
        otherwise = "write @type{key, name = {value}, name = {value}}"
        hint = next((hint for part, hint in _FAILURES if part in reason), otherwise)
        self._fault(_SYNTAX, offset, message, hint)

    def _fault(self, code: str, offset: int, message: str, hint: str) -> None:
        line, column = self._lines.place(offset)
        self.findings.append(Finding(code, Severity.ERROR, self._file, line, column, message, hint))


def _is_web_address(text: str) -> bool:
    if not _LINK_TEXT.fullmatch(text) or not re.match(r"https?://", text, re.IGNORECASE):
        return False
    try:
        return bool(urlsplit(text).hostname)
    except ValueError:
        return False
