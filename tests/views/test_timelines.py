"""Timelines: a lane a lab, and a page for each lab with enough events, drawn from its claims."""

from __future__ import annotations

from collections.abc import Callable

from evidence_matrix.pages.page import Page
from evidence_matrix.views.timelines import ENOUGH
from tests.conftest import TINY
from tests.views.conftest import Shown

TINY_ASPECTS = (TINY / "claims/aspects.yaml").read_text(encoding="utf-8")
MORE_ASPECTS = """
event.weights: {title: Weights, group: Dates, kind: date, counts: day of the weights}
event.retired: {title: Retired, group: Dates, kind: date, counts: last day of a name}
"""
ALL = """
title: Releases
caption: Dated events
draw: timeline
rows_are: labs
columns:
  - {title: Release, aspects: [event.release], mark: release}
  - {title: Weights, aspects: [event.weights], mark: weights}
  - {title: Name retired, aspects: [event.retired], mark: alias}
"""
OWN = """
title: Herons
caption: Events of one lab
draw: timeline
rows_are: labs
rows: [heron-lab]
lanes: {Herons: [heron-1], Egrets: [egret-2]}
"""
WREN = """
subject: {name: Wren, kind: model, scopes: {name: the name wren}}
claims:
  event.release: {label: D, value: 2025-03-01, public: 2025-03-01}
  event.weights: {label: D, value: by 2025-03-01, public: 2025-03-01}
  event.retired/name: {label: D, value: 2025-09, means: end of a name, public: 2025-08}
"""


def many(count: int) -> str:
    scopes = ", ".join(f"v{n}: version {n}" for n in range(count))
    claims = "".join(
        f"  event.release/v{n}: {{label: D, value: 2025-0{n + 1}-01, public: 2025-0{n + 1}-01}}\n"
        for n in range(count)
    )
    return f"subject: {{name: Wren, kind: model, scopes: {{{scopes}}}}}\nclaims:\n{claims}"


def files(wren: str = WREN, **tables: str) -> dict[str, str]:
    given = {f"claims/tables/{name}.yaml": text for name, text in tables.items()}
    aspects = {"claims/aspects.yaml": TINY_ASPECTS + MORE_ASPECTS}
    return {"claims/acme/wren.yaml": wren} | aspects | given


def test_a_lab_is_a_lane_and_every_event_a_mark_that_opens_its_claim(shown: Shown) -> None:
    page = shown(files(releases=ALL), "timeline/")
    lanes = [text.text() for text in page.css(".em-lane-title:not([aria-hidden])")]
    assert lanes == ["Acme AI", "Heron Lab"]
    marks = page.css(".em-event")
    assert {mark.css_first("a").attributes["href"] for mark in marks} == {
        "../claims/wren/#event.release",
        "../claims/wren/#event.weights",
        "../claims/wren/#event.retired/name",
        "../claims/heron-1/#event.release",
    }


def test_kinds_have_their_shapes_and_filters(shown: Shown) -> None:
    page = shown(files(releases=ALL), "timeline/")
    boxes = [box.attributes["value"] for box in page.css("input[type=checkbox]")]
    assert boxes == ["release", "weights", "alias"]
    for kind in boxes:
        assert page.css(f".em-event.em-k-{kind}")
    assert len(page.css("input[type=radio]")) == 3


def test_a_bound_and_a_partial_date_look_unsure(shown: Shown) -> None:
    page = shown(files(releases=ALL), "timeline/")
    unsure = {m.css_first("a").attributes["href"] for m in page.css(".em-event.em-unsure")}
    assert unsure == {"../claims/wren/#event.weights", "../claims/wren/#event.retired/name"}
    assert any(node.text().startswith("by ") for node in page.css(".em-event text"))


def test_a_dispute_is_seen_on_the_axis(shown: Shown) -> None:
    dispute = (
        "- {claims: [wren/event.release, wren/event.weights],"
        " kind: open, reason: R, on: 2026-07-01}"
    )
    page = shown(
        files(releases=ALL) | {"claims/disputes.yaml": dispute},
        "timeline/",
    )
    assert any("≠ Wren" in node.text() for node in page.css(".em-event text"))
    assert any("sources disagree" in node.text() for node in page.css(".em-event title"))


def test_the_table_has_the_events_newest_first(shown: Shown) -> None:
    page = shown(files(releases=ALL), "timeline/")
    rows = page.css("table tbody tr")
    assert [row.css_first("th a").text() for row in rows] == ["Wren", "Wren", "Wren", "Heron-1"]
    assert rows[0].css("td")[1].text() == "Name retired"
    assert all(row.css_first(".em-chip") is not None for row in rows)


def test_a_lab_has_its_own_page_once_it_has_enough_events(
    listed: Callable[[dict[str, str]], list[Page]],
) -> None:
    few = {page.url for page in listed(files(many(ENOUGH - 1), releases=ALL))}
    enough = {page.url for page in listed(files(many(ENOUGH), releases=ALL))}
    assert "timeline/acme/" not in few
    assert "timeline/acme/" in enough
    assert "timeline/heron-lab/" not in enough


def test_a_table_of_one_lab_gives_it_the_lanes_that_it_names(shown: Shown) -> None:
    page = shown(files(many(ENOUGH), releases=ALL, own=OWN), "timeline/heron-lab/")
    lanes = [text.text() for text in page.css(".em-lane-title:not([aria-hidden])")]
    assert lanes == ["Herons"]


def test_a_lab_page_without_lanes_of_its_own_goes_by_kind_of_subject(shown: Shown) -> None:
    page = shown(files(many(ENOUGH), releases=ALL), "timeline/acme/")
    lanes = [text.text() for text in page.css(".em-lane-title:not([aria-hidden])")]
    assert lanes == ["Models"]


def test_without_a_table_there_is_no_timeline(
    listed: Callable[[dict[str, str]], list[Page]],
) -> None:
    assert not [page for page in listed({}) if page.url.startswith("timeline")]
