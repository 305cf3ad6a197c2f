"""Ledgers: what may be added up, by the source or by us, and what stays open."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from evidence_matrix.figures.ledger import (
    ADDS_UP,
    LEAVES_OPEN,
    NOT_ADDED,
    OUR_SUM,
    TOTAL_ALONE,
    Bar,
    bars,
    reach,
)
from evidence_matrix.quantity import parse_quantity
from evidence_matrix.records import ColumnRecord, TableRecord
from evidence_matrix.store import Loaded

World = Callable[[dict[str, str]], Loaded]

ASPECTS = "\n".join(
    f"tokens.{name}: {{title: T, group: Data, kind: quantity, unit: tokens, counts: {name}}}"
    for name in ("total", "pretrain", "stage", "midtrain", "sft", "base", "corpus")
)
TABLE = TableRecord(
    title="T",
    caption="C",
    columns=(
        ColumnRecord(title="Total", aspects=("tokens.total",), role="total"),
        ColumnRecord(title="Pre-training", aspects=("tokens.pretrain",), role="main"),
        ColumnRecord(title="Stage", aspects=("tokens.stage",), role="inner"),
        ColumnRecord(title="Mid-training", aspects=("tokens.midtrain",), role="further"),
        ColumnRecord(title="Checkpoint", aspects=("tokens.base",), role="before"),
        ColumnRecord(title="Fine-tuning", aspects=("tokens.sft",), role="after"),
        ColumnRecord(title="Corpus", aspects=("tokens.corpus",), role="aside"),
    ),
)


@pytest.fixture
def of(loaded: World) -> Callable[[str], list[Bar]]:
    """The bars of a subject with these claims, one a line: `pretrain: 27T`."""

    def drawn(claims: str) -> list[Bar]:
        lines = "".join(
            f"  tokens.{name}: {{label: D, value: {value}, public: 2026-01}}\n"
            if not value.startswith("{")
            else f"  tokens.{name}: {value}\n"
            for name, value in (line.strip().split(": ", 1) for line in claims.strip().split("\n"))
        )
        scopes = "{a: first, b: second, small: the small one, large: the large one}"
        matrix = loaded(
            {
                "claims/aspects.yaml": ASPECTS,
                "claims/acme/wren.yaml": f"subject: {{name: Wren, kind: model, scopes: {scopes}}}\n"
                f"claims:\n{lines}",
            }
        ).matrix
        return list(bars(matrix, TABLE, matrix.subjects["wren"]))

    return drawn


def shown(bar: Bar) -> tuple[str | None, list[str | None], str]:
    total = bar.total.value if bar.total else None
    return total, [part.claim.value for part in bar.parts], bar.words


def test_stages_that_add_up_to_a_total_stand_one_after_another(
    of: Callable[[str], list[Bar]],
) -> None:
    found = of("total: 28.5T\npretrain: 27T\nmidtrain/a: 1T\nmidtrain/b: 500B\nsft: 2B")
    assert [shown(bar) for bar in found] == [
        ("28.5T", ["27T", "1T", "500B"], ADDS_UP),
        (None, ["2B"], NOT_ADDED),
    ]


def test_stages_that_do_not_add_up_stand_apart(of: Callable[[str], list[Bar]]) -> None:
    found = of("total: 40T\npretrain: 27T\nmidtrain/a: 1T")
    assert [shown(bar) for bar in found] == [
        ("40T", ["40T"], TOTAL_ALONE),
        (None, ["27T"], ""),
        (None, ["1T"], NOT_ADDED),
    ]


def test_without_a_total_nothing_is_added(of: Callable[[str], list[Bar]]) -> None:
    found = of("pretrain: 15.5T\nstage/a: 400B\nmidtrain/a: 60B")
    assert [shown(bar) for bar in found] == [
        (None, ["15.5T"], ""),
        (None, ["400B"], NOT_ADDED),
        (None, ["60B"], NOT_ADDED),
    ]


def test_stages_of_a_stage_are_drawn_inside_it_if_they_add_up(
    of: Callable[[str], list[Bar]],
) -> None:
    found = of("pretrain: 2T\nstage/a: 1.8T\nstage/b: 200B\nsft: 2B")
    assert [shown(bar) for bar in found] == [
        ("2T", ["1.8T", "200B"], ADDS_UP),
        (None, ["2B"], NOT_ADDED),
    ]


def test_a_total_takes_in_the_checkpoint_before_it_which_is_not_drawn_alone(
    of: Callable[[str], list[Bar]],
) -> None:
    assert [shown(b) for b in of("total: 10.2T\nbase: 4.2T\nmidtrain: 6T")] == [
        ("10.2T", ["4.2T", "6T"], ADDS_UP)
    ]
    assert [shown(b) for b in of("base: 4.2T\nmidtrain: 6T")] == [(None, ["6T"], "")]


def test_a_corpus_is_no_bar(of: Callable[[str], list[Bar]]) -> None:
    assert not of("corpus: 30T")


def test_sizes_of_a_family_are_bars_of_their_own(of: Callable[[str], list[Bar]]) -> None:
    found = of("pretrain/small: 2T\npretrain/large: 13T")
    assert [(shown(bar)[1], bar.scope) for bar in found] == [
        (["2T"], "the small one"),
        (["13T"], "the large one"),
    ]


def test_our_sum_is_drawn_from_its_premises_and_says_that_it_is_ours(
    of: Callable[[str], list[Bar]],
) -> None:
    found = of(
        "pretrain: 27T\nmidtrain: 1T\n"
        "total: {label: I, value: 28T, formula: a + b, checked: 2026-07-01,"
        " premises: {a: wren/tokens.pretrain, b: wren/tokens.midtrain}}"
    )
    assert [shown(bar) for bar in found] == [("28T", ["27T", "1T"], OUR_SUM)]
    assert found[0].inferred


def test_an_unknown_leaves_the_first_bar_open_or_is_a_bar_of_its_own(
    of: Callable[[str], list[Bar]],
) -> None:
    unknown = "{label: U, looked_for: [tokens], reason: absent, checked: 2026-07-01}"
    (alone,) = of(f"pretrain: {unknown}\nsft: {unknown}")
    assert (alone.parts, len(alone.unknown), alone.words) == ((), 2, LEAVES_OPEN)
    first, second = of(f"pretrain/a: 30T\npretrain: {unknown}\nsft: {unknown}")
    assert [part.claim.key for part in first.unknown] == ["tokens.pretrain"]
    assert [part.claim.key for part in second.unknown] == ["tokens.sft"]


def test_another_reading_is_shown_beside_and_not_drawn(of: Callable[[str], list[Bar]]) -> None:
    (bar,) = of("pretrain: 27T\npretrain@card: 27.1T")
    assert shown(bar) == (None, ["27T"], "")
    assert [claim.value for claim in bar.others] == ["27.1T"]


@pytest.mark.parametrize(
    ("written", "length", "is_open"),
    [
        ("14.8T", "14.8", False),
        (">32T", "32", True),
        ("4T to 5T", "5", False),
        ("up to 9T", "9", False),
    ],
)
def test_a_bar_reaches_as_far_as_its_number(written: str, length: str, is_open: bool) -> None:
    assert reach(parse_quantity(written)) == (Fraction(length) * 10**12, is_open)
