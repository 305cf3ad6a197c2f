"""The built site, crawled: nothing on it leads nowhere, and nothing comes from another host."""

from __future__ import annotations

import gzip
import shutil
from datetime import date
from pathlib import Path

import pytest

from evidence_matrix.cli import main
from evidence_matrix.render import render
from evidence_matrix.site import SiteError, generate
from evidence_matrix.store import load
from tests.conftest import TINY, TODAY
from tests.crawler import Crawl
from tests.reader import ROOT

HEAVIEST = 60_000  # bytes of gzipped HTML


@pytest.fixture(scope="session")
def tiny_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tiny") / "root"
    shutil.copytree(TINY, root)
    shutil.copy(ROOT / "mkdocs.yml", root)
    assert main(["build", "--root", str(root), "--today", str(TODAY)]) == 0
    return root / "site"


def test_nothing_on_the_tiny_site_leads_nowhere(tiny_site: Path) -> None:
    crawl = Crawl(tiny_site)
    assert len(crawl.pages) > 100
    assert not list(crawl.faults())


def test_each_claim_has_an_anchor_that_is_its_key(tiny_site: Path) -> None:
    matrix = load(TINY, TODAY).matrix
    crawl = Crawl(tiny_site)
    for claim in matrix.claims.values():
        page = tiny_site / "claims" / claim.subject / "index.html"
        assert crawl.ids[page][claim.key] == 1


def test_math_is_loaded_only_where_there_are_formulas(tiny_site: Path) -> None:
    for path, page in Crawl(tiny_site).pages.items():
        loads = any("mathjax" in (n.attributes.get("src") or "") for n in page.css("script[src]"))
        if page.css_first(".arithmatex"):
            assert loads, path
        if "claims/" in str(path):
            assert not loads, path


def test_the_same_records_give_the_same_bytes(tmp_path: Path) -> None:
    matrix = load(TINY, TODAY).matrix
    for name in ("one", "two"):
        render(matrix, tmp_path / name)
    first = sorted(p.relative_to(tmp_path / "one") for p in (tmp_path / "one/docs").rglob("*"))
    assert first == sorted(
        p.relative_to(tmp_path / "two") for p in (tmp_path / "two/docs").rglob("*")
    )
    for path in first:
        if (tmp_path / "one" / path).is_file():
            assert (tmp_path / "one" / path).read_bytes() == (tmp_path / "two" / path).read_bytes()


def test_a_broken_link_stops_the_build(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "index.md").write_text("# Home\n\n[nowhere](nowhere.md)\n")
    (tmp_path / "mkdocs.yml").write_text("site_name: Broken\n")
    with pytest.raises(SiteError, match=r"nowhere\.md"):
        generate(tmp_path / "mkdocs.yml")


def test_a_generator_that_fails_says_its_last_word_and_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# Home\n")
    (tmp_path / "mkdocs.yml").write_text("site_name: Shut\n")
    (tmp_path / "site").write_text("no folder")
    with pytest.raises(SiteError, match="site") as stopped:
        generate(tmp_path / "mkdocs.yml")
    assert "Traceback" not in str(stopped.value)
    assert "Error" in str(stopped.value).rpartition("\n")[2]


def test_a_site_as_of_a_day_shows_what_could_be_known_then(tmp_path: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(TINY, root)
    matrix = load(root, TODAY).matrix.at(date(2025, 2, 5))
    render(matrix, root / "build")
    page = (root / "build/docs/claims/heron-1/index.md").read_text()
    assert "not found" in page
    assert "96B" not in page
    assert not (root / "build/docs/chapters").exists()


@pytest.mark.integration
def test_nothing_on_the_real_site_leads_nowhere(real_site: Path) -> None:
    crawl = Crawl(real_site)
    assert len(crawl.pages) > 500
    assert not list(crawl.faults())[:20]


@pytest.mark.integration
def test_no_page_of_the_real_site_is_heavier_than_a_phone_bears(real_site: Path) -> None:
    heavy = {
        str(path.relative_to(real_site)): len(gzip.compress(path.read_bytes()))
        for path in real_site.rglob("*.html")
    }
    assert not {page: size for page, size in heavy.items() if size > HEAVIEST}
