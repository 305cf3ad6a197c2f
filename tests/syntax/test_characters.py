from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.syntax.characters import LARGEST, called, decode, is_hidden, lookalike


@given(st.text(st.characters(codec="utf-8").filter(lambda char: not is_hidden(char))))
def test_text_that_can_be_seen_is_decoded_without_findings(text: str) -> None:
    assert decode(text.encode(), "a.yaml") == (text, [])
    assert decode(text, "a.yaml") == (text, [])


@given(st.text("ab\n", max_size=20), st.characters().filter(is_hidden), st.text("ab\n", max_size=9))
def test_a_hidden_character_is_found_at_its_line_and_column(
    before: str, char: str, after: str
) -> None:
    _, findings = decode(before + char + after, "a.yaml")
    first = findings[0]
    assert first.line == before.count("\n") + 1
    if first.code == "EM009":
        assert first.column == len(before) - before.rfind("\n")


CONTROLS = "\0\x07\x1b\x7f\x85\xad"
FORMATS = "\u061c\u200b\u200d\u200e\u202e\u2028\u2060\u2066\u3164\ufe0f\ufeff"
OTHERS = "\uffff\ue000\U000e0041\U000e0100"


@pytest.mark.parametrize("char", CONTROLS + FORMATS + OTHERS)
def test_controls_bidi_zero_width_fillers_and_tags_are_hidden(char: str) -> None:
    assert is_hidden(char)


@pytest.mark.parametrize("char", "a \t\n\r~é白а\u00a0\u2009\u3000×–’αقא\u0301😀")
def test_letters_signs_spaces_and_marks_are_not_hidden(char: str) -> None:
    assert not is_hidden(char)


def test_all_bidi_controls_of_unicode_are_hidden() -> None:
    controls = ["LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"]
    found = [
        chr(code) for code in range(0x3000) if unicodedata.bidirectional(chr(code)) in controls
    ]
    assert len(found) == len(controls)
    assert all(is_hidden(char) for char in found)


def test_a_byte_that_is_not_utf8_is_told_with_offset_line_and_column() -> None:
    text, (finding,) = decode("a: é\nbé: ".encode() + b"\xff\n", "a.yaml")
    assert text is None
    assert (finding.code, finding.line, finding.column) == ("EM001", 2, 5)
    assert "0xff at offset 11 (line 2)" in finding.message


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_encodings_are_refused(encoding: str) -> None:
    text, findings = decode("a: b\n".encode(encoding), "a.yaml")
    assert text is None
    assert findings[0].code == "EM001"


def test_utf16_is_named_where_it_shows() -> None:
    _, (finding,) = decode("a: b\n".encode("utf-16"), "a.yaml")
    assert "UTF-16" in finding.hint


def test_the_limit_counts_bytes() -> None:
    assert decode("x" * LARGEST, "a.yaml")[1] == []
    _, (finding,) = decode("é" * (LARGEST // 2) + "x", "a.yaml")
    assert finding.code == "EM002"
    assert "1,000,001" in finding.message


def test_a_file_full_of_hidden_characters_gets_few_findings() -> None:
    text, findings = decode("a\u200b\n" * 5000, "a.yaml")
    assert text is not None
    assert len(findings) == 21
    assert (findings[-1].line, findings[-1].column) == (21, 2)
    assert "4,980 times more" in findings[-1].message


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("p\u0430rams.total", "params.total"),
        ("\uff50arams", "params"),
        ("\u0395gret", "Egret"),
        ("params", None),
        ("白鹭", None),
        ("é", None),
    ],
)
def test_a_lookalike_is_the_ascii_name_that_the_eye_reads(name: str, plain: str | None) -> None:
    assert lookalike(name) == plain


@given(st.text(st.characters(codec="ascii")))
def test_ascii_looks_like_itself_only(name: str) -> None:
    assert lookalike(name) is None


def test_a_character_is_called_by_number_and_name() -> None:
    assert called("\u202e") == "U+202E RIGHT-TO-LEFT OVERRIDE"
    assert called("\0") == "U+0000 control character"
