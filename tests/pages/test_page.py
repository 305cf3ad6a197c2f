from __future__ import annotations

import pytest

from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.page import TABS, Page
from evidence_matrix.views import all_pages


@pytest.mark.parametrize(("url", "file"), [("", "index.md"), ("a/b/", "a/b/index.md")])
def test_a_page_has_a_file_below_its_address(url: str, file: str) -> None:
    assert Page(url, "table", "T", "D", lambda _: {}).file == file


def test_every_page_of_the_tiny_matrix_is_described_and_stands_under_a_tab(
    tiny_matrix: Matrix,
) -> None:
    pages = list(all_pages(tiny_matrix))
    assert len({page.url for page in pages}) == len(pages)
    for page in pages:
        assert page.tab in TABS
        assert page.title
        assert page.description, page.url
        assert not page.url or page.url.endswith("/")
