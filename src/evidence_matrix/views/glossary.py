"""The glossary: every controlled term with what it stands for and who uses it."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Entry, Matrix
from evidence_matrix.pages.composer import Composer
from evidence_matrix.pages.page import Content, Find, Page
from evidence_matrix.pages.tables import column, row, table, table_page, text_cell
from evidence_matrix.records import TermRecord


def pages(matrix: Matrix) -> Iterator[Page]:
    """One page with all terms."""
    yield Page(
        url="glossary/",
        template="table",
        title="Glossary",
        description="Terms and abbreviations of the field, in one sentence each.",
        content=_content,
        shows={"page:glossary": ""} | {f"term:{term}": f"term-{term}" for term in matrix.terms},
        tab="Method",
        nav="Glossary",
        order=30,
        finds=(
            Find("Glossary", "Page", text="Terms and abbreviations of the field"),
            *(_found(term) for term in matrix.terms.values()),
        ),
    )


def _found(term: Entry[TermRecord]) -> Find:
    record = term.record
    names = [name for name in (record.name, record.expansion, *record.aliases) if name]
    title = ": ".join(names[:2]) if record.expansion else record.name
    return Find(title, "Term", f"term-{term.id}", term.id, tuple(names), record.sentence)


def using(matrix: Matrix) -> dict[str, list[Claim]]:
    """Claims by the term that is their value."""
    found: dict[str, list[Claim]] = {}
    for claim in matrix.claims.values():
        if claim.label is not Label.U and isinstance(claim.parsed, tuple):
            for name in claim.parsed:
                term = matrix.term_names.get(name.casefold())
                if term:
                    found.setdefault(term, []).append(claim)
    return found


def _content(composer: Composer) -> Content:
    matrix = composer.matrix
    claims = using(matrix)
    rows = []
    for term in sorted(matrix.terms.values(), key=lambda term: term.record.name.casefold()):
        record = term.record
        names = [record.expansion or "", *record.aliases]
        users = list(
            dict.fromkeys(matrix.subjects[c.subject].name for c in claims.get(term.id, ()))
        )
        some = ", ".join(users[:8]) + (f" and {len(users) - 8} more" if len(users) > 8 else "")
        cells = [text_cell(record.sentence), text_cell(some)]
        objective = f"objective:{record.objective}"
        href = composer.href(objective) if objective in composer.addresses else ""
        sub = ", ".join(name for name in names if name)
        rows.append(row(record.name, cells, href, sub=sub, row_id=f"term-{term.id}"))
    columns = [column("Term"), column("In a sentence"), column("Named in claims about")]
    lede = "A term with a link has an executable objective in the source-level lab."
    return table_page(
        composer, lede, [table(f"{len(rows)} terms", columns, rows, filtered=True, linked=True)]
    )
