"""How far the evidence is checked: shares by state and lab, and the sources not matched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from evidence_matrix.context import left_to_context
from evidence_matrix.labels import State
from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.composer import Composer
from evidence_matrix.pages.page import Content, Page
from evidence_matrix.pages.tables import column, row, table, table_page, text_cell
from evidence_matrix.receipts import state_of


def pages(matrix: Matrix) -> Iterator[Page]:
    """One page."""
    yield Page(
        url="evidence/",
        template="table",
        title="How far the evidence is checked",
        description="Shares of matched, secondhand, unpinned and not reached evidence, by lab.",
        content=_content,
        shows={"page:evidence": ""},
        tab="Overview",
        nav="Evidence by state",
        order=30,
    )


def _content(composer: Composer) -> Content:
    matrix = composer.matrix
    by_lab: dict[str, Counter[State]] = {}
    context: Counter[str] = Counter()
    open_by_source: dict[tuple[str, State], int] = {}
    for claim in matrix.claims.values():
        for piece in claim.evidence:
            state = state_of(piece, claim, matrix)
            by_lab.setdefault(claim.lab, Counter())[state] += 1
            context.update(left_to_context(piece, claim, matrix))
            if not state.is_checked:
                key = (piece.read_in, state)
                open_by_source[key] = open_by_source.get(key, 0) + 1
    total: Counter[State] = Counter()
    for numbers in by_lab.values():
        total += numbers
    shown = [state for state in State if total[state]] or [State.MATCHED]
    heads = [column(state.value, numeric=True) for state in shown]
    rows = [_shares("All labs", total, shown, "")]
    for lab in matrix.labs.values():
        if lab.id in by_lab:
            href = composer.href(f"lab:{lab.id}")
            rows.append(_shares(lab.record.name, by_lab[lab.id], shown, href))
    sources = [
        row(
            matrix.sources[key].record.title if key in matrix.sources else key,
            [text_cell(state.value), text_cell(f"{count:,}", sort=f"{count:05d}")],
            composer.href(f"source:{key}") if key in matrix.sources else "",
            sub=key,
        )
        for (key, state), count in sorted(open_by_source.items(), key=lambda e: -e[1])
    ]
    tables = [
        table(
            "Pieces of evidence of D and C claims by state",
            [column("Lab"), column("Pieces", numeric=True), *heads],
            rows,
            section="By lab",
            linked=True,
        )
    ]
    tables.append(
        table(
            "What fragments leave to the text around them",
            [column("Left to context"), column("Pieces", numeric=True)],
            [row(what, [text_cell(str(n), sort=f"{n:05d}")]) for what, n in context.most_common()],
            section="Left to context",
        )
    )
    if sources:
        tables.append(
            table(
                "Sources with evidence that is not matched",
                [column("Source"), column("State"), column("Pieces", numeric=True)],
                sources,
                section="What is not matched, and why",
                linked=True,
            )
        )
    return table_page(
        composer,
        "Matched means that the words were found at their place in official bytes, or in a byte "
        "copy, whose hash is recorded. Everything else is unchecked and says so.",
        tables,
    )


def _shares(
    title: str, numbers: Counter[State], shown: list[State], href: str
) -> dict[str, object]:
    total = sum(numbers.values()) or 1
    cells = [text_cell(f"{sum(numbers.values()):,}", sort=f"{sum(numbers.values()):05d}")]
    for state in shown:
        share = f"{numbers[state]:,} ({100 * numbers[state] / total:.0f}%)"
        cells.append(text_cell(share, sort=f"{numbers[state]:05d}"))
    return row(title, cells, href)
