from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from evidence_matrix.matrix import Matrix
from evidence_matrix.names import name_pattern


@pytest.mark.parametrize(
    "text",
    [
        "Heron-1",
        "Egret 2",
        "heron-1",
        "Heron-1's",
        "(Egret 2)",
        "Egret\n2",
        "Heron-1 Technical Report",
    ],
)
def test_a_name_that_the_matrix_knows_counts_nothing(tiny_matrix: Matrix, text: str) -> None:
    rest = name_pattern(tiny_matrix).sub("", text)
    assert not any(char.isdigit() for char in rest)


@pytest.mark.parametrize("text", ["Heron-12", "Egret 2.5", "XHeron-1", "Heron 7", "a 1.Heron-1 1"])
def test_what_only_looks_like_a_name_keeps_its_digits(tiny_matrix: Matrix, text: str) -> None:
    assert any(char.isdigit() for char in name_pattern(tiny_matrix).sub("", text))


def test_a_matrix_without_names_knows_none() -> None:
    assert not name_pattern(Matrix(Path(), date(2026, 7, 20))).search("Heron-1 and 2")
