"""Heat maps: a cell's history is what the whole matrix of each day would show there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page, expect

from evidence_matrix.coverage import Answer
from evidence_matrix.figures.heat import Cell, Shown, lab_rows, model_rows, models, said
from evidence_matrix.matrix import Matrix
from evidence_matrix.store import Loaded

DAYS = ["2024-12-31", "2025-06-30", "2026-01-31", "2026-07-26", "2026-07-27"]
Rows = dict[str, list[Cell]]


def labs(matrix: Matrix) -> Rows:
    return dict(lab_rows(matrix))


def subjects(matrix: Matrix) -> Rows:
    return {subject.id: cells for subject, cells in model_rows(matrix)}


def shown_on(cell: Cell, matrix: Matrix, day: date) -> Shown:
    states = cell.history(matrix)
    return [shown for since, shown in states if since <= day.isoformat()][-1]


def days_of(matrix: Matrix) -> Iterator[date]:
    """Each day on which something changes, and the one before it."""
    for day in sorted({day for claim in matrix.claims.values() for day in matrix.turns(claim)}):
        yield day - timedelta(days=1)
        yield day


@pytest.mark.parametrize("rows_of", [labs, subjects])
def test_a_cell_shows_on_each_day_what_the_matrix_of_that_day_shows(
    tiny_matrix: Matrix, rows_of: Callable[[Matrix], Rows]
) -> None:
    rows = rows_of(tiny_matrix)
    seen = set()
    for day in days_of(tiny_matrix):
        for name, cells in rows_of(tiny_matrix.at(day)).items():
            assert [cell.shown for cell in cells] == [
                shown_on(cell, tiny_matrix, day) for cell in rows[name]
            ]
            seen |= {cell.shown.label for cell in cells}
    assert seen >= {"", "D", "U"}


def test_the_last_state_is_what_is_shown_today(tiny_matrix: Matrix) -> None:
    for rows in (labs(tiny_matrix), subjects(tiny_matrix)):
        for cells in rows.values():
            for cell in cells:
                assert cell.history(tiny_matrix)[-1][1] == cell.shown


def test_states_that_follow_each_other_differ(tiny_matrix: Matrix) -> None:
    for cells in subjects(tiny_matrix).values():
        for cell in cells:
            states = cell.history(tiny_matrix)
            assert states[0][0] == ""
            assert [since for since, _ in states] == sorted({since for since, _ in states})
            assert all(a != b for (_, a), (_, b) in pairwise(states))


def test_three_kinds_of_nothing_are_told_apart(loaded: Callable[[dict[str, str]], Loaded]) -> None:
    search = "{label: U, looked_for: [a], looked_in: [egret-2-card], reason: absent, next: [x]}"
    text = (
        "subject: {name: Wren, kind: model, not_applicable: [data.sources]}\n"
        f"claims:\n  cost.training: {search}\n"
    )
    matrix = loaded({"claims/acme/wren.yaml": text}).matrix
    cells = subjects(matrix)["wren"]
    words = {cell.shown.answer: said(cell.shown, matrix) for cell in cells}
    assert words.get(Answer.NOT_LOOKED) == "nobody looked"
    assert {cell.shown.label for cell in cells} <= {"", "-", "U"}
    for cell in cells:
        assert (cell.shown.claim is None) == (cell.shown.label in ("", "-"))


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with chromium.new_context(viewport={"width": 1440, "height": 900}) as context:
        yield context.new_page()


SEEN = """
() => {
  const letter = (cell) =>
    cell.querySelector("a")?.firstChild.textContent ??
    (cell.className === "em-off" ? "-" : cell.querySelector("i") ? "" : cell.textContent);
  const name = (row) => row.cells[0].querySelector("a")?.pathname.split("/").at(-2) ?? "";
  return Object.fromEntries(
    [...document.querySelectorAll(".em-map :is(tbody, tfoot) tr")]
      .filter((row) => row.checkVisibility())
      .map((row) => [name(row), [...row.cells].slice(1).map(letter)]),
  );
}
"""


def letters(page: Page) -> dict[str, list[str]]:
    """The letters of the rows that are seen and their sums, by id; the sums below by ""."""
    return page.evaluate(SEEN)  # type: ignore[no-any-return]


def expected(rows: Rows) -> dict[str, list[str]]:
    found = {name: [cell.shown.label for cell in cells] for name, cells in rows.items()}
    known = {name: [label in tuple("DCRI") for label in row] for name, row in found.items()}
    sums = [str(sum(column)) for column in zip(*known.values(), strict=True)]
    return {name: [*row, str(sum(known[name]))] for name, row in found.items()} | {"": [*sums, ""]}


@pytest.mark.integration
@pytest.mark.browser
@pytest.mark.parametrize("day", DAYS)
def test_the_maps_follow_the_day(
    page: Page, real_address: str, real_matrix: Matrix, day: str
) -> None:
    then = real_matrix.at(date.fromisoformat(day))
    for url, rows_of in (("", labs), ("unknowns/models/", subjects)):
        page.goto(f"{real_address}{url}?as-of={day}")
        expect(page.locator(".em-banner time")).to_have_text(day)
        page.wait_for_load_state("networkidle")
        assert letters(page) == expected(rows_of(then))
    assert 0 < len(models(then)) < len(models(real_matrix))


@pytest.mark.integration
@pytest.mark.browser
def test_a_cell_of_another_day_leads_to_its_claim_and_says_its_value(
    page: Page, real_address: str, real_matrix: Matrix
) -> None:
    day = "2026-07-19"
    then = real_matrix.at(date.fromisoformat(day))
    page.goto(f"{real_address}?as-of={day}")
    expect(page.locator(".em-banner time")).to_have_text(day)
    page.wait_for_load_state("networkidle")
    links = page.locator(".em-map tbody td a")
    seen = links.evaluate_all("(links) => links.map((link) => [link.href, link.title])")
    shown = [cell.shown for cells in labs(then).values() for cell in cells]
    claims = [(one.claim, said(one, then, named=True)) for one in shown if one.claim]
    assert len(seen) == len(claims)
    for (href, title), (claim, words) in zip(seen, claims, strict=True):
        assert href == f"{real_address}claims/{claim.subject}/?as-of={day}#{claim.key}"
        assert words.startswith(title.removesuffix("…"))
