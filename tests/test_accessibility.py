"""What axe-core finds on the pages of the site: nothing, on any kind of page, by day and by night.

Widths and color schemes are those of a phone and of a desk. In the dark only the rules on color
are asked again: the elements are the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from selectolax.lexbor import LexborHTMLParser, LexborNode

from evidence_matrix.matrix import Matrix
from tests.kinds import longest

pytestmark = [pytest.mark.integration, pytest.mark.browser]

AXE = Path(__file__).parent / "vendor/axe-core/axe.min.js"
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1440, "height": 900}
ON_COLOR = ["color-contrast", "link-in-text-block"]


@dataclass(frozen=True)
class Excuse:
    """A fault that we cannot mend here, and the day from which that is no excuse any more."""

    rule: str
    selector: str
    reason: str
    until: date


EXCUSES: tuple[Excuse, ...] = ()

_RUN = """([rules]) => axe.run(document, {
  resultTypes: ["violations"],
  ...(rules ? {runOnly: {type: "rule", values: rules}} : {}),
}).then(({violations}) => violations.flatMap(({id, nodes}) =>
  nodes.slice(0, 3).map(({target, html, failureSummary}) =>
    ({rule: id, target: target.join(" "), html, summary: failureSummary}))))"""


def faults(page: Page, rules: list[str] | None = None) -> list[str]:
    """Each thing that axe-core finds on the page as it is now, in one line."""
    page.evaluate("document.fonts.ready")
    page.evaluate("Promise.resolve(window.MathJax?.startup?.promise)")
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(AXE.read_text())
    excused = {(excuse.rule, excuse.selector) for excuse in EXCUSES}
    return [
        f"{page.url}: {found['rule']} at {found['target']}: {found['html'][:160]}: "
        + found["summary"].replace("\n", " ")[:240]
        for found in page.evaluate(_RUN, [rules])
        if (found["rule"], found["target"]) not in excused
    ]


def test_no_excuse_is_out_of_date() -> None:
    assert [excuse for excuse in EXCUSES if excuse.until <= date.today()] == []


@pytest.fixture
def page(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    viewport, scheme = request.param
    with chromium.new_context(viewport=viewport, color_scheme=scheme) as context:
        yield context.new_page()


EVERYWHERE = pytest.mark.parametrize(
    "page",
    [(PHONE, "light"), (DESK, "light"), (PHONE, "dark"), (DESK, "dark")],
    indirect=True,
    ids=["phone", "desk", "phone-dark", "desk-dark"],
)


def rules_for(page: Page) -> list[str] | None:
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    return ON_COLOR if dark else None


@EVERYWHERE
def test_axe_finds_nothing_on_any_kind_of_page(
    page: Page, real_address: str, real_site: Path, real_matrix: Matrix
) -> None:
    found = []
    for url in longest(real_matrix, real_site):
        page.goto(real_address + url)
        found += faults(page, rules_for(page))
    assert not found, "\n".join(found)


@EVERYWHERE
def test_axe_finds_nothing_in_what_a_reader_opens(
    page: Page, real_address: str, real_matrix: Matrix
) -> None:
    found = []
    rules = rules_for(page)

    page.goto(real_address + "compare/env.count/")
    page.locator("button.em-chip").first.click()
    page.locator(".em-note:popover-open summary").click()
    found += faults(page, rules)

    page.goto(real_address)
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.get_by_role("searchbox", name="Search this site")).to_be_focused()
    page.keyboard.type("kimi k3 parameters")
    page.locator("li.pf-result").first.wait_for()
    found += faults(page, rules)

    page.goto(real_address + "explore/?label=U")
    page.locator("[data-em-explorer] tbody tr").first.wait_for()
    found += faults(page, rules)

    page.goto(real_address + "compare/two/?a=deepseek-v3&b=kimi-k3")
    page.locator(".em-pair-out tbody tr").first.wait_for()
    found += faults(page, rules)

    page.goto(real_address + "claims/kimi-k3/?as-of=2026-07-19")
    page.locator(".em-banner").first.wait_for()
    for summary in page.locator(".em-grounds > summary").all()[:3]:
        if summary.is_visible():
            summary.click()
    page.locator(".em-take:visible").first.click()
    found += faults(page, rules)
    assert not found, "\n".join(found)


# What axe-core does not ask, on every page


def everything(site: Path) -> Iterator[tuple[str, LexborHTMLParser]]:
    for path in site.rglob("*.html"):
        yield str(path.relative_to(site)), LexborHTMLParser(path.read_text())


def text(node: LexborNode) -> str:
    return node.text(strip=True)


def test_every_page_has_one_first_heading_and_no_level_is_left_out(real_site: Path) -> None:
    found = []
    for where, page in everything(real_site):
        levels = [int(str(node.tag)[1]) for node in page.css("main :is(h1, h2, h3, h4, h5, h6)")]
        if levels.count(1) != 1 or levels[0] != 1:
            found.append(f"{where}: {levels.count(1)} h1 in {levels[:5]}")
        steps = pairwise(levels)
        found += [
            f"{where}: h{before} then h{after}" for before, after in steps if after > before + 1
        ]
    assert not found, "\n".join(found)


def test_every_table_of_data_says_what_it_is_and_which_cells_are_heads(real_site: Path) -> None:
    found = []
    for where, page in everything(real_site):
        for table in page.css("table.em-table"):
            caption = table.css_first("caption")
            if caption is None or not text(caption):
                found.append(f"{where}: a table without caption")
            if table.css_first("thead th[scope=col]") is None:
                found.append(f"{where}: a table without heads of columns")
            found += [
                f"{where}: th without scope: {text(th)}" for th in table.css("th:not([scope])")
            ]
            if table.css_first("tbody tr:not(:has(th[scope^=row]))") is not None:
                found.append(f"{where}: a row without its head")
    assert not found, "\n".join(found)
