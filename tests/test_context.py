from __future__ import annotations

from collections.abc import Callable

import pytest

from evidence_matrix.context import SUBJECT, UNIT, left_to_context
from evidence_matrix.store import Loaded

Load = Callable[[dict[str, str]], Loaded]
FILE = "claims/acme/wren.yaml"


def told(loaded: Load, quote: str, key: str = "params.total", extra: str = "") -> list[str]:
    text = (
        f"subject: {{name: Wren 3, kind: model, aliases: [W3], scopes: {{vision: v}}}}\nclaims:\n"
        f"  {key}:\n    label: D\n    value: 14.8B\n    evidence:\n"
        f'      - {{source: egret-2-card, at: line 3, quote: "{quote}"{extra}}}\n'
    )
    matrix = loaded({FILE: text}).matrix
    claim = matrix.claims[f"wren/{key}"]
    return list(left_to_context(claim.evidence[0], claim, matrix))


@pytest.mark.parametrize(
    ("quote", "left"),
    [
        ("Wren 3 has 14.8B parameters", []),
        ("wren 3 has 14.8B params", []),
        ("W3 with 14.8B parameters", []),
        ("it has 14.8B parameters", [SUBJECT]),
        ("Wren 3: 14.8B", [UNIT]),
        ("14.8B", [UNIT, SUBJECT]),
        ("Wrens have 14.8B parameters", [SUBJECT]),
    ],
)
def test_what_the_words_do_not_say_is_told(loaded: Load, quote: str, left: list[str]) -> None:
    """The card carries claims of Egret 2 as well, so that a fragment must say whose they are."""
    assert told(loaded, quote) == left


def test_row_and_head_are_words_too(loaded: Load) -> None:
    extra = ", row: total parameters, head: Wren 3"
    assert told(loaded, "14.8B", extra=extra) == []


def test_an_expression_leaves_nothing_to_context(loaded: Load) -> None:
    matrix = loaded({}).matrix
    claim = matrix.claims["heron-1/experts.routed"]
    assert not list(left_to_context(claim.evidence[0], claim, matrix))


def test_a_source_about_one_subject_need_not_name_it(loaded: Load) -> None:
    matrix = loaded({}).matrix
    claim = matrix.claims["heron-1/event.release"]
    assert SUBJECT not in left_to_context(claim.evidence[0], claim, matrix)
