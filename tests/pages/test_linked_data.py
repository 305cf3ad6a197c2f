"""Linked data of pages, from the tiny matrix."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evidence_matrix.exports import export
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.addresses import Addresses
from evidence_matrix.pages.composer import Composer
from evidence_matrix.pages.linked_data import fact_sheet, last_checked, whole_record
from evidence_matrix.render import environment, render
from evidence_matrix.views import all_pages

# The types and properties of schema.org that are used, as its vocabulary has them.
PROPERTIES = {
    "Dataset": {
        "name", "description", "license", "isAccessibleForFree", "creator", "dateModified", "size",
        "keywords", "citation", "hasPart", "distribution",
    },
    "Claim": {"identifier", "text", "creativeWorkStatus", "datePublished", "appearance"},
    "CreativeWork": {"name", "url", "datePublished", "author", "isPartOf"},
    "DataDownload": {"name", "encodingFormat", "contentUrl", "contentSize", "sha256"},
    "Organization": {"name"},
}  # fmt: skip


@pytest.fixture
def composer(tiny_matrix: Matrix, tmp_path: Path) -> Composer:
    pages = list(all_pages(tiny_matrix))
    exported = export(tiny_matrix, tmp_path)
    addresses = Addresses.of(pages, [file.file for file in exported])
    return Composer(tiny_matrix, addresses, "claims/heron-1/", environment(), exported)


def nodes(data: Any) -> Iterator[dict[str, Any]]:
    for value in data.values() if isinstance(data, dict) else data:
        if isinstance(value, dict | list):
            yield from nodes(value)
    if isinstance(data, dict):
        yield data


def test_only_words_of_the_vocabulary_are_used(composer: Composer) -> None:
    matrix = composer.matrix
    found = [whole_record(composer)]
    for subject in matrix.subjects.values():
        found.append(fact_sheet(composer, subject, matrix.claims_of_subject[subject.id]))
    for node in nodes(found):
        if set(node) != {"@id"}:
            plain = {name for name in node if not name.startswith("@")}
            assert plain <= PROPERTIES[node["@type"]], node


def test_a_claim_leads_to_its_place_on_the_page_and_to_the_source_it_appears_in(
    composer: Composer,
) -> None:
    matrix = composer.matrix
    subject = matrix.subjects["heron-1"]
    claims = matrix.claims_of_subject["heron-1"]
    data = fact_sheet(composer, subject, claims)
    parts = {part["identifier"]: part for part in data["hasPart"]}
    assert set(parts) == {claim.id for claim in claims if claim.label is not Label.U}
    assert [c for c in claims if c.label is Label.U]
    sources = {source["@id"] for source in data["citation"]}
    for claim in claims:
        if claim.id in parts:
            assert parts[claim.id]["@id"] == f"#{claim.key}"
            for appearance in parts[claim.id].get("appearance", ()):
                assert appearance["isPartOf"]["@id"] in sources


def test_the_files_of_the_record_are_named_with_their_hashes(composer: Composer) -> None:
    files = {file["contentUrl"]: file for file in whole_record(composer)["distribution"]}
    for exported in composer.exported:
        if exported.file in ("claims.json", "claims.csv", "matrix.sqlite", "sources.bib"):
            assert files[composer.href(f"data:{exported.file}")]["sha256"] == exported.sha256


def test_the_day_of_change_is_that_of_the_records_not_of_the_build(tiny_matrix: Matrix) -> None:
    claims = tiny_matrix.claims_of_subject["heron-1"]
    checked = [c.record.checked.latest.isoformat() for c in claims if c.record.checked]
    assert last_checked(claims, tiny_matrix) == max(checked)
    assert last_checked((), tiny_matrix) == tiny_matrix.today.isoformat()


def test_what_a_page_carries_can_be_read_and_closes_no_script(
    tiny_matrix: Matrix, tmp_path: Path
) -> None:
    render(tiny_matrix, tmp_path)
    carried = 0
    for path in (tmp_path / "docs").rglob("*.md"):
        front = json.loads(path.read_text(encoding="utf-8").split("---\n")[1])
        if front["jsonld"]:
            assert "<" not in front["jsonld"]
            assert json.loads(front["jsonld"])["@context"] == "https://schema.org"
            carried += 1
    assert carried == len(tiny_matrix.subjects) + 2
