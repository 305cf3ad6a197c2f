from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.conftest import ROOT, Run

World = Callable[[dict[str, str]], Path]
BAD = {
    "a record that cannot be read": ("claims/acme/wren.yaml", "subject: [\n"),
    "a claim without a source": (
        "claims/acme/wren.yaml",
        "subject: {name: Wren, kind: model}\n"
        "claims: {data.sources: {label: D, value: pages, checked: 2026-07-19, public: 2025-06}}\n",
    ),
    "a typed number in a chapter": (
        "docs/chapters/wrens.md",
        "# Wrens\n\n[Heron-1](../../claims/heron-1/) has 96 billion parameters.\n",
    ),
    "a citation of nothing": (
        "docs/chapters/wrens.md",
        "# Wrens\n\nIt has [@wren/params.total].\n",
    ),
}


def test_a_root_becomes_a_site(run: Run, world: World) -> None:
    root = world({"mkdocs.yml": (ROOT / "mkdocs.yml").read_text()})
    ran = run("build", "--as-of", "2026-07-01", root=root)
    assert ran.code == 0
    assert ran.out.startswith("as of 2026-07-01: chapters are left out")
    assert f"pages stand in {root / 'site'}" in ran.out
    assert (root / "site/claims/heron-1/index.html").is_file()
    assert not (root / "site/chapters").exists()


@pytest.mark.parametrize("address", ["", "https://example.org/matrix"])
def test_the_address_of_the_site_is_on_every_page_only_if_it_is_given(
    run: Run, world: World, address: str
) -> None:
    root = world({"mkdocs.yml": (ROOT / "mkdocs.yml").read_text()})
    assert run("build", "--site-url", address, root=root).code == 0
    site = root / "site"
    pages = sorted(path.parent for path in site.rglob("index.html"))
    urls = [f"{address}/{p.relative_to(site).as_posix()}/".replace("/./", "/") for p in pages]
    listed = re.findall("<loc>(.*?)</loc>", (site / "sitemap.xml").read_text())
    assert sorted(listed) == (sorted(urls) if address else [])
    assert "lastmod" not in (site / "sitemap.xml").read_text()
    for page, url in zip(pages, urls, strict=True):
        html = (page / "index.html").read_text()
        for tag in (f'rel="canonical" href="{url}"', f'property="og:url" content="{url}"'):
            assert (tag in html) == bool(address)
        assert ('rel="canonical"' in html) == ("og:url" in html) == bool(address)
        feed = re.search(r'application/atom\+xml" title="Changes" href="([^"]+)"', html)
        assert feed
        assert (page / feed[1]).resolve() == (site / "feed.xml").resolve()
    base = re.search('xml:base="(.*?)"', (site / "feed.xml").read_text())
    assert base
    assert base[1] == (f"{address}/" if address else "./")


@pytest.mark.parametrize("address", ["example.org", "ftp://example.org/", "https:///a"])
def test_an_address_that_is_none_is_a_message(run: Run, address: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        run("build", "--site-url", address)
    assert stopped.value.code == 2


@pytest.mark.parametrize("name", BAD)
def test_what_check_refuses_stops_the_build_before_anything_is_written(
    run: Run, world: World, name: str
) -> None:
    file, text = BAD[name]
    root = world({file: text})
    ran = run("build", root=root)
    assert ran.code == 2
    assert "stop the build; run `evidence-matrix check`" in ran.err
    assert not (root / "build").exists()


def test_a_configuration_that_cannot_be_read_is_a_message(run: Run, world: World) -> None:
    root = world({"mkdocs.yml": "theme: no-such-theme\n"})
    ran = run("build", "--as-of", "2026-07-01", root=root)
    assert ran.code == 2
    assert "the site generator stopped" in ran.err


def test_a_folder_that_cannot_be_written_is_a_message(run: Run, world: World) -> None:
    root = world({"mkdocs.yml": "site_name: Wrens\n"})
    shutil.rmtree(root / "build", ignore_errors=True)
    (root / "build").write_text("a file stands in the way")
    ran = run("build", root=root)
    assert ran.code == 2
    assert "build" in ran.err


@pytest.mark.parametrize("day", ["yesterday", "2026-13-01", ""])
def test_a_day_that_is_none_is_a_message(run: Run, day: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        run("build", "--as-of", day)
    assert stopped.value.code == 2


def test_a_root_without_the_generators_configuration_says_so(run: Run, world: World) -> None:
    root = world({})
    ran = run("build", root=root)
    assert ran.code == 2
    assert ran.err.startswith(f"evidence-matrix: {root} has no mkdocs.yml")
    assert not (root / "build").exists()
