"""What a reader's hands do: facets and choices, and what is left of a page without a script."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from evidence_matrix.labels import Label
from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.composer import value_text
from evidence_matrix.views import all_pages
from tests.reader import FOLDER, first_chip, found

pytestmark = [pytest.mark.integration, pytest.mark.browser]

CHAPTER = "chapters/kimi/"
TABLE = "compare/env.count/"
FACTS = "claims/deepseek-v3/"
LOADED = 100_000  # gzipped bytes of data before the first result stands


@pytest.fixture(scope="module")
def plain(chromium: Browser) -> Iterator[Page]:
    """A reader whose browser runs no script."""
    with chromium.new_context(java_script_enabled=False) as context:
        yield context.new_page()


@pytest.fixture(scope="module")
def kinds(real_matrix: Matrix) -> dict[str, str]:
    """The address of the first page of every template."""
    kinds: dict[str, str] = {}
    for page in all_pages(real_matrix):
        kinds.setdefault(page.template, page.url)
    assert {"home", "chapter", "subject", "source", "table", "figure", "explorer"} <= set(kinds)
    return kinds


# The claims explorer


def explore(page: Page, address: str) -> tuple[Locator, Locator]:
    """The status of the explorer and its rows, once values are there."""
    page.goto(f"{address}explore/")
    status = page.locator(".em-status")
    expect(status).to_contain_text(" claims")
    return status, page.get_by_role("region", name="Claims found").locator("tbody tr")


def tick(page: Page, name: str) -> None:
    page.get_by_role("checkbox", name=re.compile(f"^{re.escape(name)}")).check()


def test_facets_are_in_the_address_which_gives_the_same_again(
    page: Page, real_address: str, real_matrix: Matrix
) -> None:
    status, rows = explore(page, real_address)
    every = list(real_matrix.claims.values())
    unknown = [c for c in every if c.label is Label.U]
    right = [c for c in unknown if c.lab == "deepseek"]
    of_all = f"of {len(every):,} claims"
    tick(page, "U unknown")
    expect(status).to_have_text(f"{len(unknown)} {of_all}")
    tick(page, "DeepSeek")
    expect(status).to_have_text(f"{len(right)} {of_all}")
    assert parse_qs(urlsplit(page.url).query) == {"label": ["U"], "lab": ["deepseek"]}
    expect(rows).to_have_count(min(60, len(right)))
    expect(rows.locator(".em-U")).to_have_count(min(60, len(right)))
    seen = rows.all_inner_texts()

    page.reload()
    expect(status).to_have_text(f"{len(right)} {of_all}")
    assert rows.all_inner_texts() == seen

    rows.first.get_by_role("link").first.click()
    expect(page).to_have_url(re.compile("/claims/"))
    page.go_back()
    expect(status).to_have_text(f"{len(right)} {of_all}")
    page.go_back()
    expect(status).to_have_text(f"{len(unknown)} {of_all}")
    expect(page.get_by_role("checkbox", name=re.compile("^DeepSeek"))).not_to_be_checked()


def test_words_and_a_list_narrow_down_too(
    page: Page, real_address: str, real_matrix: Matrix
) -> None:
    status, rows = explore(page, real_address)
    page.get_by_label("Subject", exact=True).select_option("Kimi K3")
    page.get_by_role("searchbox", name="Words").fill("active parameters 104b")
    claim = real_matrix.claims["kimi-k3/params.active"]
    row = rows.filter(has_text=value_text(claim.record)).first
    expect(row).to_be_visible()
    expect(row.locator(".em-chip")).to_have_attribute("href", re.compile(f"#{claim.key}"))
    page.get_by_role("button", name="Clear all").click()
    expect(status).to_have_text(
        f"{len(real_matrix.claims):,} of {len(real_matrix.claims):,} claims"
    )
    expect(page).to_have_url(f"{real_address}explore/")


def test_facets_that_fit_no_claim_say_so_in_words(
    page: Page, real_address: str, real_matrix: Matrix
) -> None:
    pairs = {(c.lab, c.label) for c in real_matrix.claims.values()}
    lab, label = next(
        (lab, label) for lab in real_matrix.labs for label in Label if (lab, label) not in pairs
    )
    status, rows = explore(page, real_address)
    page.goto(f"{real_address}explore/?lab={lab}&label={label.value}")
    expect(status).to_have_text("No claim fits. Clear a facet, or search with fewer words.")
    expect(rows).to_have_count(0)


def test_the_first_result_needs_little_data_and_the_values_come_after_it(
    page: Page, real_address: str, real_site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    loaded: list[Path] = []
    held: list[Route] = []
    page.on("response", lambda answer: loaded.append(_file(answer.url, real_site)))
    page.route("**/data/*-values.json", lambda route: held.append(route))
    page.goto(f"{real_address}explore/?subject=kimi-k3")
    row = page.get_by_role("region", name="Claims found").locator("tbody tr").first
    expect(row).to_contain_text("Kimi K3")
    data = [path for path in loaded if path.parent.name == "data"]
    size = sum(len(gzip.compress(path.read_bytes())) for path in data)
    with capsys.disabled():
        print(f"\nexplorer: first result after {size / 1000:.0f} kB of data (gzipped)")
    assert 0 < size <= LOADED
    expect(row.locator(".em-v")).to_have_text("…")
    held[0].continue_()
    expect(row.locator(".em-v")).not_to_have_text("…")


def _file(url: str, site: Path) -> Path:
    return site / urlsplit(url).path.removeprefix(f"/{FOLDER}/")


# Two subjects side by side


def test_two_subjects_stand_side_by_side_by_address(
    page: Page, real_address: str, real_matrix: Matrix
) -> None:
    page.goto(f"{real_address}compare/two/?a=deepseek-v3&b=kimi-k3")
    table = page.get_by_role("table", name="DeepSeek-V3 and Kimi K3")
    heads = table.get_by_role("columnheader")
    expect(heads).to_have_text(["Aspect", "DeepSeek-V3", "Kimi K3"])
    row = table.get_by_role("row").filter(has=page.get_by_role("rowheader", name="Hidden size"))
    for cell, subject in ((0, "deepseek-v3"), (1, "kimi-k3")):
        value = value_text(real_matrix.claims[f"{subject}/hidden.size"].record)
        chip = row.locator("td").nth(cell).locator(".em-chip")
        expect(chip).to_contain_text(value)
        expect(chip).to_be_visible()
        expect(chip).to_have_attribute("href", re.compile(rf"/claims/{subject}/#hidden\.size$"))

    same = answers(real_matrix, "deepseek-v3").items() & answers(real_matrix, "kimi-k3").items()
    count = table.locator("tbody th[scope=row]").count()
    page.get_by_label("only where they differ").check()
    expect(page).to_have_url(re.compile("differ=1"))
    expect(table.locator("tbody th[scope=row]")).to_have_count(count - len(same))

    page.get_by_label("with that").select_option("GLM-5")
    expect(page).to_have_url(re.compile("b=glm-5"))
    expect(page.get_by_role("table", name="DeepSeek-V3 and GLM-5")).to_be_visible()
    page.reload()
    expect(page.get_by_role("table", name="DeepSeek-V3 and GLM-5")).to_be_visible()


def answers(matrix: Matrix, subject: str) -> dict[str, tuple[tuple[str, str], ...]]:
    """What is said of each aspect of a subject, label and value."""
    found: dict[str, list[tuple[str, str]]] = {}
    for claim in matrix.claims_of_subject[subject]:
        found.setdefault(claim.aspect, []).append((claim.label.value, value_text(claim.record)))
    return {aspect: tuple(sorted(said)) for aspect, said in found.items()}


# Without a script


def test_every_kind_of_page_reads_without_a_script(
    plain: Page, real_address: str, kinds: dict[str, str]
) -> None:
    for kind, url in kinds.items():
        plain.goto(real_address + url)
        main = plain.get_by_role("main")
        expect(main.get_by_role("heading", level=1)).to_be_visible()
        expect(plain.locator(".em-needs-js").filter(visible=True)).to_have_count(0)
        switch = plain.locator("footer noscript p")  # the text engine does not look into noscript
        expect(switch).to_contain_text("The as-of switch and the claims explorer need JavaScript")
        expect(switch).to_be_visible()
        assert len(main.inner_text()) > 500, kind


def test_without_a_script_a_table_is_in_order_and_its_chips_open(
    plain: Page, real_address: str, real_matrix: Matrix
) -> None:
    plain.goto(real_address + TABLE)
    rows = plain.get_by_role("main").locator("tbody tr")
    expect(rows).to_have_count(len(real_matrix.claims_of_aspect["env.count"]))
    expect(rows.first).to_be_visible()
    ends = [row.get_attribute("data-low") for row in rows.all()]
    numbers = [float(end) for end in ends if end]
    assert numbers == sorted(numbers, reverse=True)
    assert ends[: len(numbers)] == [end for end in ends if end]  # what is unknown stands last
    chip, note = first_chip(plain)
    chip.click()
    expect(note).to_be_visible()
    claim = real_matrix.claims[chip.get_attribute("data-c") or ""]
    expect(note.get_by_text(f"“{getattr(claim.evidence[0], 'quote', None)}”")).to_be_visible()
    plain.keyboard.press("Escape")
    expect(note).to_be_hidden()


def test_without_a_script_chapters_and_figures_are_read(
    plain: Page, real_address: str, kinds: dict[str, str]
) -> None:
    plain.goto(real_address + CHAPTER)
    chip, note = first_chip(plain)
    expect(chip).to_be_visible()
    chip.click()
    expect(note).to_be_visible()
    note.get_by_role("link", name="Go to the claim").click()
    expect(plain).to_have_url(re.compile(r"/claims/.+/#.+"))
    plain.goto(real_address + kinds["figure"])
    drawing = plain.get_by_role("main").locator("svg.em-sheet").first
    expect(drawing).to_be_visible()
    assert drawing.locator("text").count() > 5


@pytest.mark.parametrize("url", ["explore/", "compare/two/"])
def test_what_needs_a_script_says_so(plain: Page, real_address: str, url: str) -> None:
    plain.goto(real_address + url)
    said = plain.locator("main noscript p")
    expect(said).to_contain_text("needs JavaScript")
    expect(said).to_be_visible()


# Strangers


def test_no_kind_of_page_asks_another_host_for_anything(
    chromium: Browser, real_address: str, kinds: dict[str, str]
) -> None:
    with chromium.new_context() as context:
        strangers = _watch(context, real_address)
        page = context.new_page()
        for url in kinds.values():
            page.goto(real_address + url)
        page.goto(f"{real_address}{FACTS}?as-of=2025-06-01#tokens.pretrain")
        expect(found(page, "tokens")).to_be_visible()
        assert strangers == []
        page.evaluate("fetch('https://example.org/').catch(() => {})")  # the watch does watch
        assert strangers == ["https://example.org/"]


def _watch(context: BrowserContext, address: str) -> list[str]:
    """Lets nothing through but to the address, and gives what was asked of others."""
    strangers: list[str] = []

    def refuse(route: Route) -> None:
        strangers.append(route.request.url)
        route.abort()

    context.route(re.compile(rf"^(?!{re.escape(address)}|data:|blob:)"), refuse)
    return strangers
