"""What the labels and the states mean, what earns them, and what they do not say."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.labels import Label, State
from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.composer import Composer
from evidence_matrix.pages.page import Content, Page
from evidence_matrix.pages.tables import column, row, table, table_page, text_cell


def pages(matrix: Matrix) -> Iterator[Page]:
    """One page, printed from the definitions that the program works by."""
    yield Page(
        url="labels/",
        template="table",
        title="What the labels mean",
        description="Five labels and how each is earned, seven states of evidence, and what "
        "neither says.",
        content=_content,
        shows={"page:labels": ""} | {f"label:{label}": f"label-{label}" for label in Label},
        tab="Method",
        nav="Labels and states",
        order=0,
    )


def _content(composer: Composer) -> Content:
    labels = [
        row(
            f"{label.value} {label.in_words}",
            [text_cell(label.meaning), text_cell(label.earned_by), text_cell(label.caution)],
            row_id=f"label-{label.value}",
        )
        for label in Label
    ]
    states = [row(state.value, [text_cell(state.meaning)]) for state in State]
    return table_page(
        composer,
        "A label names a kind of knowledge. It is earned: the program works out what the evidence "
        "supports and refuses more. Labels are kinds and not grades, and none says that a claim is "
        "true of the world.",
        [
            table(
                "The five labels",
                [
                    column("Label"),
                    column("The kind of knowledge"),
                    column("What earns it"),
                    column("What it does not mean"),
                ],
                labels,
                section="Labels",
                sort=False,
            ),
            table(
                "States of a piece of evidence",
                [column("State"), column("What it says")],
                states,
                note="Only matched is checked. All others are shown with the claim and counted.",
                section="States",
                sort=False,
            ),
        ],
    )
