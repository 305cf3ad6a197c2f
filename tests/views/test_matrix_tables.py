"""Matrix tables: each cell claims, a count with its denominator, or nothing."""

from __future__ import annotations

from collections.abc import Callable

from evidence_matrix.pages.page import Page
from tests.views.conftest import Shown

LABS = """
title: Disclosure
caption: How many disclose it
rows_are: labs
columns:
  - {title: Size, aspects: [params.total], show: count}
  - {title: Cost, aspects: [cost.training], show: count}
  - {title: Lineage, aspects: [lineage.base], show: count}
"""
SIZES = """
title: Sizes
caption: Total and active parameters
rows: [heron-1, egret-2]
columns:
  - {title: Total, aspects: [params.total], most: 2}
  - {title: Base, aspects: [lineage.base]}
  - {title: Context, aspects: [context.window]}
"""
LATEST = """
title: Latest
caption: The latest
rows_are: latest
kinds: [model]
dated_by: [event.release]
columns:
  - {title: Size, aspects: [params.total]}
  - {title: Unknown, core: yes, labels: [U]}
"""
SCORES = """
title: Scores
caption: Scores with their protocols
rows_are: claims
columns:
  - {title: PondBench, aspects: [bench.pond]}
  - {title: Nothing, aspects: [context.output]}
"""


def test_every_table_that_is_not_drawn_has_a_page_in_the_navigation(
    listed: Callable[[dict[str, str]], list[Page]],
) -> None:
    drawn = LABS + "draw: line\n"
    pages = {page.url: page for page in listed({"claims/tables/drawn.yaml": drawn})}
    assert "tables/sizes/" in pages
    assert pages["tables/sizes/"].tab == "Compare"
    assert pages["tables/sizes/"].nav == "Sizes"
    assert "tables/drawn/" not in pages


def test_cells_hold_chips_and_say_whose_and_tell_kinds_of_nothing_apart(shown: Shown) -> None:
    page = shown({"claims/tables/sizes.yaml": SIZES}, "tables/sizes/")
    heron, egret = page.css("tbody tr")
    total, base, context = heron.css("td")
    assert [chip.attributes["data-c"] for chip in total.css(".em-chip")] == [
        "heron-1/params.total",
        "heron-1/params.total@table-1",
    ]
    assert "and 1 more" in total.text()
    assert base.css_first(".em-na") is not None
    assert context.css_first(".em-chip.em-D") is not None
    assert egret.css("td")[2].css_first(".em-empty") is not None
    notes = {note.attributes["id"] for note in page.css(".em-note")}
    opened = {chip.attributes["popovertarget"] for chip in page.css("tbody button.em-chip")}
    assert opened == notes


def test_a_scope_is_said_before_its_chip(shown: Shown) -> None:
    page = shown({"claims/tables/sizes.yaml": SIZES.replace("most: 2", "most: 3")}, "tables/sizes/")
    whose = [node.text() for node in page.css("tbody tr td .em-whose > span")]
    assert whose == ["the vision encoder counted"]


def test_counts_have_denominators_and_name_who_discloses(shown: Shown) -> None:
    page = shown({"claims/tables/labs.yaml": LABS}, "tables/labs/")
    rows = {row.css_first("th").text(): row.css("td") for row in page.css("tbody tr")}
    size, cost, lineage = rows["Heron Lab"]
    assert size.css_first("summary").text() == "1 of 1"
    assert [a.text() for a in size.css("a")] == ["Heron-1"]
    assert size.css_first("a").attributes["href"] == "../../claims/heron-1/#params.total"
    assert "0 of 1" in cost.text()
    assert "1 in vain" in cost.text()
    assert lineage.text().strip() == ""
    assert "1 of 1" in rows["Acme AI"][2].text()


def test_latest_names_the_model_with_its_date_and_its_unknowns(shown: Shown) -> None:
    page = shown({"claims/tables/latest.yaml": LATEST}, "tables/latest/")
    heads = [row.css_first("th").text() for row in page.css("tbody tr")]
    assert heads == ["Egret 2Acme AI, by 2025-06", "Heron-1Heron Lab, 2025-01-30"]
    unknown = page.css("tbody tr")[1].css("td")[1]
    assert "training cost" in unknown.text()
    assert unknown.css_first(".em-chip.em-U") is not None


WREN = """
subject: {name: Wren, kind: model}
claims:
  bench.pond:
    label: D
    value: 80%
    protocol: {by: Acme, harness: LM Eval, effort: Max, samples: "1", tools: not stated}
    public: 2025-03
"""


def test_a_protocol_is_quoted_as_it_is_written(shown: Shown) -> None:
    files = {"claims/tables/scores.yaml": SCORES, "claims/acme/wren.yaml": WREN}
    page = shown(files, "tables/scores/")
    assert page.css("tbody tr")[0].css("td")[2].text() == (
        "Harness: LM Eval; effort: Max; samples: 1; tools not stated"
    )


def test_a_score_stands_beside_its_protocol_and_is_not_sorted(shown: Shown) -> None:
    page = shown({"claims/tables/scores.yaml": SCORES}, "tables/scores/")
    (table,) = page.css("table")
    assert "data-em-sort" not in table.attributes
    texts = [cell.text() for cell in table.css("tbody tr td")]
    assert texts[1:3] == [
        "Heron Lab",
        "Samples: 4; tools: none; harness and effort not stated",
    ]
    assert table.css_first("tbody .em-chip").attributes["data-c"] == "heron-1/bench.pond"
    heads = [head.text() for head in table.css("thead th")]
    assert heads[2:4] == ["Reported by", "Protocol"]
