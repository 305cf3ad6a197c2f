"""Drawings: marks with places and words, laid out when the site is built, and how wide text is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from evidence_matrix.pages.composer import View

# Shares of the type size; measured on Source Sans 3, and wide enough for the fonts that stand in.
_NARROW = frozenset("iljtfr.,:;'|!()[]-/ ·")
_WIDE = frozenset("mwMW@%—")
_CAPITALS = frozenset("ABCDEFGHKLNOPQRSTUVXYZ&")


def text_width(text: str, size: float, bold: bool = False) -> float:
    """How wide a text is, in the unit of `size`, to about a tenth."""
    total = 0.0
    for letter in text:
        if letter in _NARROW:
            total += 0.29
        elif letter in _WIDE:
            total += 0.82
        elif letter in _CAPITALS:
            total += 0.6
        else:
            total += 0.51
    return total * size * (1.05 if bold else 1.0)


def wrapped(text: str, width: float, size: float, most: int = 99) -> list[str]:
    """A text in lines no wider than `width`; what does not fit in `most` lines ends in `…`.

    A word that is wider than a line is cut where it has to be.
    """
    lines: list[str] = []
    line = ""
    for word in _pieces(text, width, size):
        longer = f"{line} {word}" if line else word
        if line and text_width(longer, size) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    if line:
        lines.append(line)
    if len(lines) > most:
        lines = lines[:most]
        while lines[-1] and text_width(lines[-1] + "…", size) > width:
            lines[-1] = lines[-1][:-1]
        lines[-1] = lines[-1].rstrip(" ,;:") + "…"
    return lines


def _pieces(text: str, width: float, size: float) -> Iterable[str]:
    for word in text.split():
        rest = word
        while text_width(rest, size) > width and len(rest) > 1:
            cut = len(rest) - 1
            while cut > 1 and text_width(rest[:cut], size) > width:
                cut -= 1
            yield rest[:cut]
            rest = rest[cut:]
        yield rest


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text: where its baseline starts (or ends, or has its middle), and its style."""

    x: float
    y: float
    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Shape:
    """A rectangle (x, y, width, height, radius) or a path with its own data."""

    style: str
    x: float = 0
    y: float = 0
    width: float = 0
    height: float = 0
    radius: float = 0
    path: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """Shapes and words that belong together; a link where it stands for a claim or a subject.

    Attributes:
        href: what it opens; "" draws it without a link.
        words: what it says in full: the tooltip.
        style: a label's letter, or the name of a style.
        since: ISO day from which it holds; "" always.
    """

    shapes: Sequence[Shape] = ()
    texts: Sequence[Words] = ()
    href: str = ""
    words: str = ""
    style: str = ""
    since: str = ""


def arrow(points: Sequence[tuple[float, float]]) -> Mark:
    """A line through points with a head at the last; points that repeat are passed over."""
    kept = [points[0]]
    for point in points[1:]:
        if abs(point[0] - kept[-1][0]) + abs(point[1] - kept[-1][1]) > 0.5:
            kept.append(point)
    if len(kept) < 2:
        return Mark()
    (x1, y1), (x2, y2) = kept[-2:]
    length = max(abs(x2 - x1), abs(y2 - y1))
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    line = "L".join(f"{short(x)} {short(y)}" for x, y in kept)
    left = f"{short(x2 - 8 * dx - 5 * dy)} {short(y2 - 8 * dy + 5 * dx)}"
    right = f"{short(x2 - 8 * dx + 5 * dy)} {short(y2 - 8 * dy - 5 * dx)}"
    return Mark([Shape("arrow", path=f"M{line}M{left}L{short(x2)} {short(y2)}L{right}")])


@dataclass(slots=True)
class Drawing:
    """A sheet on which marks are put; grows as they are added.

    Attributes:
        width, height: in pixels at which it is drawn.
        form: "wide", "narrow" (for phones), or "" for the only one.
    """

    width: float
    height: float = 0
    form: str = ""
    marks: list[Mark] = field(default_factory=list)

    def add(self, mark: Mark) -> None:
        """Put a mark on the sheet."""
        self.marks.append(mark)

    def view(self) -> View:
        """The drawing as templates take it, with numbers as short as they can be."""
        return {
            "width": short(self.width),
            "height": short(self.height),
            "form": self.form,
            "marks": [_mark(mark) for mark in self.marks],
        }


def _mark(mark: Mark) -> View:
    return {
        "href": mark.href,
        "words": mark.words,
        "style": mark.style,
        "since": mark.since,
        "shapes": [
            {
                "style": shape.style,
                "path": shape.path,
                "x": short(shape.x),
                "y": short(shape.y),
                "width": short(shape.width),
                "height": short(shape.height),
                "radius": short(shape.radius),
            }
            for shape in mark.shapes
        ],
        "texts": [
            {"x": short(text.x), "y": short(text.y), "text": text.text, "style": text.style}
            for text in mark.texts
        ],
    }


def short(number: float) -> str:
    """A number as text with one decimal at most."""
    return f"{number:.1f}".removesuffix(".0")
