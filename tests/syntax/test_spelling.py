from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.syntax.spelling import nearest


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("heron2025reports", "heron2025report"),
        ("lable", "label"),
        ("Label", "label"),
        ("statment", "statement"),
        ("pаrams.total", "params.total"),
        ("params-total", "params.total"),
    ],
)
def test_a_slip_finds_its_name(wrong: str, right: str) -> None:
    names = ["label", "statement", "params.total", "params.active", "heron2025report", "checked"]
    assert nearest(wrong, names) == right


def test_a_name_like_nothing_gets_no_offer() -> None:
    assert nearest("zebra", ["label", "statement", "params.total"]) is None
    assert nearest("label", []) is None


@given(st.text(min_size=1), st.lists(st.text()))
def test_a_name_that_is_there_is_its_own_nearest_but_for_case(name: str, others: list[str]) -> None:
    found = nearest(name, [*others, name])
    assert found is not None
    assert found.casefold() == name.casefold()


@given(st.text(), st.lists(st.text(), unique=True))
def test_the_order_of_the_names_does_not_matter(name: str, names: list[str]) -> None:
    assert nearest(name, names) == nearest(name, reversed(names))
