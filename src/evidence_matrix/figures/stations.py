"""Stations: boxes of claims that stand in a line, a loop or a stack, for wide pages and phones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from evidence_matrix.figures.drawing import Drawing, Mark, Shape, Words, arrow, text_width, wrapped

Form = Literal["line", "loop", "stack"]

WIDE = 1160.0  # pixels; pages without sidebars have a little more
NARROW = 344.0  # pixels; a phone has a little more
PAD = 12.0
GUTTER = 44.0  # between two boxes, where an arrow has room
LINE = 17.0  # from one line of text to the next
TYPE, SMALL, HEAD = 13.0, 12.5, 15.0
BADGE = 17.0
COLUMN = 300.0  # of claims within a box
AIR = 5.0  # between a box and an arrow
MARGIN = 6.0  # around the whole, so that outlines are whole


@dataclass(frozen=True, slots=True)
class Item:
    """A claim in a station: whose it is, what it says, and its label."""

    who: str
    text: str
    label: str
    href: str
    words: str
    since: str


@dataclass(frozen=True, slots=True)
class Station:
    """A box: its title, what happens there, its claims, and how many more there are.

    Attributes:
        rest: words for claims that are left out; "" for none.
        rest_href: where they stand.
        aside: in a stack, whether it lies around the layers and not among them.
    """

    title: str
    note: str
    items: tuple[Item, ...]
    rest: str = ""
    rest_href: str = ""
    aside: bool = False


def draw(stations: Sequence[Station], form: Form, width: float) -> Drawing:
    """The stations on a sheet of this width."""
    sheet = Drawing(width, form="wide" if width > 600 else "narrow")
    if form == "stack":
        _stack(sheet, stations)
    else:
        _rows(sheet, stations, form)
    return sheet


@dataclass(frozen=True, slots=True)
class _Box:
    """Where a station stands."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        return self.x + self.width / 2

    @property
    def door(self) -> float:
        """Height at which arrows come in and go out: that of the title."""
        return self.y + PAD + 9

    @property
    def end(self) -> float:
        return self.y + self.height


def _rows(sheet: Drawing, stations: Sequence[Station], form: Form) -> None:
    """Boxes in rows with arrows; a loop turns back in its second row and closes."""
    inner = sheet.width - 2 * MARGIN
    columns = 1 if sheet.form == "narrow" else _columns(len(stations), form)
    back = 22.0 if form == "loop" and columns == 1 else 0.0
    gutter = GUTTER if columns > 1 else 0.0
    width = (inner - back - gutter * (columns - 1)) / columns
    boxes: list[_Box] = []
    y = MARGIN
    for start in range(0, len(stations), columns):
        row = stations[start : start + columns]
        height = max(_height(station, width) for station in row)
        for place in range(len(row)):
            turned = form == "loop" and (start // columns) % 2 == 1
            slot = columns - 1 - place if turned else place
            x = MARGIN + back + slot * (width + gutter)
            boxes.append(_Box(x, y, width, _height(row[place], width)))
        y += height + GUTTER
    sheet.height = y - GUTTER + MARGIN
    for one, other in pairwise(boxes):
        sheet.add(_between(one, other))
    if form == "loop" and len(boxes) > 2:
        sheet.add(_closing(boxes[-1], boxes[0], columns))
    for number, (station, box) in enumerate(zip(stations, boxes, strict=True), start=1):
        _station(sheet, station, box, number)


def _columns(count: int, form: Form) -> int:
    if form == "loop":
        return max(2, (count + 1) // 2)
    return count if count < 3 else (3 if count in (3, 5, 6, 9) else 4)


def _between(one: _Box, other: _Box) -> Mark:
    """From one box to the next: along a row, or down into the row below."""
    if abs(one.y - other.y) < 1:
        if other.x > one.x:
            return arrow([(one.x + one.width + AIR, one.door), (other.x - AIR, one.door)])
        return arrow([(one.x - AIR, one.door), (other.x + other.width + AIR, one.door)])
    turn = other.y - GUTTER / 2
    x, to = one.middle, other.middle
    return arrow([(x, one.end + AIR), (x, turn), (to, turn), (to, other.y - AIR)])


def _closing(last: _Box, first: _Box, columns: int) -> Mark:
    """The way back from the last box to the first: up, or round on the left of a single column."""
    if columns == 1:
        edge = first.x - AIR
        side = edge - 13
        return arrow([(edge, last.door), (side, last.door), (side, first.door), (edge, first.door)])
    turn = last.y - GUTTER / 2
    x, to = last.middle, first.middle
    return arrow([(x, last.y - AIR), (x, turn), (to, turn), (to, first.end + AIR)])


def _stack(sheet: Drawing, stations: Sequence[Station]) -> None:
    """Layers from the ground up: the first station lies at the bottom, each above is narrower."""
    layers = [station for station in stations if not station.aside]
    around = [station for station in stations if station.aside]
    frame = 14.0 if around else 0.0
    inner = sheet.width - 2 * MARGIN - 2 * frame
    step = 26.0 if sheet.form == "wide" else 5.0
    y = MARGIN + frame
    for depth, station in enumerate(reversed(layers)):
        inset = step * (len(layers) - 1 - depth)
        width = inner - 2 * inset
        height = _height(station, width)
        box = _Box(MARGIN + frame + inset, y, width, height)
        _station(sheet, station, box, len(layers) - depth)
        y += height + 6
    for station in around:
        box = _Box(MARGIN + frame, y + 4, inner, _height(station, inner))
        _station(sheet, station, box, 0)
        y += box.height + 10
    sheet.height = y - 6 + frame + MARGIN
    if around:
        size = sheet.width - 2 * MARGIN, sheet.height - 2 * MARGIN
        sheet.marks.insert(0, Mark([Shape("frame", MARGIN, MARGIN, *size, 8)]))


def _split(station: Station, width: float) -> tuple[int, float]:
    """Into how many columns the claims of a box go, and how wide each is."""
    longest = max((text_width(f"{i.who} {i.text}", TYPE) for i in station.items), default=0)
    wanted = min(COLUMN, longest + BADGE + 26)
    inner = width - 2 * PAD
    count = max(1, int((inner + 16) // (wanted + 16)))
    return count, (inner - 16 * (count - 1)) / count


def _lines(item: Item, width: float) -> tuple[list[str], list[str]]:
    room = width - BADGE - 7
    return wrapped(item.who, room, SMALL, 2), wrapped(item.text, room, TYPE, 3)


def _item_height(item: Item, width: float) -> float:
    who, text = _lines(item, width)
    return LINE * (len(who) + len(text)) + 7


def _head(station: Station, width: float) -> tuple[list[str], list[str]]:
    return (
        wrapped(station.title, width - 2 * PAD - 26, HEAD, 3),
        wrapped(station.note, width - 2 * PAD, SMALL, 4),
    )


def _height(station: Station, width: float) -> float:
    title, note = _head(station, width)
    count, column = _split(station, width)
    tops = [0.0] * count
    for item in station.items:
        place = tops.index(min(tops))
        tops[place] += _item_height(item, column)
    rest = LINE + 4 if station.rest or not station.items else 0
    return PAD + 20 * len(title) + LINE * len(note) + 8 + max(tops) + rest + PAD - 2


def _station(sheet: Drawing, station: Station, box: _Box, number: int) -> None:
    title, note = _head(station, box.width)
    y = box.y + PAD + 14
    texts = []
    shapes = [Shape("aside" if station.aside else "box", box.x, box.y, box.width, box.height, 5)]
    left = box.x + PAD
    if number:
        shapes.append(Shape("number", left, y - 14, 19, 19, 10))
        texts.append(Words(left + 9.5, y, str(number), "number"))
        left += 26
    for line in title:
        texts.append(Words(left, y, line, "title"))
        y += 20
    y -= 3
    for line in note:
        texts.append(Words(box.x + PAD, y, line, "note"))
        y += LINE
    sheet.add(Mark(shapes, texts))
    _items(sheet, station, box, y)


def _items(sheet: Drawing, station: Station, box: _Box, y: float) -> None:
    count, width = _split(station, box.width)
    top = y - 4
    tops = [top] * count
    for item in station.items:
        place = tops.index(min(tops))
        x = box.x + PAD + place * (width + 16)
        _item(sheet, item, x, tops[place], width)
        tops[place] += _item_height(item, width)
    end = max(tops) + 13
    if station.rest:
        link = Words(box.x + PAD, end, station.rest, "rest")
        sheet.add(Mark((), [link], station.rest_href, style="rest"))
    elif not station.items:
        sheet.add(Mark((), [Words(box.x + PAD, end, "nothing in the record", "none")]))


def _item(sheet: Drawing, item: Item, x: float, y: float, width: float) -> None:
    who, text = _lines(item, width)
    left = x + BADGE + 7
    texts = [Words(x + BADGE / 2, y + 13, item.label, "label")]
    line = y + 13
    for words in who:
        texts.append(Words(left, line, words, "who"))
        line += LINE
    for words in text:
        texts.append(Words(left, line, words, "text"))
        line += LINE
    badge = Shape("badge", x, y, BADGE, BADGE, 9 if item.label == "R" else 2)
    widest = max((text_width(words.text, TYPE) for words in texts[1:]), default=0)
    hit = Shape("hit", x - 3, y - 3, BADGE + 13 + widest, line - y - 9)
    sheet.add(Mark([hit, badge], texts, item.href, item.words, item.label, item.since))
