from __future__ import annotations

import pytest

from evidence_matrix.verification.locators import Locator, parse


@pytest.mark.parametrize(
    ("at", "locator"),
    [
        ("p. 4, sec. 2.1", Locator(pages=(4, 4), section="2.1")),
        ("pp. 4-5", Locator(pages=(4, 5))),
        ("pp. 4–5, Table 3", Locator(pages=(4, 5), table="Table 3")),
        ("page 12", Locator(pages=(12, 12))),
        ("line 12, Introduction", Locator(lines=(12, 12))),
        ("lines 12-14", Locator(lines=(12, 14))),
        ("Table 1", Locator(table="Table 1")),
        ("sec. 3", Locator(section="3")),
        ("p. 40, app. C.1", Locator(pages=(40, 40), section="C.1")),
        ("p. 4, Figure 3", Locator(pages=(4, 4), table="Figure 3")),
        ("line 147, sec. 6.2.2, p. 106 of the card", Locator(lines=(147, 147), section="6.2.2")),
        ("Abstract", Locator()),
        (None, Locator()),
    ],
)
def test_a_locator_names_a_page_or_lines_and_keeps_its_words(
    at: str | None, locator: Locator
) -> None:
    assert parse(at) == locator


@pytest.mark.parametrize("at", ["pp. 5-4", "lines 0-3", "p. 0", "p. 12345678"])
def test_a_range_that_names_no_place_is_none(at: str) -> None:
    assert (parse(at).pages, parse(at).lines) == (None, None)


@pytest.mark.parametrize(
    ("locator", "words"),
    [
        (Locator(pages=(4, 4)), "on p. 4"),
        (Locator(pages=(4, 5)), "on pp. 4-5"),
        (Locator(lines=(3, 3)), "on line 3"),
        (Locator(lines=(3, 9)), "on lines 3-9"),
        (Locator(), "anywhere"),
    ],
)
def test_a_locator_says_where_in_words(locator: Locator, words: str) -> None:
    assert str(locator) == words
