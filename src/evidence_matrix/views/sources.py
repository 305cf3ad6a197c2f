"""A page for each source with all claims that rest on it, and the list of them all."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence_matrix.labels import Label
from evidence_matrix.matrix import Matrix, Source
from evidence_matrix.pages.citation import short_title, source_bibtex
from evidence_matrix.pages.composer import Composer, View, iso
from evidence_matrix.pages.page import Content, Find, Page
from evidence_matrix.pages.tables import column, date_cell, row, table, table_page, text_cell

_ARXIV = re.compile(r"(?<!\d)\d{4}\.\d{4,5}(?!\d)")
_PROVENANCE = {
    "official bytes": "the official file",
    "byte copy": "a copy of the file, kept by others",
    "transcription": "a transcription by others",
    "excerpt": "an excerpt",
}


def pages(matrix: Matrix) -> Iterator[Page]:
    """The list, and one page a source."""
    yield Page(
        url="sources/",
        template="table",
        title="Sources",
        description="Every document that the claims rest on, with its pin and what was read.",
        content=_list,
        shows={"page:sources": ""},
        tab="Method",
        nav="Sources",
        order=60,
        wide=True,
    )
    for source in matrix.sources.values():
        yield _page(matrix, source)


def _page(matrix: Matrix, source: Source) -> Page:
    record = source.record
    claims = matrix.claims_of_source.get(source.key, ())
    return Page(
        url=f"sources/{source.key}/",
        template="source",
        title=short_title(source),
        description=f"{len(claims)} claims rest on this source, {source.key}.",
        content=lambda composer: {"source": _content(composer, source)},
        shows={f"source:{source.key}": ""},
        tab="Method",
        crumbs=(("Sources", "page:sources"),),
        finds=(_found(matrix, source),),
        citation={
            "citation_title": record.title,
            "citation_author": list(record.author),
            "citation_publication_date": iso(record.date).replace("-", "/"),
            "citation_public_url": record.url or "",
        },
    )


def _found(matrix: Matrix, source: Source) -> Find:
    record = source.record
    labs = ", ".join(matrix.labs[lab].record.name for lab in record.lab if lab in matrix.labs)
    return Find(
        short_title(source),
        "Source",
        id=source.key,
        names=tuple(_ARXIV.findall(record.url or "")),
        text=f"{record.kind.replace('_', ' ')}, {', '.join(record.author) or labs}",
    )


def _content(composer: Composer, source: Source) -> Content:
    matrix = composer.matrix
    groups: dict[str, View] = {}
    for claim in matrix.claims_of_source.get(source.key, ()):
        subject = matrix.subjects[claim.subject]
        group = groups.setdefault(
            subject.id, {"id": f"on-{subject.id}", "title": subject.name, "claims": []}
        )
        view = composer.claim(claim, cite=False)
        here = [
            shown
            for piece, shown in zip(claim.evidence, view["evidence"], strict=True)
            if source.key in (piece.source, piece.via)
        ]
        if not here and claim.label is Label.U:
            here = [_searched(claim.record)]
        group["claims"].append(view | {"here": here})
    return {
        "facts": _facts(composer, source),
        "note": source.record.note or "",
        "bibtex": source_bibtex(source),
        "groups": list(groups.values()),
    }


def _searched(record: object) -> View:
    terms = ", ".join(getattr(record, "looked_for", ()))
    return {"quote": "", "read": "", "deep_link": "", "locator": f"searched for: {terms}"}


def _facts(composer: Composer, source: Source) -> list[View]:
    matrix = composer.matrix
    record = source.record
    receipt = matrix.receipts.get(source.key)
    labs = ", ".join(matrix.labs[lab].record.name for lab in record.lab if lab in matrix.labs)
    rows: list[tuple[str, str, str, bool]] = [
        ("By", ", ".join(record.author) or labs, "", False),
        ("Lab", labs, "", False),
        ("Kind", record.kind.replace("_", " "), "", False),
        ("Date", record.date.format() if record.date else "", "", False),
        ("Address", record.url or "", record.url or "", False),
        ("Version", record.version or "", "", True),
        ("Retrieved", record.retrieved.format() if record.retrieved else "", "", False),
        ("sha256 of the file", record.sha256 or "", "", True),
        ("Bytes had from", record.copy_of_bytes or "", "", True),
        ("License", record.licence or "not seen", "", False),
        ("Key", source.key, "", True),
    ]
    facts: list[View] = [
        {"title": title, "text": text, "href": href, "code": code}
        for title, text, href, code in rows
        if text
    ]
    if record.of and record.of in matrix.sources:
        facts.append(
            {
                "title": "Transcription of",
                "text": short_title(matrix.sources[record.of]),
                "href": composer.href(f"source:{record.of}"),
                "code": False,
            }
        )
    read = "nothing: the bytes were not at hand"
    if receipt is not None and not receipt.fault:
        pages_read = f", {receipt.pages} pages" if receipt.pages > 1 else ""
        read = _PROVENANCE.get(receipt.provenance, receipt.provenance) + pages_read
    facts.append({"title": "What was read", "text": read, "href": "", "code": False})
    return facts


def _list(composer: Composer) -> Content:
    matrix = composer.matrix
    rows = []
    ordered = sorted(matrix.sources.values(), key=lambda s: (s.record.lab, s.record.title.lower()))
    for source in ordered:
        record = source.record
        receipt = matrix.receipts.get(source.key)
        read = receipt.provenance if receipt is not None and not receipt.fault else "not read"
        labs = ", ".join(matrix.labs[lab].record.name for lab in record.lab if lab in matrix.labs)
        count = len(matrix.claims_of_source.get(source.key, ()))
        cells = [
            text_cell(labs),
            text_cell(record.kind.replace("_", " ")),
            date_cell(record.date),
            text_cell((record.version or "")[:12]),
            text_cell(read),
            text_cell(f"{count:,}", sort=f"{count:06d}"),
        ]
        href = composer.href(f"source:{source.key}")
        rows.append(row(record.title, cells, href, sub=source.key, public=iso(record.date)))
    titles = ("Source", "Lab", "Kind", "Date", "Version", "Read", "Claims")
    columns = [column(title, numeric=title == "Claims") for title in titles]
    lede = (
        "Each source is pinned where it can be: an arXiv version, a commit, a hash of the bytes. "
        "What was read in copies by others is not official and is shown as such."
    )
    return table_page(
        composer,
        lede,
        [table(f"{len(rows)} sources", columns, rows, wide=True, filtered=True, linked=True)],
    )
