"""Every view renders, whatever the matrix has and has not; no template names what is not there."""

from __future__ import annotations

import importlib
import pkgutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from evidence_matrix import views
from evidence_matrix.exports import export
from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.addresses import Addresses
from evidence_matrix.pages.composer import Composer
from evidence_matrix.pages.page import Page
from evidence_matrix.render import environment
from evidence_matrix.store import Loaded
from evidence_matrix.views import all_pages
from tests.views.conftest import FRONT

TEMPLATES = environment()  # with StrictUndefined: a name that is not there stops the page


def rendered(matrix: Matrix) -> dict[str, str]:
    pages = list(all_pages(matrix))
    with tempfile.TemporaryDirectory() as folder:
        files = export(matrix, Path(folder))
    addresses = Addresses.of(pages, [file.file for file in files])
    texts = {}
    for page in pages:
        composer = Composer(matrix, addresses, page.url, TEMPLATES, files)
        content = page.content(composer)
        template = TEMPLATES.get_template(f"pages/{page.template}.md.j2")
        texts[page.url] = template.render(p=FRONT, **content)
        for _, target in page.crumbs:
            composer.href(target)
    return texts


def test_the_tiny_matrix_is_rendered_whole(tiny_matrix: Matrix) -> None:
    texts = rendered(tiny_matrix)
    assert all(text.strip() for text in texts.values())
    for claim in tiny_matrix.claims.values():
        assert f'id="{claim.key}"' in texts[f"claims/{claim.subject}/"]


@pytest.mark.parametrize("name", [info.name for info in pkgutil.iter_modules(views.__path__)])
def test_every_view_says_what_it_shows_and_gives_pages(tiny_matrix: Matrix, name: str) -> None:
    module = importlib.import_module(f"{views.__name__}.{name}")
    assert module.__doc__
    assert all(isinstance(page, Page) for page in module.pages(tiny_matrix))


WITHOUT = {
    "chapters": {"chapters": {}},
    "tables": {"tables": {}},
    "runs": {"runs": {}},
    "disputes": {"disputes": ()},
    "questions": {"questions": {}},
    "terms": {"terms": {}},
    "receipts": {"receipts": {}},
    "chapters, tables and questions": {
        "chapters": {},
        "tables": {},
        "questions": {},
        "disputes": (),
    },
}


@pytest.mark.parametrize("name", WITHOUT)
def test_a_matrix_without_some_kind_of_record_is_rendered(tiny_matrix: Matrix, name: str) -> None:
    matrix = replace(tiny_matrix, **WITHOUT[name])
    if name == "runs":
        claims = {k: c for k, c in matrix.claims.items() if c.label != "R"}
        matrix = replace(matrix, claims=claims)
    assert rendered(matrix)


def test_a_subject_without_claims_is_rendered(loaded: Callable[[dict[str, str]], Loaded]) -> None:
    text = "subject: {name: Wren, kind: model}\n"
    assert "claims/wren/" in rendered(loaded({"claims/acme/wren.yaml": text}).matrix)


@pytest.mark.parametrize("day", [date(2024, 1, 1), date(2025, 2, 5), date(2025, 2, 11)])
def test_what_could_be_known_on_a_day_is_rendered(tiny_matrix: Matrix, day: date) -> None:
    assert rendered(tiny_matrix.at(day))


def test_a_page_is_the_same_when_it_is_rendered_again(tiny_matrix: Matrix) -> None:
    assert rendered(tiny_matrix) == rendered(tiny_matrix)
