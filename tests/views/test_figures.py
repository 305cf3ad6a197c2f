"""Figures: each drawn from claims that it links to, with the table behind it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from selectolax.lexbor import LexborHTMLParser

from evidence_matrix.pages.page import Page
from tests.views.conftest import Shown

COLUMNS = """
columns:
  - {title: Size, note: How large., aspects: [params.total, params.active], most: 2}
  - {title: Training, aspects: [rl.algorithm, env.tasks]}
  - {title: Cost, aspects: [cost.training]}
"""
STATIONS = {
    form: f"title: A {form}\ncaption: What is known\ndraw: {form}\nrows: [heron-1]{COLUMNS}"
    for form in ("line", "loop", "stack")
}
FACTORY = f"title: Factory\ncaption: Who discloses\ndraw: factory\nrows_are: labs{COLUMNS}"
LINEAGE = """
title: Lineage
caption: Who starts from whom
draw: lineage
dated_by: [event.release]
columns:
  - {title: Base, aspects: [lineage.base]}
"""
SPANS = """
title: Sparsity
caption: Active and total
draw: spans
columns:
  - {title: Total, aspects: [params.total]}
  - {title: Active, aspects: [params.active]}
  - {title: Share, aspects: [params.active_share]}
"""
LADDER = """
title: Ladder
caption: Context over time
draw: ladder
dated_by: [event.release]
columns:
  - {title: Window, aspects: [context.window], mark: release}
"""
ALL = {
    f"claims/tables/{name}.yaml": text
    for name, text in {
        **STATIONS,
        "factory": FACTORY,
        "lineage": LINEAGE,
        "sparsity": SPANS,
        "ladder": LADDER,
    }.items()
}


def links(page: LexborHTMLParser, within: str) -> list[str]:
    return [node.attributes["href"] or "" for node in page.css(f"{within} a")]


@pytest.mark.parametrize("form", STATIONS)
def test_boxes_hold_the_claims_of_their_column_for_wide_pages_and_phones(
    shown: Shown, form: str
) -> None:
    page = shown(ALL, f"figures/{form}/")
    wide, narrow = page.css("svg.em-sheet")
    assert "em-wide" in (wide.attributes["class"] or "")
    assert "em-narrow" in (narrow.attributes["class"] or "")
    for sheet in (wide, narrow):
        claims = [a.attributes["href"] for a in sheet.css("a") if "claims" in a.attributes["href"]]
        assert sorted(claims) == [
            "../../claims/heron-1/#cost.training",
            "../../claims/heron-1/#env.tasks",
            "../../claims/heron-1/#params.total",
            "../../claims/heron-1/#params.total@table-1",
            "../../claims/heron-1/#rl.algorithm",
        ]
        assert "and 2 more in the table" in sheet.text()
        assert sheet.css_first("a.em-U") is not None
    assert "{: #table }" in (page.html or "")
    assert len(page.css("table.em-grid .em-chip")) == 7


def test_a_factory_names_each_lab_at_the_stages_that_it_discloses(shown: Shown) -> None:
    sheet = shown(ALL, "figures/factory/").css_first("svg.em-wide")
    text = sheet.text()
    assert "How large. 2 of 2 labs." in text
    assert "1 of 2 labs." in text
    assert "0 of 2 labs." in text
    assert [a.text().split("\n")[0] for a in sheet.css("a")].count("") == 0
    assert len(sheet.css("a")) == 3


def test_lineage_draws_a_node_a_subject_and_a_labelled_edge(shown: Shown) -> None:
    page = shown(ALL, "figures/lineage/")
    sheet = page.css_first("svg.em-sheet")
    assert len(sheet.css("rect.em-x-node")) == 2
    assert len(sheet.css("path.em-x-edge")) == 1
    assert "../../claims/egret-2/#lineage.base" in links(page, "svg.em-sheet")
    (row,) = page.css("table tbody tr")
    assert row.css_first("th").text() == "Egret 2"
    assert row.css_first(".em-chip").attributes["data-c"] == "egret-2/lineage.base"


def test_sparsity_joins_part_and_whole_and_shows_their_claims(shown: Shown) -> None:
    page = shown(ALL, "figures/sparsity/")
    (row,) = page.css("table tbody tr")
    assert len(row.css("circle")) == 2
    assert row.css_first("line.em-x-span") is not None
    assert [chip.attributes["data-c"] for chip in row.css(".em-chip")] == [
        "heron-1/params.total",
        "heron-1/params.active",
        "heron-1/params.active_share",
    ]


def test_a_ladder_has_a_lane_for_each_rung(shown: Shown) -> None:
    page = shown(ALL, "figures/ladder/")
    assert [n.text() for n in page.css(".em-lane-title:not([aria-hidden])")] == ["128K and more"]
    (mark,) = page.css(".em-event")
    assert mark.css_first("a").attributes["href"] == "../../claims/heron-1/#context.window"
    assert mark.css_first("text").text() == "Heron-1 128K"


def test_the_gallery_leads_to_every_figure(
    shown: Shown, listed: Callable[[dict[str, str]], list[Page]]
) -> None:
    cards = links(shown(ALL, "figures/"), ".em-gallery")
    assert sorted(cards) == sorted(
        f"{name}/" for name in ("line", "loop", "stack", "factory", "lineage", "sparsity", "ladder")
    )
    (gallery,) = [page for page in listed(ALL) if page.url == "figures/"]
    assert gallery.nav == "Figures"
    assert gallery.tab == "Timeline & ledger"


def test_each_figure_has_words_for_those_who_do_not_see_it(shown: Shown) -> None:
    for name in ("line", "loop", "stack", "factory", "lineage"):
        page = shown(ALL, f"figures/{name}/")
        for sheet in page.css("svg.em-sheet"):
            assert sheet.attributes["aria-label"]
        for link in page.css("svg.em-sheet a"):
            assert link.text().strip()


def test_regions_of_a_page_have_names_of_their_own(shown: Shown) -> None:
    for name in ("line", "factory", "lineage", "sparsity", "ladder"):
        regions = shown(ALL, f"figures/{name}/").css("[role=region]")
        names = [region.attributes["aria-label"] for region in regions]
        assert len(names) == len(set(names)) > 0


def test_without_tables_there_is_no_gallery(
    listed: Callable[[dict[str, str]], list[Page]],
) -> None:
    assert not [page for page in listed({}) if page.url.startswith("figures")]
