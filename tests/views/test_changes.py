"""What changed: scopes in words, and a column only where there is something in it."""

from __future__ import annotations

from tests.views.conftest import Shown

WREN = """
subject:
  name: Wren
  kind: model
  scopes: {with-vision: the vision encoder counted}
claims:
  params.total/with-vision:
    label: D
    value: 9B
    evidence:
      - {source: egret-2-card, at: p. 2, quote: a total of 9B parameters}
    public: 2025-06
    checked: 2026-11-30
"""


def test_a_scope_is_told_in_words_and_not_by_its_id(shown: Shown) -> None:
    page = shown({"claims/acme/wren.yaml": WREN}, "changes/")
    subs = [node.text() for node in page.css("tbody th .em-sub")]
    assert "the vision encoder counted" in subs
    assert "with-vision" not in subs


def test_newest_answers_have_no_column_for_answers_before(shown: Shown) -> None:
    newest = shown({}, "changes/").css("table")[-1]
    assert "Before" not in [head.text() for head in newest.css("thead th")]
