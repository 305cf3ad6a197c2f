from __future__ import annotations

import pytest
import yaml

from evidence_matrix.syntax.yaml_syntax import syntax_finding


def finding_of(text: str, loader: type) -> tuple[str, int, int, str, str]:
    with pytest.raises(yaml.YAMLError) as caught:
        list(yaml.parse(text, Loader=loader))
    finding = syntax_finding(caught.value, "claims/a.yaml")
    assert finding.file == "claims/a.yaml"
    return finding.code, finding.line, finding.column, finding.message, finding.hint


@pytest.mark.parametrize(
    ("text", "line", "column", "hint"),
    [
        ("a: b: c\n", 1, 5, "quotes"),
        ("a: b\n  c: d\n", 2, 4, "indent it like the keys around it"),
        ("a: {b: c: d}\n", 1, 9, "quote a text that has `: ` in it"),
        ("a: @b\n", 1, 4, "quotes"),
        ("a: [b\n", 2, 1, "close the list"),
        ("a: {b: c\n", 2, 1, "close it with `}`"),
        ("x: y\na: 'b\n", 3, 1, "close the quotation mark"),
        ('a: "\\q"\n', 1, 5, "single quotes"),
        ("a: b\nc\nd: e\n", 3, 1, "key: value"),
        ("- a\nb: c\n", 2, 1, "begin each item"),
        ("%FOO\n---\n", 1, 5, "quote odd texts"),
    ],
)
def test_a_fault_has_its_place_and_says_what_to_write(
    text: str, line: int, column: int, hint: str
) -> None:
    code, at_line, at_column, message, said = finding_of(text, yaml.CBaseLoader)
    assert (code, at_line, at_column) == ("EM003", line, column)
    assert message.startswith("the YAML cannot be read: ")
    assert hint in said


def test_what_was_left_open_is_told_with_the_line_where_it_begins() -> None:
    *_, message, _ = finding_of("x: y\na: 'b\n\n\n", yaml.CBaseLoader)
    assert "begins in line 2" in message


def test_too_deep_for_the_parser_is_the_fault_of_depth() -> None:
    assert finding_of("[" * 5000, yaml.CBaseLoader)[0] == "EM007"


@pytest.mark.parametrize("text", ["a: b: c\n", "a: @b\n", "a: 'b\n", "a: \x01\n", "- a\nb: c\n"])
def test_the_parser_without_libyaml_gives_findings_too(text: str) -> None:
    code, *_, message, hint = finding_of(text, yaml.BaseLoader)
    assert code == "EM003"
    assert message
    assert hint
    assert len(message) < 300
