"""Feeds: well formed Atom, the Changes page's answers in its order, the same on every day."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest

from evidence_matrix import feeds
from evidence_matrix.dates import parse_date
from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.addresses import Addresses
from evidence_matrix.pages.composer import Composer
from evidence_matrix.render import environment
from evidence_matrix.store import Loaded
from evidence_matrix.views import all_pages
from evidence_matrix.views.changes import dated

ATOM = "{http://www.w3.org/2005/Atom}"
BASE = "{http://www.w3.org/XML/1998/namespace}base"
SITE = "https://example.org/evidence-matrix/"


def written(matrix: Matrix, folder: Path, site_url: str = "") -> dict[str, ElementTree.Element]:
    templates = environment()
    composer = Composer(matrix, Addresses.of(all_pages(matrix)), "", templates)
    feeds.write(composer, templates, folder, site_url)
    return {
        path.relative_to(folder).as_posix(): ElementTree.parse(path).getroot()
        for path in folder.rglob("feed.xml")
    }


def texts(feed: ElementTree.Element, name: str) -> list[str]:
    return [node.text or "" for node in feed.iterfind(f"{ATOM}entry/{ATOM}{name}")]


def test_the_entries_are_those_of_changes_in_its_order(tiny_matrix: Matrix, tmp_path: Path) -> None:
    found = written(tiny_matrix, tmp_path)
    claims = [claim for _, claim in dated(tiny_matrix)]
    assert texts(found["feed.xml"], "id") == [feeds.entry_id(c) for c in claims[: feeds.NEWEST]]
    assert set(found) == {"feed.xml", *(f"labs/{lab}/feed.xml" for lab in tiny_matrix.labs)}
    for lab in tiny_matrix.labs:
        own = [feeds.entry_id(claim) for claim in claims if claim.lab == lab]
        assert texts(found[f"labs/{lab}/feed.xml"], "id") == own[: feeds.NEWEST]


@pytest.mark.parametrize("site_url", ["", SITE])
def test_a_feed_has_what_atom_asks_for(tiny_matrix: Matrix, tmp_path: Path, site_url: str) -> None:
    for path, feed in written(tiny_matrix, tmp_path, site_url).items():
        assert feed.tag == f"{ATOM}feed"
        assert feed.get(BASE) == (site_url or "../" * path.count("/") or "./")
        assert feed.findtext(f"{ATOM}author/{ATOM}name")
        ids = [feed.findtext(f"{ATOM}id") or "", *texts(feed, "id")]
        assert len(set(ids)) == len(ids)
        assert all(one.startswith("urn:uuid:") for one in ids)
        days = texts(feed, "updated")
        assert days == sorted(days, reverse=True)
        for day in [feed.findtext(f"{ATOM}updated") or "", *days]:
            assert re.fullmatch(r"\d{4}-\d\d-\d\dT00:00:00Z", day)
            datetime.fromisoformat(day)
        assert all(texts(feed, "title"))
        for entry in feed.iterfind(f"{ATOM}entry"):
            content = entry.find(f"{ATOM}content")
            assert content is not None
            assert [node.tag.rpartition("}")[2] for node in content] == ["div"]
            link = entry.find(f"{ATOM}link")
            assert link is not None
            assert (link.get("href") or "").startswith("claims/")


def test_the_day_of_the_build_and_the_address_change_no_entry(
    tiny_matrix: Matrix, tmp_path: Path
) -> None:
    later = replace(tiny_matrix, today=tiny_matrix.today + timedelta(days=400))
    one, two = written(tiny_matrix, tmp_path / "1"), written(later, tmp_path / "2", SITE)
    for path, feed in one.items():
        for mine, other in zip(feed, two[path], strict=True):
            if mine.tag != f"{ATOM}updated" or len(feed.findall(f"{ATOM}entry")):
                assert ElementTree.tostring(mine) == ElementTree.tostring(other)


def test_an_entry_has_value_label_fragment_and_place(tiny_matrix: Matrix, tmp_path: Path) -> None:
    feed = written(tiny_matrix, tmp_path)["feed.xml"]
    bodies = {
        entry.findtext(f"{ATOM}id"): "".join(content.itertext())
        for entry in feed.iterfind(f"{ATOM}entry")
        if (content := entry.find(f"{ATOM}content")) is not None
    }
    seen = 0
    for _, claim in dated(tiny_matrix)[: feeds.NEWEST]:
        body = bodies[feeds.entry_id(claim)]
        assert f"({claim.label.value}, {claim.label.in_words}" in body
        for piece in claim.evidence:
            quote = getattr(piece, "quote", None)
            assert not quote or f"“{quote}”" in body
            assert not piece.at or piece.at in body
            seen += bool(quote)
    assert seen


def test_another_answer_is_another_entry_and_a_mended_word_is_not(
    loaded: Callable[[dict[str, str]], Loaded], tmp_path: Path
) -> None:
    matrix = loaded({}).matrix
    claim = matrix.claims["heron-1/params.active"]
    assert claim.record.earlier
    mended = replace(claim, record=claim.record.model_copy(update={"note": "mended"}))
    first = replace(claim, record=claim.record.model_copy(update={"earlier": ()}))
    assert feeds.entry_id(mended) == feeds.entry_id(claim) != feeds.entry_id(first)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-07-27", "2026-07-27"),
        ("2026-07", "2026-07-01"),
        ("2026", "2026-01-01"),
        ("by 2026-07-27", "2026-07-27"),
    ],
)
def test_a_month_stands_at_its_first_day(text: str, day: str) -> None:
    assert feeds.first_day(parse_date(text)).isoformat() == day
