"""The ledger: how many tokens each model was trained on, stage by stage, as bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from evidence_matrix.figures.ledger import Bar, bars, reach
from evidence_matrix.matrix import Claim, Entry, Matrix
from evidence_matrix.notation.numerals import written
from evidence_matrix.pages.cells import Row, ordered
from evidence_matrix.pages.composer import Composer, View, value_words
from evidence_matrix.pages.page import Content, Page
from evidence_matrix.records import TableRecord

TICKS = 5
LEAST = Fraction(4, 10)  # percent of the track that an amount takes at least, so that it is seen
OPEN = 12  # percent of the track that an open end runs on


def pages(matrix: Matrix) -> Iterator[Page]:
    """One page for each table that is drawn as bars; the first is the ledger."""
    drawn = [entry for entry in matrix.tables.values() if entry.record.draw == "bars"]
    for entry in drawn:
        yield _page(entry, entry is drawn[0])


def _page(entry: Entry[TableRecord], is_first: bool) -> Page:
    record = entry.record
    shows = {f"table:{entry.id}": "", f"figure:{entry.id}": ""}
    return Page(
        url="ledger/" if is_first else f"ledger/{entry.id}/",
        template="ledger",
        title=record.title,
        description=record.caption,
        content=lambda composer: _content(composer, entry),
        shows=shows | {"page:ledger": ""} if is_first else shows,
        tab="Timeline & ledger",
        nav=record.title,
        order=10,
        wide=True,
    )


def _content(composer: Composer, entry: Entry[TableRecord]) -> Content:
    matrix, record = composer.matrix, entry.record
    subjects = [Row(s.lab, s, (s,)) for s in matrix.subjects.values()]
    drawn = [
        bar
        for row in ordered(matrix, record, subjects)
        if row.head is not None
        for bar in bars(matrix, record, row.head)
    ]
    scale = _scale(drawn)
    rows = []
    seen: set[str] = set()
    for bar in drawn:
        rows.append(_row(composer, bar, scale, bar.subject.id in seen))
        seen.add(bar.subject.id)
    unit = next(
        (matrix.aspects[a].record.unit for head in record.columns for a in head.aspects), None
    )
    return {
        "page_of": {
            "lede": record.lede or "",
            "drawn": matrix.today.isoformat(),
            "key": _key(record),
            "unit": (unit or record.title).capitalize(),
            "ticks": _ticks(scale),
            "caption": f"{record.caption}: {len(seen)} subjects",
            "rows": rows,
            "labels": composer.legend,
            "notes": composer.notes,
        }
    }


def _scale(drawn: Sequence[Bar]) -> Fraction:
    """The end of the scale: the longest bar, rounded up to a number that divides well."""
    longest = max((_length(bar) for bar in drawn), default=Fraction(1)) or Fraction(1)
    step = Fraction(10) ** (len(str(int(longest))) - 1)
    for factor in (1, 2, 3, 4, 5, 6, 8, 10):
        if step * factor >= longest:
            return step * factor
    return step * 10


def _ticks(scale: Fraction) -> list[View]:
    step = Fraction(10) ** (len(str(int(scale))) - 2)
    texts = [written(scale * n / TICKS, step) if n else "0" for n in range(TICKS + 1)]
    return [{"x": 100 * n // TICKS, "text": text} for n, text in enumerate(texts)]


def _length(bar: Bar) -> Fraction:
    return sum((reach(part.quantity)[0] for part in bar.parts), Fraction(0))


def _key(record: TableRecord) -> list[View]:
    key: list[View] = []
    for head in record.columns:
        if head.note:
            key.append({"kind": "stage", "tone": head.tone, "title": head.note})
    key.append({"kind": "sum", "tone": 0, "title": "our own sum of stages"})
    key.append({"kind": "open", "tone": 0, "title": "not found, or a lower bound"})
    return key


def _row(composer: Composer, bar: Bar, scale: Fraction, again: bool) -> View:
    matrix, subject = composer.matrix, bar.subject
    lab = matrix.labs[subject.lab].record.name if subject.lab in matrix.labs else subject.lab
    named = bar.parts if again and bar.parts else bar.unknown if not bar.parts else ()
    stage = ", ".join(dict.fromkeys(part.head.title.lower() for part in named))
    sub = "; ".join(part for part in ("" if again else lab, stage, bar.scope, bar.words) if part)
    shown = [part.claim for part in bar.parts if part.claim is not bar.total]
    shown += [*bar.others, *(part.claim for part in bar.unknown)]
    return {
        "id": bar.first.id.replace("/", "-").replace("@", "-"),
        "title": subject.name,
        "sub": sub,
        "href": composer.href(f"claim:{bar.first.id}"),
        "segments": _segments(composer, bar, scale),
        "total": composer.noted(bar.total) if bar.total else None,
        "stages": [composer.noted(claim) for claim in shown],
    }


def _segments(composer: Composer, bar: Bar, scale: Fraction) -> list[View]:
    segments = []
    start = Fraction(0)
    for part in bar.parts:
        length, is_open = reach(part.quantity)
        width = max(100 * length / scale, LEAST)
        kind = "sum" if bar.inferred else "stage"
        segments.append(_segment(kind, part.head.tone, start, width, _words(composer, part.claim)))
        start += width
        if is_open:
            words = "at least; no upper bound is disclosed"
            segments.append(_segment("open", "0", start, Fraction(OPEN), words))
            start += OPEN
    if bar.unknown:
        rest = Fraction(OPEN) if bar.parts else Fraction(100)
        words = "; ".join(_words(composer, part.claim) for part in bar.unknown)
        segments.append(_segment("open", "0", start, rest, words))
    return segments


def _segment(kind: str, tone: str, start: Fraction, width: Fraction, words: str) -> View:
    return {
        "kind": kind,
        "tone": tone,
        "start": round(float(start), 2),
        "width": round(float(width), 2),
        "words": words,
    }


def _words(composer: Composer, claim: Claim) -> str:
    return f"{composer.title_of(claim)}: {value_words(claim, composer.matrix)}"
