"""Weight and layout: of every page the file, of the longest of each kind what a browser shows."""

from __future__ import annotations

import gzip
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize
from selectolax.lexbor import LexborHTMLParser

from evidence_matrix.matrix import Matrix
from tests.kinds import longest

pytestmark = pytest.mark.integration

MOST_BYTES = 60_000  # of HTML, compressed
MOST_ELEMENTS = 1_500  # of a fact sheet
MOST_ELEMENTS_A_CLAIM = 32  # an inference lists its premises and its steps
MOST_SCREENS = 25  # of a phone
MOST_SHIFT = 0.1  # what web vitals call good; a busy machine paints a long table in pieces
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1440, "height": 900}


# All pages, by their files


@dataclass(frozen=True)
class File:
    """A page of the site as it is sent."""

    where: str
    html: bytes

    def tree(self) -> LexborHTMLParser:
        return LexborHTMLParser(self.html.decode())


@pytest.fixture(scope="module")
def files(real_site: Path) -> list[File]:
    paths = sorted(real_site.rglob("*.html"))
    return [File(str(path.relative_to(real_site)), path.read_bytes()) for path in paths]


def test_no_page_is_heavy(files: list[File]) -> None:
    with ThreadPoolExecutor() as pool:
        sizes = pool.map(lambda file: len(gzip.compress(file.html, 6)), files)
    heavy = [(f.where, size) for f, size in zip(files, sizes, strict=True) if size > MOST_BYTES]
    assert heavy == []


def test_a_fact_sheet_has_few_elements(files: list[File]) -> None:
    """A phone lays out some 1,500 elements at once.

    A sheet of more than fifty claims needs more, because without a script each claim must show
    value, label, words, source, place and dates: there a claim has its allowance.
    """
    found = []
    for file in files:
        if not file.where.startswith("claims/"):
            continue
        tree = file.tree()
        claims = len(tree.css("article.em-claim"))
        elements = len(tree.css("*"))
        if elements > max(MOST_ELEMENTS, MOST_ELEMENTS_A_CLAIM * claims):
            found.append(f"{file.where}: {elements} elements for {claims} claims")
    assert not found, "\n".join(found)


def test_a_page_loads_the_typesetter_just_where_it_has_formulas(files: list[File]) -> None:
    found = []
    for file in files:
        formulas = b"arithmatex" in file.html and bool(file.tree().css(".arithmatex"))
        if formulas != (b"vendor/mathjax/" in file.html):
            found.append(file.where)
    assert not found, "\n".join(found)


_LOADS = re.compile(
    rb"""<(?:script|img|iframe|source|video|audio|embed|object)\b[^>]*\b(?:src|data)=["']?(?:https?:)?//"""
    rb"""|<link\b(?=[^>]*\brel=["']?(?:stylesheet|preload|modulepreload|prefetch|preconnect|dns-prefetch|icon))"""
    rb"""[^>]*\bhref=["']?(?:https?:)?//|@import|url\(["']?(?:https?:)?//""",
    re.IGNORECASE,
)


def test_no_page_and_no_style_loads_anything_from_another_host(
    files: list[File], real_site: Path
) -> None:
    styles = [File(str(p.relative_to(real_site)), p.read_bytes()) for p in real_site.rglob("*.css")]
    found = [
        f"{file.where}: {match[0].decode()[:120]}"
        for file in [*files, *styles]
        if (match := _LOADS.search(file.html))
    ]
    assert not found, "\n".join(found)


# The longest page of each kind, in a browser


_WATCH = """
window.shift = 0;
window.shifted = [];
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue;
    window.shift += entry.value;
    window.shifted.push(...entry.sources.map(({node}) => node?.className || node?.nodeName));
  }
}).observe({type: "layout-shift", buffered: true});
"""


# The scheme of the dark, with no color still on its way there.
_NIGHT = """
document.body.dataset.mdColorScheme = "slate";
document.getAnimations().forEach(change => change.finish());
"""

# Boxes that paint a ground of their own which is nearly white.
_BRIGHT = """() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const bright = color => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = "transparent"; // an odd color would leave the one before
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return a > 127 && .2126 * r + .7152 * g + .0722 * b > 204;
  };
  const ground = node => {
    if (node.nodeName === "rect") return getComputedStyle(node).fill;
    return node instanceof SVGElement ? "transparent" : getComputedStyle(node).backgroundColor;
  };
  const found = [];
  for (const node of document.querySelectorAll("body, body *")) {
    const {width, height} = node.getBoundingClientRect();
    if (width < 40 || height < 24 || !node.checkVisibility({opacityProperty: true})) continue;
    if (bright(ground(node))) found.push(`${node.nodeName} ${node.getAttribute("class")}`);
  }
  return found.slice(0, 3);
}"""

# Words of tables that stand in two lines; addresses and code may break anywhere.
_TORN = """() => {
  const found = [];
  for (const cell of document.querySelectorAll(".em-table :is(th, td:not(.em-string))")) {
    if (!cell.checkVisibility() || cell.closest("thead")?.clientWidth < 2) continue;
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (text.parentElement.closest("code, .em-vh")) continue;
      for (const word of text.data.matchAll(/\\p{L}{4,}/gu)) {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        const boxes = [...range.getClientRects()].filter(({width}) => width > 1);
        const tops = boxes.map(({top}) => top);
        if (Math.max(...tops) - Math.min(...tops) > 8) found.push(word[0]);
      }
    }
  }
  return found.slice(0, 5);
}"""

# Subscripts and superscripts that are set as large as what they belong to.
_LARGE = """() => {
  const size = node => parseFloat(getComputedStyle(node).fontSize);
  return [...document.querySelectorAll("mjx-script")].filter(({firstElementChild: script}) =>
    script && size(script) > .9 * size(script.closest("mjx-container"))).length;
}"""


@dataclass(frozen=True)
class Sight:
    """What a browser of one width says of a page that has come to rest."""

    url: str
    viewport: ViewportSize
    screens: float
    shift: float
    shifted: list[str]
    widths: dict[int, int]  # of the page, by the width of the screen
    bright: list[str]  # in the dark
    torn: list[str]  # words of tables
    large: int  # subscripts and superscripts as large as their base


def look(page: Page, address: str, url: str, viewport: ViewportSize) -> Sight:
    page.set_viewport_size(viewport)
    drawn = "?" in url or url == "explore/"  # by a script, from data that it fetches
    page.goto(address + url, wait_until="networkidle" if drawn else "load")
    page.evaluate("Promise.resolve(window.MathJax?.startup?.promise)")
    page.evaluate("document.fonts.ready")
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    shift, shifted, screens = page.evaluate(
        "[window.shift, window.shifted, document.documentElement.scrollHeight / innerHeight]"
    )
    torn, large = page.evaluate(_TORN), page.evaluate(_LARGE)
    page.evaluate(_NIGHT)
    bright = page.evaluate(_BRIGHT)
    widths = {}
    for width in (viewport["width"], 320) if viewport is PHONE else (viewport["width"],):
        page.set_viewport_size({"width": width, "height": viewport["height"]})
        widths[width] = page.evaluate("document.documentElement.scrollWidth")
    return Sight(url, viewport, screens, shift, shifted, widths, bright, torn, large)


@pytest.fixture(scope="module")
def sights(
    chromium: Browser, real_address: str, real_site: Path, real_matrix: Matrix
) -> list[Sight]:
    urls = [*longest(real_matrix, real_site), "compare/two/?a=deepseek-v3&b=kimi-k3"]
    with chromium.new_context() as context:
        page = context.new_page()
        page.add_init_script(_WATCH)
        return [look(page, real_address, url, size) for size in (PHONE, DESK) for url in urls]


@pytest.mark.browser
def test_no_page_scrolls_sideways(sights: list[Sight]) -> None:
    found = [
        f"{sight.url} is {wide} px wide on a screen of {width}"
        for sight in sights
        for width, wide in sight.widths.items()
        if wide > width
    ]
    assert not found, "\n".join(found)


@pytest.mark.browser
def test_no_page_is_long_on_a_phone(sights: list[Sight]) -> None:
    found = [
        f"{sight.url} takes {sight.screens:.1f} screens"
        for sight in sights
        if sight.viewport is PHONE and sight.screens > MOST_SCREENS
    ]
    assert not found, "\n".join(found)


@pytest.mark.browser
def test_no_page_moves_under_its_reader(sights: list[Sight]) -> None:
    found = [
        f"{sight.url} moves by {sight.shift:.3f} at {sight.viewport['width']}: {sight.shifted[:4]}"
        for sight in sights
        if sight.shift > MOST_SHIFT
    ]
    assert not found, "\n".join(found)


@pytest.mark.browser
def test_in_the_dark_nothing_is_a_bright_box(sights: list[Sight]) -> None:
    found = [f"{sight.url}: {box}" for sight in sights for box in sight.bright]
    assert not found, "\n".join(found)


@pytest.mark.browser
def test_no_word_of_a_table_is_torn_in_two(sights: list[Sight]) -> None:
    found = [
        f"{sight.url} at {sight.viewport['width']}: {', '.join(sight.torn)}"
        for sight in sights
        if sight.torn
    ]
    assert not found, "\n".join(found)


@pytest.mark.browser
def test_what_stands_above_or_below_in_a_formula_is_smaller(sights: list[Sight]) -> None:
    found = [f"{sight.url}: {sight.large}" for sight in sights if sight.large]
    assert not found, "\n".join(found)


@pytest.mark.browser
def test_on_a_desk_the_whole_map_of_labs_is_in_view(chromium: Browser, real_address: str) -> None:
    with chromium.new_context(viewport=DESK) as context:
        page = context.new_page()
        page.goto(real_address)
        wide, shown = page.locator(".em-mapwrap").evaluate("n => [n.scrollWidth, n.clientWidth]")
        assert wide <= shown
