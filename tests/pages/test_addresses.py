"""Addresses: a link leads to what a page shows, and is right from wherever it is made."""

from __future__ import annotations

from urllib.parse import unquote, urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.addresses import Addresses, UnknownTargetError, relative
from evidence_matrix.pages.page import Page
from evidence_matrix.views import all_pages

NAMES = st.text("abz019.-_@", min_size=1, max_size=6).filter(lambda n: set(n) - {"."})
FOLDERS = st.lists(NAMES, max_size=4).map(lambda names: "".join(f"{name}/" for name in names))
ANCHORS = st.none() | st.text("abz019.-_@/", min_size=1, max_size=9)
ROOT = "https://site.example.org/sub/"


def page(url: str, **shows: str) -> Page:
    return Page(url, "table", "T", "D", lambda _: {}, shows=shows)


@given(url=FOLDERS, here=FOLDERS, anchor=ANCHORS)
def test_a_relative_link_leads_where_the_address_says(
    url: str, here: str, anchor: str | None
) -> None:
    whole = url + (f"#{anchor}" if anchor else "")
    link = relative(whole, here)
    assert not link.startswith("/")
    assert unquote(urljoin(ROOT + here, link)) == ROOT + whole


@given(name=NAMES, folder=FOLDERS, here=FOLDERS)
def test_a_relative_link_to_a_file_keeps_its_name(name: str, folder: str, here: str) -> None:
    assert unquote(urljoin(ROOT + here, relative(folder + name, here))) == ROOT + folder + name


def test_what_no_page_shows_is_refused() -> None:
    addresses = Addresses.of([page("", home=""), page("claims/wren/", wren="")], ["claims.json"])
    assert addresses.href("wren", "") == "claims/wren/"
    assert addresses.href("data:claims.json", "claims/wren/") == "../../data/claims.json"
    assert "wren" in addresses
    with pytest.raises(UnknownTargetError, match="'stork'"):
        addresses.href("stork", "claims/wren/")
    with pytest.raises(UnknownTargetError, match=r"data:claims\.csv"):
        addresses.href("data:claims.csv", "")


def test_a_page_that_there_is_not_is_refused() -> None:
    addresses = Addresses.of([page(""), page("claims/wren/")])
    assert addresses.page("claims/wren/#a", "") == "claims/wren/#a"
    with pytest.raises(UnknownTargetError, match="stork"):
        addresses.page("claims/stork/", "")


def test_two_pages_at_one_address_or_of_one_thing_are_refused() -> None:
    with pytest.raises(ValueError, match="two pages stand at 'a/'"):
        Addresses.of([page("a/"), page("a/")])
    with pytest.raises(ValueError, match="'wren' stands at"):
        Addresses.of([page("a/", wren=""), page("b/", wren="x")])


def test_every_record_of_the_tiny_matrix_has_an_address(tiny_matrix: Matrix) -> None:
    addresses = Addresses.of(all_pages(tiny_matrix))
    for kind, ids in (
        ("claim", tiny_matrix.claims),
        ("subject", tiny_matrix.subjects),
        ("source", tiny_matrix.sources),
        ("lab", tiny_matrix.labs),
        ("term", tiny_matrix.terms),
        ("aspect", tiny_matrix.aspects),
        ("wanted", tiny_matrix.wanted),
        ("run", tiny_matrix.runs),
    ):
        for record_id in ids:
            assert f"{kind}:{record_id}" in addresses
