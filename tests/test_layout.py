"""Weight and layout: of every page the file, of the longest of each kind what a browser shows."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
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
MOST_ELEMENTS_A_CLAIM = 28  # of a fact sheet too long for that, frame of the page included
MOST_SCREENS = 25  # of a phone
MOST_SHIFT = 0.02  # cumulative layout shift
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


@pytest.fixture(scope="module")
def urls(real_site: Path, real_matrix: Matrix) -> list[str]:
    return [*longest(real_matrix, real_site), "compare/two/?a=deepseek-v3&b=kimi-k3"]


def opened(page: Page, address: str, urls: list[str]) -> Iterator[str]:
    """Opens each page in turn, and waits until it does not change any more."""
    for url in urls:
        page.goto(address + url, wait_until="networkidle")
        page.evaluate("Promise.resolve(window.MathJax?.startup?.promise)")
        page.evaluate("document.fonts.ready")
        yield url


@pytest.mark.browser
def test_no_page_scrolls_sideways(chromium: Browser, real_address: str, urls: list[str]) -> None:
    found = []
    with chromium.new_context(viewport=PHONE) as context:
        page = context.new_page()
        for url in opened(page, real_address, urls):
            for width in (320, 390, 1440):
                page.set_viewport_size({"width": width, "height": 844})
                wide = page.evaluate("document.documentElement.scrollWidth")
                if wide > width:
                    found.append(f"{url} is {wide} px wide on a screen of {width}")
    assert not found, "\n".join(found)


@pytest.mark.browser
def test_a_page_is_read_on_a_phone_and_does_not_jump(
    chromium: Browser, real_address: str, urls: list[str]
) -> None:
    found = []
    for viewport in (PHONE, DESK):
        with chromium.new_context(viewport=viewport) as context:
            page = context.new_page()
            page.add_init_script(_WATCH)
            for url in opened(page, real_address, urls):
                shift, shifted = page.evaluate("[window.shift, window.shifted]")
                if shift > MOST_SHIFT:
                    found.append(
                        f"{url} moves by {shift:.3f} at {viewport['width']}: {shifted[:4]}"
                    )
                screens = page.evaluate("document.documentElement.scrollHeight / innerHeight")
                if viewport is PHONE and screens > MOST_SCREENS:
                    found.append(f"{url} takes {screens:.1f} screens of a phone")
    assert not found, "\n".join(found)


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
    if (/^(rect|path|polygon|circle)$/.test(node.nodeName)) return getComputedStyle(node).fill;
    return getComputedStyle(node).backgroundColor;
  };
  const found = [];
  for (const node of document.querySelectorAll("body, body *")) {
    const {width, height} = node.getBoundingClientRect();
    if (width < 40 || height < 24 || !node.checkVisibility()) continue;
    if (bright(ground(node))) found.push(`${node.nodeName} ${node.getAttribute("class")}`);
  }
  return found.slice(0, 3);
}"""


@pytest.mark.browser
def test_in_the_dark_nothing_is_a_bright_box(
    chromium: Browser, real_address: str, urls: list[str]
) -> None:
    found = []
    for viewport in (PHONE, DESK):
        with chromium.new_context(viewport=viewport, color_scheme="dark") as context:
            page = context.new_page()
            for url in opened(page, real_address, urls):
                found += [f"{url}: {box}" for box in page.evaluate(_BRIGHT)]
    assert not found, "\n".join(found)
