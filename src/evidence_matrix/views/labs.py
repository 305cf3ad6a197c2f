"""A page for each lab: its subjects, how much each discloses, and what is wanted."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.labels import Label
from evidence_matrix.matrix import Entry, Matrix, Subject
from evidence_matrix.pages.composer import Composer, iso
from evidence_matrix.pages.page import Content, Find, Page
from evidence_matrix.pages.tables import column, row, table, table_page, text_cell
from evidence_matrix.records import LabRecord


def pages(matrix: Matrix) -> Iterator[Page]:
    """The list of labs, and one page a lab."""
    yield Page(
        url="labs/",
        template="table",
        title="Labs",
        description="Labs and groups, and how many claims there are about their work.",
        content=_list,
        shows={"page:labs": ""},
        tab="Labs",
        nav="All labs",
        order=0,
    )
    for lab in matrix.labs.values():
        yield Page(
            url=f"labs/{lab.id}/",
            template="table",
            title=lab.record.name,
            description=f"What {lab.record.name} has disclosed, by subject.",
            content=lambda composer, lab=lab: _lab(composer, lab),  # type: ignore[misc]
            shows={f"lab:{lab.id}": ""},
            tab="Labs",
            nav=lab.record.name,
            order=10,
            crumbs=(("Labs", "page:labs"),),
            finds=(
                Find(
                    lab.record.name,
                    "Lab",
                    id=lab.id,
                    names=(lab.record.name, *lab.record.aliases),
                    text=f"What {lab.record.name} has disclosed, by subject",
                ),
            ),
        )


def _subjects(matrix: Matrix, lab: str) -> list[Subject]:
    subjects = [subject for subject in matrix.subjects.values() if subject.lab == lab]
    return sorted(subjects, key=lambda s: (_released(matrix, s), s.name), reverse=True)


def _released(matrix: Matrix, subject: Subject) -> str:
    claim = matrix.claims.get(f"{subject.id}/event.release")
    if claim is not None and claim.value:
        return claim.value
    days = [matrix.public_of(claim) for claim in matrix.claims_of_subject[subject.id]]
    known = sorted(iso(day) for day in days if day is not None)
    return known[0] if known else ""


def _counts(matrix: Matrix, subjects: list[Subject]) -> dict[Label, int]:
    numbers = dict.fromkeys(Label, 0)
    for subject in subjects:
        for claim in matrix.claims_of_subject[subject.id]:
            numbers[claim.label] += 1
    return numbers


def _columns(first: str) -> list[dict[str, object]]:
    heads = [column(label.in_words, unit=label.value, numeric=True) for label in Label]
    second = column("Subjects", numeric=True) if first == "Lab" else column("Kind")
    return [column(first), second, *heads]


def _list(composer: Composer) -> Content:
    matrix = composer.matrix
    rows = []
    for lab in matrix.labs.values():
        subjects = _subjects(matrix, lab.id)
        counts = _counts(matrix, subjects)
        cells = [text_cell(f"{len(subjects):,}", sort=f"{len(subjects):05d}")]
        cells += [text_cell(f"{counts[label]:,}", sort=f"{counts[label]:05d}") for label in Label]
        rows.append(row(lab.record.name, cells, composer.href(f"lab:{lab.id}")))
    return table_page(
        composer,
        "A lab is primary about its own work. Independent groups stand under open community.",
        [table("Claims by lab and label", _columns("Lab"), rows)],
    )


def _lab(composer: Composer, lab: Entry[LabRecord]) -> Content:
    matrix = composer.matrix
    rows = []
    for subject in _subjects(matrix, lab.id):
        counts = _counts(matrix, [subject])
        cells = [text_cell(subject.record.kind.replace("dataset", "data set"))]
        cells += [text_cell(f"{counts[label]:,}", sort=f"{counts[label]:05d}") for label in Label]
        href = composer.href(f"subject:{subject.id}")
        rows.append(row(subject.name, cells, href, sub=_released(matrix, subject)))
    tables = [table(f"Subjects of {lab.record.name}", _columns("Subject"), rows, linked=True)]
    wanted = [entry for entry in matrix.wanted.values() if entry.record.lab == lab.id]
    if wanted:
        tables.append(
            table(
                "Primary documents that nobody here has read yet",
                [column("Document"), column("It would say")],
                [
                    row(
                        entry.record.title,
                        [text_cell(entry.record.why)],
                        composer.href(f"wanted:{entry.id}"),
                    )
                    for entry in wanted
                ],
                section="Wanted documents",
                linked=True,
            )
        )
    own = [c for s in _subjects(matrix, lab.id) for c in matrix.claims_of_subject[s.id]]
    names = ", ".join(lab.record.aliases)
    lede = f"{len(own):,} claims about {len(rows)} subjects." + (
        f" Also called {names}." if names else ""
    )
    return table_page(composer, lede, tables)
