"""How text is read: one fold for sources and fragments alike, and markup as a reader sees it."""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

_SAME = {
    "'": "‘’‚‛′ʼ´`＇",
    '"': "“”„‟″«»〝〞",
    "-": "‐‑‒–—―−﹘﹣－⁃",
    "~": "∼˜～〜",
    "≤": "⩽≦",
    "≥": "⩾≧",
    "oe": "œ",
    "OE": "Œ",
    "ae": "æ",
    "AE": "Æ",
}
_TABLE = str.maketrans({alike: sign for sign, all_alike in _SAME.items() for alike in all_alike})
_HYPHEN_MARKS = "\x02\ufffe\ufffd"
_LOST_HYPHEN = re.compile(
    rf"(?<=[^\W_])[{_HYPHEN_MARKS}]\s*(?=[0-9])|(?<=[a-z0-9])[{_HYPHEN_MARKS}]\s*(?=[A-Z])"
)
_SUPERSCRIPTS = re.compile("[⁰¹²³⁴-⁹⁺⁻]+")
_FRACTIONS = re.compile("[¼-¾⅐-⅞]")
_DROPPED = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u180b-\u180e"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\ud800-\udfff\ue000-\uf8ff\ufe00-\ufe0f\ufeff"
    "\ufff0-\uffff\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)


def _fold_line(line: str) -> str:
    if not (line.isascii() and line.isprintable()):
        line = _LOST_HYPHEN.sub("-", line)
        line = _SUPERSCRIPTS.sub(lambda run: "^" + run[0], line)
        line = _FRACTIONS.sub(lambda sign: " " + sign[0], line)
        line = unicodedata.normalize("NFKC", _DROPPED.sub("", line.translate(_TABLE)))
        line = line.translate(_TABLE).replace("⁄", "/")
    elif "`" in line:
        line = line.replace("`", "'")
    if "''" in line:
        line = line.replace("''", '"')
    return " ".join(line.split())


def _joint(line: str, following: str) -> str:
    """What stands between two lines: a space, or nothing where a hyphen broke a word."""
    if not line.endswith("-") or len(line) < 2 or not line[-2].isalnum():
        return " "
    return "" if following[0].isalnum() else " "


@dataclass(frozen=True, slots=True)
class Folded:
    """Folded text as one line, with the offsets at which its lines and its pages begin."""

    text: str
    lines: tuple[int, ...]
    pages: tuple[int, ...]

    def line_of(self, offset: int) -> int:
        """The line of the original, counted from 1 over all pages, that holds an offset."""
        return bisect_right(self.lines, offset)

    def page_of(self, offset: int) -> int:
        """The page, counted from 1, that holds an offset."""
        return bisect_right(self.pages, offset)

    def span_of_lines(self, first: int, last: int) -> tuple[int, int]:
        """Where the lines `first` to `last` begin and end; empty where there are none."""
        return _span(self.lines, first, last, len(self.text))

    def span_of_pages(self, first: int, last: int) -> tuple[int, int]:
        """Where the pages `first` to `last` begin and end; empty where there are none."""
        return _span(self.pages, first, last, len(self.text))


def _span(starts: Sequence[int], first: int, last: int, length: int) -> tuple[int, int]:
    if not 1 <= first <= min(last, len(starts)):
        return length, length
    return starts[first - 1], starts[last] if last < len(starts) else length


def fold_pages(pages: Sequence[str]) -> Folded:
    """Folds the pages of a document into one text; a word broken over lines is joined again."""
    parts: list[str] = []
    lines: list[int] = []
    begins: list[int] = []
    length = 0
    previous = ""
    for page in pages:
        begins.append(len(lines))
        for line in page.replace("\r\n", "\n").split("\n"):
            folded = _fold_line(line)
            if folded and previous:
                joint = _joint(previous, folded)
                if not joint and previous[-2].isalpha() and folded[0].islower():
                    parts[-1] = previous[:-1]
                    _step_back(lines, length)
                    length -= 1
                if joint:
                    parts.append(joint)
                    length += 1
            lines.append(length)
            if folded:
                parts.append(folded)
                length += len(folded)
                previous = folded
    return Folded("".join(parts), tuple(lines), tuple(lines[first] for first in begins))


def _step_back(starts: list[int], length: int) -> None:
    """Moves the starts of empty lines after a hyphen that was taken out again."""
    at = len(starts) - 1
    while at >= 0 and starts[at] == length:
        starts[at] -= 1
        at -= 1


def fold(text: str) -> str:
    """The one normalization: NFKC, ligatures, dashes, quotes, hyphenation, controls and spaces.

    Superscript digits become `^` and digits, so that 10²⁵ is never 1025. Letter case is kept.
    """
    return _fold_line(text) if "\n" not in text else fold_pages([text]).text


_BLANKED = re.compile(r"<!--.*?-->|<(script|style)\b[^<>]*>.*?</\1\s*>", re.S | re.I)
_GAP = r"(?:[ \t]+|[ \t]*\n[ \t]*(?!\n))"  # no tag runs on after an empty line
_VALUE = r"""(?:"[^"\n]*"|'[^'\n]*'|[^\s"'=<>`]+)"""
_ATTRIBUTES = rf"(?:{_GAP}[a-zA-Z_:@][\w:.-]*(?:[ \t]*=[ \t]*{_VALUE})?)*{_GAP}?/?"
_RAISED = re.compile(r"<sup>[ \t]*(?=[-−+]?[0-9])", re.I)
_BREAKING = re.compile(
    r"</?(?:td|th|tr|br|p|div|li|ul|ol|h[1-6]|table|tbody|thead|hr|dd|dt|summary|details)"
    rf"{_ATTRIBUTES}>",
    re.I,
)
_TAG = re.compile(rf"</?[a-zA-Z][a-zA-Z0-9-]*{_ATTRIBUTES}>")
_IMAGE_OR_LINK = re.compile(
    r"!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\](?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*"
    r"(?:[ \t]+\"[^\"]*\")?\)|\[[^\[\]]*\])"
)
_AUTOLINK = re.compile(r"<((?:https?|mailto):[^<>\s]+)>")
_BLOCK_MARK = re.compile(
    r"^[ \t]*(?:>[ \t]?)*(?:#{1,6}[ \t]+|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?)?", re.M
)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^`\n]*$|^[ \t|:-]+$", re.M)
_STRONG = re.compile(r"\*\*|(?<!\w)__(?=\S)|(?<=\S)__(?!\w)|`+|~~")
_EMPHASIS = re.compile(
    r"(?<![\w*])\*(?=[^\s*])([^*\n]*?)(?<=[^\s*])\*(?![\w*])"
    r"|(?<!\w)_(?=[^\s_])([^_\n]*?)(?<=[^\s_])_(?!\w)"
)
_MATH = re.compile(r"(?<![\\$\w])\$\$?(?=\S)([^$\n]*?)(?<=[^\s\\])\$\$?(?![0-9])")
_COMMANDS = {
    "times": "×",
    "sim": "~",
    "approx": "≈",
    "leq": "≤",
    "le": "≤",
    "geq": "≥",
    "ge": "≥",
    "pm": "±",
    "cdot": "·",
    "to": "→",
    "rightarrow": "→",
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ε",
    "varepsilon": "ε",
    "lambda": "λ",
    "tau": "τ",
    "theta": "θ",
    "mu": "μ",
    "pi": "π",
    "sigma": "σ",
    "eta": "η",
    "rho": "ρ",
    "infty": "∞",
    "quad": " ",
    "qquad": " ",
    "ldots": "...",
    "dots": "...",
    "log": "log",
    "exp": "exp",
}
_COMMAND = re.compile(r"\\([a-zA-Z]+)[ ]?")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_BRACES = re.compile(r"([\^_]?)\{([^{}]*)\}")


def _formula(source: str) -> str:
    text = _COMMAND.sub(lambda found: _COMMANDS.get(found[1], ""), source)
    text = text.replace("\\,", " ").replace("\\;", " ").replace("\\ ", " ")
    while (bare := _BRACES.sub(lambda found: found[1].replace("_", "") + found[2], text)) != text:
        text = bare
    return re.sub(r"\^(?![-−+]?\d)|_(?=[^\W\d])", "", text)


def _without_tags(source: str) -> str:
    source = _BLANKED.sub(lambda found: "\n" * found[0].count("\n"), source)
    source = _RAISED.sub("^", source)
    source = _BREAKING.sub(lambda found: " " + "\n" * found[0].count("\n"), source)
    return _TAG.sub(lambda found: "\n" * found[0].count("\n"), source)


def plain(source: str, media: str) -> str:
    """Text as a reader reads it, without the markup of its medium; lines stay where they are.

    Markdown and the HTML inside it lose their marks, JSON its escapes. Text of other media types
    comes back as it is: HTML is parsed where it is extracted.
    """
    if media == "application/json":
        return _JSON_ESCAPE.sub(_unescaped, source)
    if media != "text/markdown":
        return source
    text = _FENCE.sub("", source)
    text = _AUTOLINK.sub(r"\1", text)
    text = _without_tags(text)
    text = _BLOCK_MARK.sub("", text)
    for _ in range(3):
        text = _IMAGE_OR_LINK.sub(r"\1", text)
    text = _MATH.sub(lambda found: _formula(found[1]), text)
    text = _STRONG.sub("", text)
    text = _EMPHASIS.sub(lambda found: found[1] or found[2] or "", text)
    text = _ESCAPE.sub(r"\1", text).replace("|", " ")
    return _ENTITY.sub(lambda found: html.unescape(found[0]).replace("\n", " "), text)


_JSON_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|([bfnrt])|(["\\/]))')
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});", re.I)


def _unescaped(found: re.Match[str]) -> str:
    code, control, sign = found.groups()
    if code:
        return chr(int(code, 16)).replace("\n", " ")
    return " " if control else str(sign)
