"""What a reader has: the built site of the real claims, served, and a browser to open it with."""

from __future__ import annotations

import fcntl
import functools
import http.server
import json
import os
import shutil
import threading
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

from evidence_matrix.cli import main
from evidence_matrix.matrix import Matrix
from evidence_matrix.store import load

ROOT = Path(__file__).parents[1]
FOLDER = "evidence-matrix"  # a site of a project is rarely at the root of its host
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 30_000  # milliseconds until a page has failed to show something on a busy machine
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="session")
def real_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the real claims, built once for all processes that run tests.

    EVIDENCE_MATRIX_SITE names one that was built just before.
    """
    built = os.environ.get("EVIDENCE_MATRIX_SITE")
    if built:
        return Path(built)
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    done = shared / "site-is-built"
    with (shared / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            assert main(["build", "--root", str(ROOT)]) == 0
            done.touch()
    return ROOT / "site"


@pytest.fixture(scope="session")
def real_matrix(real_site: Path) -> Matrix:
    """The real records, judged on the day of the site: what its pages must say."""
    day = json.loads((real_site / "data/explorer.json").read_text())["day"]
    return load(ROOT, date.fromisoformat(day)).matrix


@pytest.fixture(scope="session")
def real_address(real_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the real site is served on this machine, below a folder; ends in a slash."""
    root = tmp_path_factory.mktemp("served")
    (root / FOLDER).symlink_to(real_site)
    handler = functools.partial(_Quiet, directory=str(root))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/{FOLDER}/"
    server.shutdown()
    server.server_close()
    thread.join()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        """Say nothing: the tests say what they saw."""


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One Chromium for all browser tests; that there is none is a failure, not a skip."""
    path = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    if path is None:
        pytest.fail(
            "the browser tests need Chromium: `apt-get install chromium`, or put one on PATH as "
            + " or ".join(CHROMIUM)
        )
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def context(chromium: Browser) -> Iterator[BrowserContext]:
    """A reader at a desk."""
    with chromium.new_context(viewport={"width": 1440, "height": 900}) as context:
        yield context


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page of that reader, still empty."""
    with context.new_page() as page:
        yield page


def found(page: Page, words: str) -> Locator:
    """The first of what the search of the site finds for the words that are typed into it."""
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Search this site")).to_be_focused()
    page.keyboard.type(words)
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("pagefind-summary")).to_contain_text(f"for {words}")  # not for a part
    return dialog.locator("li.pf-result a").first


def first_chip(page: Page) -> tuple[Locator, Locator]:
    """A chip and the note that it opens."""
    chip = page.get_by_role("main").locator("button.em-chip").first
    return chip, page.locator(f"#{chip.get_attribute('popovertarget')}")
