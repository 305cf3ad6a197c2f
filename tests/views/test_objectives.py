"""Objective pages: what is printed, run, tested, measured and disclosed, tied to the lines."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from evidence_matrix.objectives.catalog import entries
from evidence_matrix.pages.addresses import Addresses
from evidence_matrix.pages.composer import Composer
from evidence_matrix.render import environment
from evidence_matrix.store import load
from evidence_matrix.views import all_pages
from tests.views.conftest import FRONT, Shown

TERMS = {
    "claims/acme/egret-2.yaml": """
subject: {name: Egret 2, kind: model}
claims:
  rl.algorithm:
    label: D
    value: GRPO
    evidence: [{source: egret-2-card, at: "line 3", quote: "Egret 2 is trained with GRPO"}]
    public: 2025-06
    checked: 2026-07-19
  data.sources:
    label: D
    value: answers that PPO liked
    evidence: [{source: egret-2-card, at: "line 4", quote: "answers that PPO liked"}]
    public: 2025-06
    checked: 2026-07-19
"""
}


def test_a_page_has_every_part_and_sources_as_a_list(shown: Shown) -> None:
    text = shown({}, "objectives/grpo/").html or ""
    parts = re.findall(r"^## (.+?)$", text, re.MULTILINE)
    assert parts == [
        "Idea",
        "Equation",
        "Symbols",
        "Code",
        "What the paper leaves open",
        "What the tests prove",
        "Who discloses using it",
    ]
    assert "\n- DeepSeekMath, arXiv 2402.03300v3" in text
    assert "\nSource: " not in text


@pytest.mark.parametrize("objective", ["ppo", "muonclip", "kl", "kto"])
def test_every_link_within_a_page_leads_to_a_place_on_it(shown: Shown, objective: str) -> None:
    page = shown({}, f"objectives/{objective}/")
    ids = [node.id for node in page.css("[id]")]
    assert len(ids) == len(set(ids))
    links = {str(a.attributes["href"]) for a in page.css('a[href^="#"]')}
    assert {link.removeprefix("#") for link in links} <= set(ids)
    entry = next(entry for entry in entries() if entry.id == objective)
    rows = range(1, len(entry.symbols) + 1)
    assert {f"#uses-{row}" for row in rows} <= links
    assert {f"symbol-{row}" for row in rows} <= set(ids)


def test_using_an_objective_is_not_being_mentioned(shown: Shown) -> None:
    used = shown(TERMS, "objectives/grpo/").html or ""
    assert "Egret 2" in used.partition("## Who discloses using it")[2]
    named = shown(TERMS, "objectives/ppo/").html or ""
    assert "Egret 2" not in named


def test_without_the_run_and_the_cases_the_pages_stand_without_them(shown: Shown) -> None:
    page = shown({}, "objectives/ppo/")
    assert not page.css("figure")
    assert "other code" not in (page.html or "")
    assert not shown({}, "objectives/").css("figure")


@pytest.fixture(scope="module")
def real() -> dict[str, str]:
    """The pages of the real record as they stand before the generator, by URL."""
    matrix = load(Path(__file__).parents[2], date.today()).matrix
    pages = list(all_pages(matrix))
    addresses = Addresses.of(pages, [])
    templates = environment()
    found = {}
    for page in pages:
        if page.url.startswith("objectives/"):
            composer = Composer(matrix, addresses, page.url, templates)
            template = templates.get_template(f"pages/{page.template}.md.j2")
            found[page.url] = template.render(p=FRONT, **page.content(composer))
    return found


def choices(text: str, figure: str) -> dict[str, bool]:
    """The settings of a figure, and whether each is marked as disclosed."""
    page = LexborHTMLParser(text)
    labels = [label.text().strip() for label in page.css(f"#shape-{figure} fieldset label")]
    return {label.removesuffix(" disclosed"): label.endswith("disclosed") for label in labels}


@pytest.mark.integration
def test_settings_that_labs_disclose_are_marked_by_their_claims(real: dict[str, str]) -> None:
    dapo = real["objectives/dapo/"]
    marked = choices(dapo, "dapo")
    assert marked["clip_high 0.28"]
    assert not marked["clip_high 0.2"]
    assert 'data-c="dapo/rl.clip_high"' in dapo
    assert 'data-c="gspo/rl.clip_low"' in real["objectives/gspo/"]
    assert any(choices(real["objectives/sao/"], "sao").values())


@pytest.mark.integration
def test_what_frameworks_do_differently_has_its_measured_size(real: dict[str, str]) -> None:
    page = LexborHTMLParser(real["objectives/gspo/"])
    rows = [[cell.text().strip() for cell in row.css("th, td")] for row in page.css("tbody tr")]
    areal = next(row for row in rows if row[0].startswith("AReaL"))
    assert areal[2] == "0.0405 of 0.365"
    assert next(row for row in rows if row[0].startswith("OpenRLHF"))[2:] == ["the same"] * 2


@pytest.mark.integration
def test_five_methods_stand_beside_each_other_on_the_reference_page(real: dict[str, str]) -> None:
    assert len(choices(real["objectives/"], "compared")) == 5
    assert "{: #compared }" in real["objectives/"]
