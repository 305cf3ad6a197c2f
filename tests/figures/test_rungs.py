"""Rungs: lengths that sources write in two ways stand together."""

from __future__ import annotations

import pytest

from evidence_matrix.figures.rungs import rung, title
from evidence_matrix.quantity import parse_quantity


@pytest.mark.parametrize(
    ("written", "on"),
    [
        ("4096", "4K"),
        ("4K", "4K"),
        ("128,000", "128K"),
        ("131072", "128K"),
        ("128K", "128K"),
        ("200K", "128K"),
        ("256K", "256K"),
        ("1,000,000", "1M"),
        ("1M", "1M"),
        ("1048576", "1M"),
        ("10M", "8M"),
        ("up to 64K", "64K"),
        ("512", "512"),
    ],
)
def test_a_length_stands_on_its_rung(written: str, on: str) -> None:
    power = rung(parse_quantity(written))
    assert power is not None
    assert title(power) == on


def test_nothing_stands_on_no_rung() -> None:
    assert rung(parse_quantity("0")) is None
