"""The search of the site: for words of a record, that record stands first."""

from __future__ import annotations

import gzip
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from evidence_matrix import search
from evidence_matrix.matrix import Matrix
from evidence_matrix.pages import page as pages
from evidence_matrix.pages.composer import aspect_title
from evidence_matrix.pages.page import Find
from evidence_matrix.records import SubjectRecord
from evidence_matrix.views import all_pages
from tests.reader import FOLDER

SEED = 20261130
QUERIES = 50  # of each of the four kinds
FIRST = 0.95  # share of queries whose record must stand first
LOADED = (
    300_000  # gzipped bytes that a reader loads for a first search, library and dialog included
)
RAW = 2_000_000  # bytes of all words; a search loads the few parts that it needs

# The dialog's own instance is asked, as typing asks it, and its first hits are read.
_ASK = """async (queries) => {
  const instance = window.PagefindComponents.getInstanceManager().getInstance("default");
  const asked = (query) => new Promise((done) => {
    const listen = (found) => found && instance.searchTerm === query && done(found);
    instance.on("results", listen);
    instance.triggerSearch(query);
  });
  const first = [];
  for (const query of queries) {
    const found = await asked(query);
    first.push(found.results.length ? (await found.results[0].data()).meta.url : "");
  }
  return first;
}"""


def test_a_page_of_prose_is_found_by_its_sections_and_not_by_what_is_drawn_or_noted(
    tmp_path: Path,
) -> None:
    (tmp_path / "chapters/owls").mkdir(parents=True)
    (tmp_path / "chapters/owls/index.html").write_text(
        "<article><h1>Owls</h1><p>They hunt.</p><h2 id=night>By night"
        "<a class=headerlink>¶</a></h2><p>Unseen.</p><div data-search-exclude>rows</div>"
        "<section class=em-notes>notes</section></article>"
    )
    owls = pages.Page(
        url="chapters/owls/",
        template="chapter",
        title="Owls",
        description="About owls.",
        content=lambda _: {},
        kind="Chapter",
    )
    assert list(search.finds([owls], tmp_path)) == [
        ("chapters/owls/", Find("Owls", "Chapter", text="About owls. They hunt.")),
        ("chapters/owls/#night", Find("Owls: By night", "Chapter", "night", text="Unseen.")),
    ]


def test_each_claim_source_and_term_can_be_found_where_it_stands(tiny_matrix: Matrix) -> None:
    records = [page for page in all_pages(tiny_matrix) if page.finds]
    found = {url for url, _ in search.finds(records, Path())}
    assert {f"claims/{c.subject}/#{c.key}" for c in tiny_matrix.claims.values()} <= found
    assert {f"sources/{key}/" for key in tiny_matrix.sources} <= found
    assert {f"glossary/#term-{term}" for term in tiny_matrix.terms} <= found


def test_a_search_that_cannot_be_made_says_why(tmp_path: Path) -> None:
    (tmp_path / search.FOLDER).write_text("a file where the folder should be")
    with pytest.raises(search.SearchError, match=r"\w"):
        search.index([], tmp_path)


@pytest.fixture
def page(chromium: Browser, real_address: str) -> Iterator[Page]:
    with chromium.new_context() as context:
        page = context.new_page()
        page.goto(real_address)
        yield page


def queries(matrix: Matrix, seed: int) -> list[tuple[str, str, set[str]]]:
    """Kind, words and the addresses of the records that they name, by chance from the seed."""
    chance = random.Random(seed)
    claims = list(matrix.claims.values())
    asked = []
    for claim in chance.sample(claims, QUERIES):
        words = f"{matrix.subjects[claim.subject].name} {aspect_title(claim, matrix)}"
        same = [c for c in matrix.claims_of_subject[claim.subject] if c.aspect == claim.aspect]
        asked.append(("subject and aspect", words, {f"claims/{c.subject}/#{c.key}" for c in same}))
    for claim in chance.sample(claims, QUERIES):
        asked.append(("claim id", claim.id, {f"claims/{claim.subject}/#{claim.key}"}))
    sources = list(matrix.sources.values())
    for source in chance.sample(sources, QUERIES):
        number = re.search(r"\d{4}\.\d{5}", source.record.url or "")
        words = number.group() if number and chance.random() < 0.5 else source.key
        same = [s for s in sources if words == s.key or words in (s.record.url or "")]
        asked.append(("source", words, {f"sources/{s.key}/" for s in same}))
    names = {name: term for name, term in matrix.term_names.items() if name not in matrix.terms}
    for name in chance.sample(sorted(names), QUERIES):
        called = [s for s in matrix.subjects.values() if name in _names(s.record)]
        right = {f"claims/{s.id}/" for s in called} | {f"glossary/#term-{names[name]}"}
        asked.append(("term", name, right))
    return asked


def _names(record: SubjectRecord) -> set[str]:
    return {name.casefold() for name in (record.name, *record.aliases)}


@pytest.mark.integration
@pytest.mark.browser
def test_the_record_that_is_asked_for_stands_first(
    page: Page, real_matrix: Matrix, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = queries(real_matrix, SEED)
    page.keyboard.press("/")
    expect(page.get_by_role("dialog")).to_be_visible()
    first = page.evaluate(_ASK, [words for _, words, _ in asked])
    missed = [
        (kind, words, hit)
        for (kind, words, right), hit in zip(asked, first, strict=True)
        if hit not in right
    ]
    share = 1 - len(missed) / len(asked)
    kinds = Counter(kind for kind, _, _ in missed)
    with capsys.disabled():
        print(f"\nsearch, seed {SEED}: the right record is first in {share:.1%} of {len(asked)}")
        print(f"missed {dict(kinds)}: {missed}")
    assert len(asked) == 4 * QUERIES
    assert share >= FIRST


@pytest.mark.integration
@pytest.mark.browser
@pytest.mark.parametrize(
    ("typed", "title", "answer"),
    [
        ("DeepSeek-V3 pre-training tokens", "DeepSeek-V3: Pre-training tokens", "14.8T tokens D"),
        ("kimi-k3/params.active", "Kimi K3: Active parameters", "104B D"),
        ("2412.19437", "DeepSeek-V3 Technical Report", ""),
        ("group relative policy optimization", "Group Relative Policy Optimization", ""),
    ],
)
def test_what_is_typed_finds_its_record_with_the_answer_beside_it(
    page: Page, typed: str, title: str, answer: str
) -> None:
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.get_by_role("searchbox", name="Search this site")).to_be_focused()
    page.keyboard.type(typed)
    first = page.get_by_role("dialog").locator("li.pf-result").first
    expect(first.locator(".pf-result-title")).to_contain_text(title)
    expect(first.locator(".pf-result-title")).to_contain_text(answer)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_role("button", name="Search", exact=True)).to_be_focused()


@pytest.mark.integration
@pytest.mark.browser
def test_nothing_of_the_search_is_loaded_before_it_is_asked_for(
    page: Page, real_site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    loaded: list[Path] = []
    page.on(
        "response",
        lambda answer: loaded.append(
            real_site / urlsplit(answer.url).path.removeprefix(f"/{FOLDER}/")
        ),
    )
    page.reload()
    assert not page.evaluate(
        "performance.getEntriesByType('resource').some(r => /search/.test(r.name))"
    )
    loaded.clear()
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Search this site")).to_be_focused()
    page.keyboard.type("Kimi K3 active parameters")
    expect(page.locator("li.pf-result a").first).to_be_visible()
    size = sum(len(gzip.compress(path.read_bytes())) for path in loaded)
    folder = real_site / search.FOLDER
    raw = sum(path.stat().st_size for path in (folder / "index").iterdir())
    entries = len(list((folder / "fragment").iterdir()))
    with capsys.disabled():
        print(
            f"\nsearch: {entries} entries, {raw / 1e6:.2f} MB of words in all; a first search "
            f"loads {size / 1000:.0f} kB (gzipped)"
        )
    assert raw <= RAW
    assert 0 < size <= LOADED
