"""Figures of shapes: invented curves and claims are put together as the numbers say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from evidence_matrix.figures.curves import FILE, RUN, Curve, read, settings
from evidence_matrix.figures.shape_figures import disclosed, sentence, shapes
from evidence_matrix.figures.shape_words import FIGURES, Words
from evidence_matrix.matrix import Matrix
from evidence_matrix.objectives.catalog import entries
from evidence_matrix.pages.addresses import Addresses
from evidence_matrix.pages.composer import Composer
from evidence_matrix.render import environment
from evidence_matrix.store import Loaded
from evidence_matrix.views import all_pages
from tests.conftest import TINY

ROOT = Path(__file__).parents[2]
SETTINGS = (
    {"clip_low": 0.2, "clip_high": 0.2},
    {"clip_low": 0.2, "clip_high": 0.28},
    {"clip_low": 0.2, "clip_high": 0.2, "dual_clip": 3.0},
)
WORDS = Words("toy", "toy", "A toy", "ratio", "Seen.", at=(1, 2))
ASPECTS = "".join(
    f"{aspect}: {{title: {aspect}, group: Post-training, kind: quantity, counts: a bound}}\n"
    for aspect in ("rl.clip_low", "rl.clip_high", "rl.kl_coefficient")
)


def curve(gradient: list[float], setting: dict[str, float] | None = None, sign: int = 1) -> Curve:
    places = tuple(float(i) for i in range(len(gradient)))
    return Curve("toy", setting or SETTINGS[0], sign, places, places, tuple(gradient))


def claims(**values: str) -> dict[str, str]:
    """The tiny files with claims of Egret 2 on its clips, by aspect (and scope)."""
    aspects = (TINY / "claims/aspects.yaml").read_text(encoding="utf-8")
    subject = (TINY / "claims/acme/egret-2.yaml").read_text(encoding="utf-8")
    for key, value in values.items():
        subject += f"""
  rl.{key}:
    label: D
    value: {value}
    evidence:
      - {{source: egret-2-card, at: "line 3", quote: "a bound of {value} for {key}"}}
    public: 2025-06
    checked: 2026-07-19
"""
    return {"claims/aspects.yaml": aspects + ASPECTS, "claims/acme/egret-2.yaml": subject}


@pytest.mark.parametrize(
    ("values", "marked"),
    [
        ({"clip_low": "0.2", "clip_high": "0.2"}, [0]),  # of two that fit, the plainer
        ({"clip_low": "0.2", "clip_high": "0.28"}, [1]),
        ({"clip_high": "0.280"}, [1]),
        ({"clip_low": "0.2"}, []),  # fits two that differ in what is not disclosed
        ({"clip_low": "0.2", "clip_high": "0.4"}, []),
        ({"clip_low": "0.1", "clip_high": "0.28"}, []),  # agrees in one and not in the other
        ({"clip_high": "0.2–0.28"}, []),
        ({}, []),
    ],
)
def test_a_setting_is_marked_by_claims_with_its_numbers(
    loaded: Callable[[dict[str, str]], Loaded], values: dict[str, str], marked: list[int]
) -> None:
    matrix = loaded(claims(**values)).matrix
    found = disclosed(matrix, SETTINGS, ["egret-2", "egret-2"])
    assert [i for i, marks in enumerate(found) if marks] == marked
    for i in marked:
        ((*each,),) = found[i]
        assert {c.key for c in each} == {f"rl.{name}" for name in values}


def test_a_constant_that_the_setting_has_not_is_no_mark_of_it(
    loaded: Callable[[dict[str, str]], Loaded],
) -> None:
    matrix = loaded(claims(clip_high="0.28", kl_coefficient="0.1")).matrix
    _, (marked,), _ = disclosed(matrix, SETTINGS, ["egret-2"])
    assert [claim.key for claim in marked] == ["rl.clip_high"]


def test_only_those_who_use_the_objective_are_asked(
    loaded: Callable[[dict[str, str]], Loaded],
) -> None:
    matrix = loaded(claims(clip_high="0.28")).matrix
    assert disclosed(matrix, SETTINGS, ["heron-1"]) == [[], [], []]


@pytest.mark.parametrize(
    ("gradient", "said"),
    [
        ([1, 2, 0, 0], "no gradient from 2 on; the greatest is 2, at 1."),
        ([0, 0, 3, 0, 0, 1], "no gradient up to 1 and from 3 to 4; the greatest is 3, at 2."),
        ([0, 0, 0], "no gradient anywhere."),
        ([2, 1, 0, -1], "a gradient everywhere; it turns at 2; the greatest is 2, at 0, where"),
        ([1, 3, -1, -2], "a gradient everywhere; it turns between 1 and 2; the greatest is 3, at"),
    ],
)
def test_a_sentence_says_what_the_curve_does(gradient: list[float], said: str) -> None:
    assert sentence(curve(gradient), "advantage +1").startswith(f"Advantage +1: {said}")
    assert sentence(curve(gradient), "").startswith(said[0].upper() + said[1:])


@pytest.fixture(scope="module")
def figure(tiny_matrix: Matrix) -> LexborHTMLParser:
    pages = {page.url: page for page in all_pages(tiny_matrix)}
    addresses = Addresses({f"run:{RUN}": f"runs/{RUN}/"}, frozenset(pages))
    templates = environment()
    composer = Composer(tiny_matrix, addresses, "objectives/toy/", templates)
    curves = [
        curve(gradient, setting, sign)
        for setting, gradient in zip(
            SETTINGS, ([1, 1, 0, 0], [1, 1, 1, 0], [1, 2, 3, 4]), strict=True
        )
        for sign in (1, -1)
    ]
    view = shapes(composer, WORDS, curves, [])
    return LexborHTMLParser(composer.macro("shapes.html.j2", "shapes", view))


def test_each_setting_is_a_choice_a_curve_in_each_panel_and_a_sentence(
    figure: LexborHTMLParser,
) -> None:
    choices = figure.css("fieldset input[type=radio]")
    assert [choice.attributes["value"] for choice in choices] == ["1", "2", "3"]
    assert len({choice.attributes["name"] for choice in choices}) == 1
    assert ["checked" in choice.attributes for choice in choices] == [True, False, False]
    assert all(label.text().strip() for label in figure.css("fieldset label"))
    panels = figure.css(".em-panels > svg")
    assert len(panels) == 4
    for panel in panels:
        assert {g.attributes["data-k"] for g in panel.css("g[data-k]")} == {"1", "2", "3"}
        copied = [use.attributes["href"] for use in panel.css("use")]
        assert copied == [f"#{group.id}" for group in reversed(panel.css("g > g"))]
        assert panel.attributes["aria-label"]
    assert [p.attributes["data-k"] for p in figure.css("p.em-said")] == ["1", "2", "3"]


def test_what_all_settings_share_is_said_once(figure: LexborHTMLParser) -> None:
    labels = [label.text().strip() for label in figure.css("fieldset label")]
    assert labels == ["clip_high 0.2", "clip_high 0.28", "clip_high 0.2, dual_clip 3"]
    assert "All with clip_low 0.2" in figure.css_first("figcaption").text()


def test_the_values_are_also_a_table(figure: LexborHTMLParser) -> None:
    rows = [[c.text() for c in row.css("th, td")] for row in figure.css("table tr")]
    assert rows[0] == ["Setting", "1", "2"]
    assert rows[1] == ["clip_high 0.2, advantage +1", "1", "0"]
    assert len(rows) == 7


def test_every_recorded_figure_has_words_and_places_that_were_read() -> None:
    curves = read(ROOT / "sources" / "runs" / RUN / FILE)
    assert {words.figure for words in FIGURES} == curves.keys()
    known = {entry.id for entry in entries()}
    for words in FIGURES:
        found = curves[words.figure]
        assert words.objective in known | {""}
        assert {c.sign for c in found} == set(words.signs)
        assert len(settings(found)) <= 5  # as many as the stylesheet knows
        for place in words.at:
            assert all(c.gradient_at(place) is not None for c in found), (words.figure, place)
