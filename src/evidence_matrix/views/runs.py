"""Runs: what this repository ran again, with question, prediction, result and limits."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from evidence_matrix.matrix import Entry, Matrix
from evidence_matrix.pages.composer import Composer
from evidence_matrix.pages.page import Content, Page
from evidence_matrix.pages.tables import column, row, table, table_page, text_cell
from evidence_matrix.records import ReproducedClaim, RunRecord


def pages(matrix: Matrix) -> Iterator[Page]:
    """The list, and one page a run."""
    yield Page(
        url="runs/",
        template="table",
        title="Reproductions",
        description="Runs of this repository that R claims are read from.",
        content=_list,
        shows={"page:runs": ""},
        tab="Method",
        nav="Reproductions",
        order=50,
    )
    for run in matrix.runs.values():
        yield Page(
            url=f"runs/{run.id}/",
            template="table",
            title=run.record.title,
            description=run.record.question,
            content=lambda composer, run=run: _run(composer, run),  # type: ignore[misc]
            shows={f"run:{run.id}": ""},
            tab="Method",
            crumbs=(("Reproductions", "page:runs"),),
        )


def _list(composer: Composer) -> Content:
    rows = [
        row(
            run.record.title,
            [text_cell(run.record.question), text_cell(run.record.result)],
            composer.href(f"run:{run.id}"),
        )
        for run in composer.matrix.runs.values()
    ]
    return table_page(
        composer,
        Markup(
            "Each run can be made again with <code>evidence-matrix rerun</code>. It says something "
            "about a mechanism or a released file, and nothing about a lab's own training run."
        ),
        [
            table(
                f"{len(rows)} runs",
                [column("Run"), column("Question"), column("Result")],
                rows,
                linked=True,
            )
        ],
    )


def _run(composer: Composer, run: Entry[RunRecord]) -> Content:
    matrix = composer.matrix
    record = run.record
    rows = [
        row("Question", [text_cell(record.question)]),
        row("Prediction, written before", [text_cell(record.prediction)]),
        row("Result", [text_cell(record.result)]),
        row("What it does not show", [text_cell(record.does_not_show)]),
        row("Command", [text_cell(record.command)]),
        row("Code", [text_cell(f"{record.code.path}, sha256 {record.code.sha256}")]),
        row("Seeds", [text_cell(", ".join(record.seeds))]),
        row("Environment", [text_cell(_pairs(record.environment))]),
        row("Hardware", [text_cell(_pairs(record.hardware))]),
        row("Tolerance", [text_cell(record.tolerance)]),
        *(row(f"Output {o.path}", [text_cell(f"sha256 {o.sha256}")]) for o in record.outputs),
    ]
    tables = [table(record.title, [column("What"), column("Record")], rows, sort=False)]
    claims = [
        claim
        for claim in matrix.claims.values()
        if isinstance(claim.record, ReproducedClaim) and claim.record.run == run.id
    ]
    if claims:
        tables.append(
            table(
                "Claims that are read from this run",
                [column("Subject"), column("Aspect"), column("Value")],
                [
                    row(
                        matrix.subjects[claim.subject].name,
                        [
                            text_cell(composer.claim(claim)["aspect_title"]),
                            {
                                "kind": "claims",
                                "claims": [composer.noted(claim)],
                                "text": "",
                                "sort": "",
                                "iso": "",
                            },
                        ],
                        composer.href(f"claim:{claim.id}"),
                    )
                    for claim in claims
                ],
                section="Claims",
            )
        )
    return table_page(composer, record.question, tables)


def _pairs(values: dict[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())
