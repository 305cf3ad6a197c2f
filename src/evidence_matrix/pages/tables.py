"""Tables as templates take them: captions, columns, rows, and cells of claims, text or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from evidence_matrix.dates import PartialDate
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim
from evidence_matrix.pages.composer import Composer, View, iso, value_text
from evidence_matrix.quantity import Quantity

LONGEST_WORD = 26  # letters; what is longer is an address, a path or a hash


def column(title: str, unit: str = "", href: str = "", numeric: bool = False) -> View:
    """A column and how it is headed."""
    return {"title": title, "unit": unit, "href": href, "numeric": numeric}


def text_cell(text: str, sort: str = "") -> View:
    """Plain text; `sort` where it sorts by something else. A long string may break anywhere."""
    string = any(len(word) > LONGEST_WORD for word in text.split())
    kind = "string" if string else "text"
    return {"kind": kind, "text": text, "sort": sort, "claims": [], "iso": ""}


def date_cell(day: PartialDate | None) -> View:
    """A date, or nothing."""
    if day is None:
        return text_cell("")
    return {"kind": "date", "text": day.format(), "iso": iso(day), "sort": iso(day), "claims": []}


def claims_cell(
    composer: Composer,
    claims: Sequence[Claim],
    applies: bool = True,
    linked: bool = False,
    cite: bool = True,
) -> View:
    """Claims as chips; without any, whether nobody looked or the question does not apply."""
    if not claims:
        kind = "empty" if applies else "na"
        return {"kind": kind, "text": "", "sort": "", "claims": [], "iso": ""}
    views = [composer.link(c) if linked else composer.noted(c, cite) for c in claims]
    return {
        "kind": "claims",
        "text": "",
        # without a key, em.js leaves what is unknown at the end in both directions
        "sort": "" if claims[0].label is Label.U else sort_key(claims[0]),
        "claims": views,
        "iso": "",
    }


def row(
    title: str,
    cells: Sequence[View],
    href: str = "",
    sub: str = "",
    public: str = "",
    row_id: str = "",
    span: tuple[str, str] | None = None,
) -> View:
    """A row: its head and its cells; `span` is the numbers that its quantity lies between."""
    return {
        "id": row_id,
        "title": title,
        "sub": sub,
        "href": href,
        "public": public,
        "span": span,
        "cells": list(cells),
    }


def table(
    caption: str,
    columns: Sequence[View],
    rows: Iterable[View],
    note: str = "",
    section: str = "",
    *,
    wide: bool = False,
    sort: bool = True,
    filtered: bool = False,
    numbers: bool = False,
    linked: bool = False,
) -> View:
    """A table with its caption; `section` heads it where a page has several.

    `numbers`: the rows have a span, and the filter asks for numbers too.
    """
    return {
        "section": section,
        "section_id": "-".join(section.lower().split()),
        "caption": caption,
        "note": note,
        "columns": list(columns),
        "rows": list(rows),
        "wide": wide,
        "sort": sort,
        "filter": filtered,
        "numbers": numbers,
        "linked": linked,
    }


def table_page(composer: Composer, lede: str, tables: Sequence[View]) -> dict[str, View]:
    """What the template `table` takes."""
    return {
        "page_of": {
            "lede": lede,
            "tables": list(tables),
            "labels": composer.legend,
            "notes": composer.notes,
        }
    }


def sort_key(claim: Claim) -> str:
    """What a claim sorts by: text whose order is that of the numbers, what is unknown last.

    A number is sixteen digits, which a browser too reads exactly as one number.
    """
    if claim.label is Label.U:
        return "~"
    if isinstance(claim.parsed, Quantity):
        return _digits(claim.parsed.sort_key[0])
    if isinstance(claim.parsed, PartialDate):
        return iso(claim.parsed)
    return value_text(claim.record).casefold()


def span(claim: Claim) -> tuple[str, str] | None:
    """The ends of a quantity as a browser reads numbers; "" for one that nobody said."""
    if not isinstance(claim.parsed, Quantity):
        return None
    low, high = claim.parsed.low, claim.parsed.high
    return _plain(low), _plain(high)


def _plain(end: Fraction | None) -> str:
    return "" if end is None else f"{float(end):.12g}"


def _digits(number: Fraction) -> str:
    """Sign, power of ten and the first twelve digits; of a negative number all turned round."""
    size = abs(number)
    if size == 0:
        return f"1{0:015d}"
    exponent = len(str(size.numerator)) - len(str(size.denominator))
    exponent -= size < Fraction(10) ** exponent
    digits = int(size * Fraction(10) ** (11 - exponent))
    if number > 0:
        return f"2{500 + exponent:03d}{digits:012d}"
    return f"0{499 - exponent:03d}{10**12 - 1 - digits:012d}"
