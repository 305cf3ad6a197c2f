"""The composer: a claim as templates take it, with the fields that are written down, no others."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from evidence_matrix.dates import parse_date
from evidence_matrix.labels import Label, State
from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.addresses import Addresses, UnknownTargetError
from evidence_matrix.pages.composer import Composer, iso, value_text, value_words, weakest_state
from evidence_matrix.render import environment
from evidence_matrix.store import Loaded
from evidence_matrix.views import all_pages

PACKAGE = Path(__file__).parents[2] / "src/evidence_matrix"
WRITTEN = (PACKAGE / "templates/README.md").read_text(encoding="utf-8")


def compose(matrix: Matrix, here: str = "") -> Composer:
    return Composer(matrix, Addresses.of(all_pages(matrix)), here, environment())


@pytest.fixture(scope="module")
def composer(tiny_matrix: Matrix) -> Composer:
    return compose(tiny_matrix)


def fields_of(section: str) -> set[str]:
    body = WRITTEN.partition(f"## {section}\n")[2].partition("\n\nA piece:")[0]
    heads = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", body, re.MULTILINE)
    return set(re.findall(r"`(\w+)`", " ".join(heads)))


def test_a_claim_has_exactly_the_fields_that_are_written_down(
    composer: Composer, tiny_matrix: Matrix
) -> None:
    written = fields_of("claim_view")
    assert len(written) > 25
    for claim in tiny_matrix.claims.values():
        assert set(composer.claim(claim)) == written


def test_a_piece_has_exactly_the_fields_that_are_written_down(
    composer: Composer, tiny_matrix: Matrix
) -> None:
    text = WRITTEN.partition("A piece:")[2].partition("\n\n")[0]
    written = set(re.findall(r"`(\w+)`", text))
    for claim in tiny_matrix.claims.values():
        for piece in composer.claim(claim)["evidence"]:
            assert set(piece) == written


def test_each_label_has_what_earned_it_and_nothing_else(
    composer: Composer, tiny_matrix: Matrix
) -> None:
    for claim in tiny_matrix.claims.values():
        view = composer.claim(claim)
        assert (view["search"] is not None) == (claim.label is Label.U)
        assert (view["inference"] is not None) == (claim.label is Label.I)
        assert (view["run"] is not None) == (claim.label is Label.R)
        assert bool(view["evidence"]) == (claim.label in (Label.D, Label.C))
        assert bool(view["state"]) == bool(view["evidence"])
        assert view["href"].endswith(f"claims/{claim.subject}/#{claim.key}")


def test_notes_are_numbered_in_the_order_of_first_mention(tiny_matrix: Matrix) -> None:
    composer = compose(tiny_matrix)
    first, second = list(tiny_matrix.claims.values())[:2]
    assert [composer.noted(c)["note_number"] for c in (second, first, second)] == [1, 2, 1]
    assert [note["id"] for note in composer.notes] == [second.id, first.id]
    assert composer.claim(first)["note_number"] == 0


def test_a_link_to_nothing_is_refused(composer: Composer) -> None:
    with pytest.raises(UnknownTargetError):
        composer.href("subject:no-such")


def test_an_unknown_says_so_and_its_earlier_answer_too(
    composer: Composer, tiny_matrix: Matrix
) -> None:
    cost = composer.claim(tiny_matrix.claims["heron-1/cost.training"])
    assert cost["value_text"] == "not found"
    (before,) = composer.claim(tiny_matrix.claims["heron-1/params.active"])["earlier"]
    assert (before["label"], before["value_text"], before["until"]) == (
        "U",
        "not found",
        "2025-02-10",
    )


@pytest.mark.parametrize(
    ("reason", "words"), [("absent", "not disclosed"), ("not verifiable", "not found")]
)
def test_an_unknown_says_no_more_than_its_search_showed(
    loaded: Callable[[dict[str, str]], Loaded], reason: str, words: str
) -> None:
    text = (
        "subject: {name: W, kind: model}\nclaims:\n  cost.training: "
        f"{{label: U, looked_for: [cost], looked_in: [heron-1-report], reason: {reason}}}\n"
    )
    matrix = loaded({"claims/acme/wren.yaml": text}).matrix
    (claim,) = matrix.claims_of_subject["wren"]
    assert value_words(claim, matrix) == words


def test_a_value_that_refers_to_a_subject_is_shown_by_its_name(
    loaded: Callable[[dict[str, str]], Loaded],
) -> None:
    text = (
        "subject: {name: W, kind: model}\n"
        "claims:\n  lineage.base: {label: I, value: heron-1, because: of its weights}\n"
    )
    matrix = loaded({"claims/acme/wren.yaml": text}).matrix
    (claim,) = matrix.claims_of_subject["wren"]
    assert value_words(claim, matrix) == matrix.subjects["heron-1"].name == "Heron-1"


def test_a_dispute_shows_the_others(composer: Composer, tiny_matrix: Matrix) -> None:
    (dispute,) = composer.claim(tiny_matrix.claims["heron-1/params.total"])["disputes"]
    assert dispute["kind_text"] == "Rounded."
    assert [other["value_text"] for other in dispute["others"]] == ["96.3B"]
    assert dispute["others"][0]["title"] == "Heron-1, total parameters, as read in table-1"


def test_invisible_signs_of_a_value_are_shown(
    loaded: Callable[[dict[str, str]], Loaded],
) -> None:
    text = (
        'subject: {name: W, kind: model}\nclaims:\n  data.sources: {label: I, value: "a\\x01b"}\n'
    )
    matrix = loaded({"claims/acme/wren.yaml": text}).matrix
    for claim in matrix.claims_of_subject.get("wren", ()):
        assert value_text(claim.record).isprintable()


@pytest.mark.parametrize(
    ("day", "text"), [("2025", "2025"), ("by 2025-02-11", "2025-02-11"), ("2025-02", "2025-02")]
)
def test_a_day_for_sorting_has_no_words(day: str, text: str) -> None:
    assert iso(parse_date(day)) == text
    assert iso(None) == ""


def test_the_weakest_piece_decides(tiny_matrix: Matrix) -> None:
    assert weakest_state(tiny_matrix.claims["heron-1/cost.training"], tiny_matrix) is None
    assert (
        weakest_state(tiny_matrix.claims["heron-1/params.total"], tiny_matrix) is State.NOT_REACHED
    )
