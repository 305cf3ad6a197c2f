"""Characters knows which bytes and characters a file of records may hold, and which look alike."""

from __future__ import annotations

import unicodedata

from evidence_matrix.findings import Finding, Severity

LARGEST = 1_000_000  # bytes a file
_MOST_SHOWN = 20  # findings of characters a file; they have one cure
_NOT_UTF8, _TOO_LARGE, _INVISIBLE = "EM001", "EM002", "EM009"
_PLAIN = bytes([*b"\t\n\r", *range(0x20, 0x7F)])
_UNTRUSTED = frozenset({"Cc", "Zl", "Zp"})  # controls, and breaks that not all readers take for one
_HIDDEN = frozenset({*_UNTRUSTED, "Cf", "Co", "Cs"})
_HIDDEN_RANGES = (
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x115F, 0x1160),  # Hangul fillers
    (0x17B4, 0x17B5),  # Khmer inherent vowels
    (0x180B, 0x180F),  # Mongolian variation selectors
    (0x2800, 0x2800),  # blank Braille pattern
    (0x3164, 0x3164),  # Hangul filler
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFFA0, 0xFFA0),  # halfwidth Hangul filler
    (0xFFFE, 0xFFFF),  # not characters
    (0xE0100, 0xE01EF),  # variation selectors
)
_LOOK_LIKE = {
    **str.maketrans("аеорсухіјѕһԁԛԝкмтн", "aeopcyxijshdqwkmth"),  # Cyrillic
    **str.maketrans("АВСЕНІЈКМОРЅТХУ", "ABCEHIJKMOPSTXY"),
    **str.maketrans("αειονρτυχκ", "aeiovptuxk"),  # Greek
    **str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
}


def decode(content: str | bytes, file: str) -> tuple[str | None, list[Finding]]:
    """The text of a file, and what is wrong with its bytes and characters.

    The text is None where nothing that follows could be trusted: too large, not UTF-8, a control
    character, or a line break that not every reader takes for one. A character that only cannot
    be seen is reported, and the text is still returned; a byte order mark is cut off.
    """
    data = content if isinstance(content, bytes) else content.encode(errors="surrogatepass")
    if len(data) > LARGEST:
        message = f"the file has {len(data):,} bytes; at most {LARGEST:,} are read"
        hint = "split it into several files, one a subject or a lab"
        return None, [_error(_TOO_LARGE, file, 0, 0, message, hint)]
    findings = []
    if data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
        message = "the file begins with a byte order mark, U+FEFF"
        hint = "save it as UTF-8 without a byte order mark"
        findings.append(_error(_NOT_UTF8, file, 1, 1, message, hint))
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return None, [*findings, _undecodable(data, error.start, file)]
    rest = data.translate(None, _PLAIN)  # nothing is left of most files, so this is all they cost
    hidden = {char for char in set(rest.decode()) if is_hidden(char)}
    if hidden:
        findings += _hidden_findings(text, hidden, file)
        if any(unicodedata.category(char) in _UNTRUSTED for char in hidden):
            return None, findings
    return text, findings


def is_hidden(char: str) -> bool:
    """Whether a reader cannot see the character: control, bidi, zero width, filler and the like."""
    if char in "\t\n\r":
        return False
    code = ord(char)
    return unicodedata.category(char) in _HIDDEN or any(
        first <= code <= last for first, last in _HIDDEN_RANGES
    )


def lookalike(name: str) -> str | None:
    """The ASCII name that the eye takes `name` for; None if it is ASCII itself or like none."""
    plain = unicodedata.normalize("NFKC", name).translate(_LOOK_LIKE)
    return plain if plain.isascii() and plain != name else None


def called(char: str) -> str:
    """Number and name of a character: `U+202E RIGHT-TO-LEFT OVERRIDE`."""
    return f"U+{ord(char):04X} {unicodedata.name(char, 'control character')}"


def _undecodable(data: bytes, offset: int, file: str) -> Finding:
    line_start = data.rfind(b"\n", 0, offset) + 1
    line = data.count(b"\n", 0, offset) + 1
    column = len(data[line_start:offset].decode()) + 1
    message = f"the byte 0x{data[offset]:02x} at offset {offset:,} (line {line}) is not UTF-8"
    looks_wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    hint = "the file looks like UTF-16: save it as UTF-8" if looks_wide else "save it as UTF-8"
    return _error(_NOT_UTF8, file, line, column, message, hint)


def _hidden_findings(text: str, hidden: set[str], file: str) -> list[Finding]:
    """One finding for each hidden character and line, at the first column, up to a bound."""
    places: list[tuple[int, int, str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        places += [(number, line.index(char) + 1, char) for char in hidden & set(line)]
    places.sort()
    findings = []
    for line_number, column, char in places[:_MOST_SHOWN]:
        code = _NOT_UTF8 if char == "\0" else _INVISIBLE
        message = f"column {column} holds {called(char)}, which a reader cannot see"
        hint = "delete it, or write what it stands for in words"
        findings.append(_error(code, file, line_number, column, message, hint))
    if len(places) > _MOST_SHOWN:
        line_number, column, _ = places[_MOST_SHOWN]
        more = len(places) - _MOST_SHOWN
        message = f"hidden characters stand {more:,} times more from here on"
        hint = "delete them all; they often come with text copied from a page or a PDF"
        findings.append(_error(_INVISIBLE, file, line_number, column, message, hint))
    return findings


def _error(code: str, file: str, line: int, column: int, message: str, hint: str) -> Finding:
    return Finding(code, Severity.ERROR, file, line, column, message, hint)
