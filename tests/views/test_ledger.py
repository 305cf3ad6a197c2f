"""The ledger: bars with stages, sums of ours hatched, unknowns with an open end."""

from __future__ import annotations

from tests.conftest import TINY
from tests.views.conftest import Shown

ASPECTS = (
    (TINY / "claims/aspects.yaml").read_text(encoding="utf-8")
    + """
tokens.total: {title: All tokens, group: Data, kind: quantity, unit: tokens, counts: all tokens}
tokens.midtrain: {title: Mid tokens, group: Data, kind: quantity, unit: tokens, counts: tokens}
"""
)
TABLE = """
title: Token ledger
caption: Tokens by stage
draw: bars
order: lab
dated_by: [event.release]
columns:
  - {title: Total, aspects: [tokens.total], role: total}
  - {title: Pre-training, aspects: [tokens.pretrain], role: main, tone: 1, note: pre-training}
  - {title: Mid-training, aspects: [tokens.midtrain], role: further, tone: 3, note: mid-training}
"""
WREN = """
subject: {name: Wren, kind: model}
claims:
  tokens.pretrain: {label: D, value: 27T, public: 2025-03-01}
  tokens.midtrain: {label: D, value: 1T, public: 2025-03-01}
  tokens.total:
    label: I
    value: 28T
    formula: a + b
    premises: {a: wren/tokens.pretrain, b: wren/tokens.midtrain}
    checked: 2026-01-01
"""
GULL = """
subject: {name: Gull, kind: model}
claims:
  tokens.pretrain: {label: U, looked_for: [tokens], reason: absent, checked: 2026-01-01}
"""
STORK = """
subject: {name: Stork, kind: model}
claims:
  tokens.pretrain: {label: D, value: more than 32T tokens, public: 2025-03-01}
"""
FILES = {
    "claims/aspects.yaml": ASPECTS,
    "claims/tables/token-ledger.yaml": TABLE,
    "claims/acme/wren.yaml": WREN,
    "claims/acme/gull.yaml": GULL,
    "claims/heron-lab/stork.yaml": STORK,
}


def test_each_bar_says_its_stages_and_whether_they_may_be_added(shown: Shown) -> None:
    page = shown(FILES, "ledger/")
    rows = {row.css_first("th a").text(): row for row in page.css("tbody tr")}
    assert set(rows) == {"Wren", "Gull", "Stork"}
    wren = rows["Wren"]
    assert "added up by us" in wren.css_first(".em-sub").text()
    assert len(wren.css("rect.em-sum")) == 2
    assert wren.css_first("td[data-l=Total] .em-chip.em-I") is not None
    assert len(wren.css("td[data-l=Stages] .em-chip.em-D")) == 2


def test_an_unknown_is_open_from_the_start_and_a_lower_bound_from_its_end(shown: Shown) -> None:
    page = shown(FILES, "ledger/")
    rows = {row.css_first("th a").text(): row for row in page.css("tbody tr")}
    (unknown,) = rows["Gull"].css("rect.em-seg")
    assert "em-open" in (unknown.attributes["class"] or "")
    assert (unknown.attributes["x"], unknown.attributes["width"]) == ("0.0%", "100.0%")
    stage, opened = rows["Stork"].css("rect.em-seg")
    assert "em-g1" in (stage.attributes["class"] or "")
    assert "em-open" in (opened.attributes["class"] or "")
    assert (stage.attributes["width"] or "")[:-1] == (opened.attributes["x"] or "")[:-1]
    assert "more than 32T tokens" in rows["Stork"].text()


def test_lengths_are_shares_of_one_scale(shown: Shown) -> None:
    page = shown(FILES, "ledger/")
    assert [tick.text() for tick in page.css(".em-scale text")] == [
        "0",
        "8T",
        "16T",
        "24T",
        "32T",
        "40T",
    ]
    wren = next(row for row in page.css("tbody tr") if row.css_first("th a").text() == "Wren")
    widths = [float((rect.attributes["width"] or "")[:-1]) for rect in wren.css("rect.em-seg")]
    assert widths == [67.5, 2.5]


def test_the_key_names_what_is_drawn(shown: Shown) -> None:
    key = [item.text() for item in shown(FILES, "ledger/").css(".em-legend li")]
    assert key[:2] == ["pre-training", "mid-training"]
    assert "our own sum of stages" in key
