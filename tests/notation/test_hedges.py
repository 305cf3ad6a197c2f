from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.notation.hedges import HEDGES, NONE, Hedge, before, following, leading

PHRASES = st.sampled_from(sorted(HEDGES))
WORDED = st.sampled_from(sorted(phrase for phrase in HEDGES if phrase[0].isalpha()))


@given(PHRASES, st.sampled_from(["", " "]))
def test_every_hedge_is_read_forwards_and_backwards(phrase: str, space: str) -> None:
    space = " " if phrase[-1].isalpha() else space
    text = f"{phrase}{space}10"
    assert leading(text, 0) == (HEDGES[phrase], len(text) - 2)
    assert before(f"with {text}", len(text) + 3) == (HEDGES[phrase], 5)


@given(WORDED)
def test_case_an_article_and_a_currency_sign_do_not_hide_a_hedge(phrase: str) -> None:
    for text in (f"{phrase.upper()} 10", f"({phrase} a 10", f"by {phrase} $10"):
        assert before(text, len(text) - 2)[0] == HEDGES[phrase]


@given(st.sampled_from(list(HEDGES.values())), st.sampled_from(list(HEDGES.values())))
def test_joining_keeps_all_or_finds_the_contradiction(one: Hedge, two: Hedge) -> None:
    both = one.joined(two)
    if both is None:
        assert one.side == -two.side != 0
    else:
        assert both.about == (one.about or two.about)
        assert both.side in (one.side, two.side)
        assert both.side or not (one.side or two.side)
    assert one.joined(NONE) == one == NONE.joined(one)


@pytest.mark.parametrize(
    "text",
    [
        "10",
        "with 10",
        "mindover 10",
        "the average over 64 samples was 10",
        "averaged over 10",
        "annealed to 1e-6 over 10",
        "Pass@1 over 10",
        "a success rate over 10",
        "moreover, 10",
        "less 10",
    ],
)
def test_what_is_no_hedge_is_none(text: str) -> None:
    assert before(text, len(text) - 2) == (NONE, len(text) - 2)


@pytest.mark.parametrize(
    ("text", "hedge"),
    [
        ("at least about 10", Hedge(1, False, True)),
        ("no more than 10", Hedge(-1)),
        ("more than 10", Hedge(1, True)),
        ("trained on over 10", Hedge(1, True)),
        ("up to ~10", Hedge(-1, False, True)),
        ("under\n10", Hedge(-1, True)),
    ],
)
def test_hedges_add_up_and_the_longest_phrase_counts(text: str, hedge: Hedge) -> None:
    assert before(text, len(text) - 2)[0] == hedge


@pytest.mark.parametrize(
    ("text", "hedge", "length"),
    [
        ("10+ tasks", Hedge(1), 1),
        ("10%+", Hedge(1), 2),
        ("10 or more tasks", Hedge(1), 8),
        ("10 or fewer", Hedge(-1), 9),
        ("10 tasks", NONE, 0),
        ("10", NONE, 0),
    ],
)
def test_a_bound_after_the_number(text: str, hedge: Hedge, length: int) -> None:
    assert following(text, 2) == (hedge, 2 + length)


def test_a_word_that_only_starts_like_a_hedge_leads_nothing() -> None:
    assert leading("overall 10", 0) is None
    assert leading("aboutness 10", 0) is None
    assert leading("10", 0) is None
