from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.syntax.bibtex_values import MONTHS, evaluate

MACROS = {"lab": "Heron Lab", "jan": "Jänner"}


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("{a {b} c}", "a {b} c"),
        ('"a {"} b"', 'a {"} b'),
        ("2025", "2025"),
        ("jul", "July"),
        ("JUL", "July"),
        ("Lab", "Heron Lab"),
        ("jan", "Jänner"),
        ('lab # ", " # 3 # {rd}', "Heron Lab, 3rd"),
        ("{a}#{b}", "ab"),
        ("{a\\{b}", "a\\{b"),
        ("{}", ""),
    ],
)
def test_a_value_is_its_parts_put_together(written: str, text: str) -> None:
    assert evaluate(written, MACROS) == (text, [])


@pytest.mark.parametrize(
    ("written", "offset"),
    [
        ("", 0),
        ("{a} #", 5),
        ("# {a}", 0),
        ("{a} {b}", 4),
        ("{a}\n year = {b}", 5),
        ("{a", 0),
        ('{a} # "b', 6),
        ("nobody", 0),
        ("jul # nobody", 6),
        ("{a, year = {2020}}", 4),
        ("{a @misc{b, c}}", 3),
        ("1a", 0),
        ("٣", 0),
    ],
)
def test_a_fault_is_found_at_its_offset(written: str, offset: int) -> None:
    _, (fault,) = evaluate(written, MACROS)
    assert fault.offset == offset
    assert fault.message
    assert fault.hint


def test_the_nearest_macro_is_offered_before_a_month() -> None:
    assert "macro lab" in evaluate("labb", MACROS)[1][0].hint
    assert "macro jun" in evaluate("june", MACROS)[1][0].hint


def test_there_are_twelve_months() -> None:
    assert len(MONTHS) == 12
    assert all(name.casefold().startswith(short) for short, name in MONTHS.items())


parts = st.text("ab é,=#%@~", max_size=6)


@given(
    st.lists(st.tuples(parts, st.booleans()), min_size=1, max_size=4), st.sampled_from(["#", " # "])
)
def test_joined_texts_are_the_texts_joined(given_parts: list[tuple[str, bool]], joint: str) -> None:
    written = joint.join(f'"{text}"' if quoted else f"{{{text}}}" for text, quoted in given_parts)
    assert evaluate(written, {}) == ("".join(text for text, _ in given_parts), [])


@given(st.text('{}"#\\ a1=,@'))
def test_every_value_has_a_text_or_a_fault_inside_it(written: str) -> None:
    _, faults = evaluate(written, {})
    assert all(0 <= fault.offset <= len(written) for fault in faults)
