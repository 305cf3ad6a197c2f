"""A finding is one fault at one place, what to write instead, and how it is printed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum

_SHOWN_LIMIT = 60
_GITHUB_LIMIT = 10


class Severity(StrEnum):
    """How bad a finding is: an error fails the run, a warning is only told."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault; `line` and `column` count from 1, and 0 means that there is no such place."""

    code: str
    severity: Severity
    file: str
    line: int
    column: int
    message: str
    hint: str


def shown(text: str, limit: int = _SHOWN_LIMIT) -> str:
    """Text from a file as a message may hold it: one line, nothing invisible, at most `limit`."""
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    if cut.isprintable():
        return cut
    return "".join(char if char.isprintable() else _escaped(char) for char in cut)


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """The findings by file, line and column; those of one place keep a fixed order too."""
    return sorted(
        findings,
        key=lambda f: (f.file, f.line, f.column, f.code, f.message, f.hint, f.severity),
    )


def counted(findings: Iterable[Finding]) -> str:
    """How many errors and warnings there are, in words: `2 errors, 1 warning`."""
    severities = [finding.severity for finding in findings]
    parts = []
    for severity in Severity:
        count = severities.count(severity)
        if count:
            parts.append(f"{count} {severity}{'s' if count > 1 else ''}")
    return ", ".join(parts) or "no findings"


def to_text(findings: Iterable[Finding]) -> str:
    """Two lines a finding, `file:line:column: CODE message` and the hint; empty if there is none.

    Characters that are not printable are escaped, so that a file under review can neither move
    the cursor nor turn the text round.
    """
    return "".join(f"{_headline(f)}\n  hint: {_one_line(f.hint)}\n" for f in in_order(findings))


def to_json(findings: Iterable[Finding]) -> str:
    """A JSON array of objects with the fields of `Finding`, in ASCII."""
    rows = [asdict(finding) for finding in in_order(findings)]
    return json.dumps(rows, indent=2) + "\n"


def to_github(findings: Iterable[Finding]) -> str:
    """The log and the annotations of a GitHub workflow step, and how many findings there are.

    GitHub shows 10 annotations of each severity and step, so the log says everything first. It
    stands between `stop-commands` lines, so that text quoted from a file is never run as a
    workflow command; the token is a digest of the log, which therefore cannot hold it.
    """
    ordered = in_order(findings)
    log = to_text(ordered)
    token = hashlib.sha256(log.encode()).hexdigest()
    lines = [f"::stop-commands::{token}\n{log}::{token}::"] if ordered else []
    lines += [_annotation(finding) for finding in ordered]
    last = counted(ordered)
    if len(ordered) > _GITHUB_LIMIT:
        last += f"; GitHub shows {_GITHUB_LIMIT} of a kind as annotations, this log has them all"
    return "\n".join([*lines, last]) + "\n"


def _headline(finding: Finding) -> str:
    places = [str(place) for place in (finding.line, finding.column) if place]
    where = ":".join([_one_line(finding.file), *places])
    kind = "warning: " if finding.severity is Severity.WARNING else ""
    return f"{where}: {finding.code} {kind}{_one_line(finding.message)}"


def _annotation(finding: Finding) -> str:
    properties = {"file": finding.file, "title": finding.code}
    if finding.line:
        properties["line"] = str(finding.line)
    if finding.line and finding.column:
        properties["col"] = str(finding.column)
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    text = f"{_one_line(finding.message)}\n{_one_line(finding.hint)}"
    return f"::{finding.severity} {listed}::{_data(text)}"


def _data(text: str) -> str:
    writable = text.encode(errors="backslashreplace").decode()  # file names may hold stray bytes
    return writable.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _one_line(text: str) -> str:
    return shown(text, limit=max(len(text), 1))


def _escaped(char: str) -> str:
    code = ord(char)
    if code > 0xFFFF:
        return f"\\U{code:08x}"
    return f"\\u{code:04x}" if code > 0xFF else f"\\x{code:02x}"
