"""Lineage: every subject has one place, and no two have the same."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.figures.lineage import Descent, Node, Place, descents, draw, places
from evidence_matrix.matrix import Claim
from evidence_matrix.records import ColumnRecord, TableRecord
from evidence_matrix.store import Loaded

NAMES = [f"m{number}" for number in range(12)]
EDGES = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=25)
TABLE = TableRecord(
    title="Lineage",
    caption="Bases",
    columns=(ColumnRecord(title="Base", aspects=("lineage.base",)),),
)


@given(EDGES)
def test_each_named_subject_has_a_place_of_its_own_even_in_circles(
    edges: list[tuple[str, str]],
) -> None:
    found = [Descent(child, base, None) for child, base in dict.fromkeys(edges) if child != base]
    stood = places(found, NAMES)
    assert set(stood) == {name for one in found for name in (one.child, one.base)}
    assert len(set(stood.values())) == len(stood)


@given(EDGES)
def test_a_tree_is_drawn_with_a_mark_for_each_subject_and_each_descent(
    edges: list[tuple[str, str]],
) -> None:
    found = [Descent(child, base, None) for child, base in dict.fromkeys(edges) if child != base]
    stood = places(found, NAMES)
    nodes = {name: Node(name, "Lab", f"../{name}/") for name in stood}
    links = {(one.child, one.base): ("../x/", "says so") for one in found}
    sheet = draw(found, stood, nodes, links)
    assert len(sheet.marks) == 2 * len(found) + len(stood)
    for mark in sheet.marks:
        for shape in mark.shapes:
            assert shape.x + shape.width <= sheet.width
            assert shape.y + shape.height <= sheet.height


def test_a_first_child_stands_on_the_line_of_its_base_and_the_next_below() -> None:
    found = [Descent("b", "a", None), Descent("c", "a", None), Descent("d", "b", None)]
    stood = places(found, ["a", "b", "c", "d"])
    assert stood == {"a": Place(0, 0), "b": Place(1, 0), "d": Place(2, 0), "c": Place(1, 1)}


def test_claims_come_before_heads_and_a_head_alone_has_no_claim(
    loaded: Callable[[dict[str, str]], Loaded],
) -> None:
    matrix = loaded(
        {
            "claims/acme/wren.yaml": "subject:\n"
            "  {name: Wren, kind: model, base: [egret-2, heron-1]}\n"
            "claims:\n"
            "  lineage.base: {label: D, value: egret-2, means: the small one, public: 2025-07}\n"
        }
    ).matrix
    found = {(one.child, one.base): one.claim for one in descents(matrix, TABLE)}
    assert isinstance(found["wren", "egret-2"], Claim)
    assert found["wren", "heron-1"] is None
    assert isinstance(found["egret-2", "heron-1"], Claim)


def test_an_unknown_base_is_no_descent(loaded: Callable[[dict[str, str]], Loaded]) -> None:
    matrix = loaded(
        {
            "claims/acme/wren.yaml": "subject: {name: Wren, kind: model}\n"
            "claims:\n"
            "  lineage.base: {label: U, looked_for: [base], reason: absent, checked: 2026-07-01}\n"
        }
    ).matrix
    assert not [one for one in descents(matrix, TABLE) if one.child == "wren"]
