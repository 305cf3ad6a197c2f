from __future__ import annotations

import json
import re
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.findings import (
    Finding,
    Severity,
    counted,
    in_order,
    shown,
    to_github,
    to_json,
    to_text,
)

any_text = st.text(st.characters(), max_size=40)
findings = st.builds(
    Finding,
    code=st.from_regex(r"EM[1-6][0-9]{2}", fullmatch=True),
    severity=st.sampled_from(Severity),
    file=any_text,
    line=st.integers(0, 99),
    column=st.integers(0, 99),
    message=any_text,
    hint=any_text,
)


def finding(
    *,
    file: str = "claims/acme/heron-1.yaml",
    line: int = 8,
    column: int = 5,
    message: str = "the label is wrong",
    hint: str = "write D",
    severity: Severity = Severity.ERROR,
) -> Finding:
    return Finding("EM101", severity, file, line, column, message, hint)


def test_a_finding_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        finding().line = 3  # type: ignore[misc]


def test_text_names_place_code_message_and_hint() -> None:
    assert to_text([finding()]) == (
        "claims/acme/heron-1.yaml:8:5: EM101 the label is wrong\n  hint: write D\n"
    )


def test_text_says_that_a_warning_is_one() -> None:
    assert ": EM101 warning: the label" in to_text([finding(severity=Severity.WARNING)])


def test_text_leaves_out_a_place_that_there_is_not() -> None:
    assert to_text([finding(line=0, column=0)]).startswith("claims/acme/heron-1.yaml: EM101")
    assert to_text([finding(column=0)]).startswith("claims/acme/heron-1.yaml:8: EM101")


def test_findings_are_sorted_by_file_then_line_as_a_number() -> None:
    places = [("b", 1), ("a", 10), ("a", 9)]
    ordered = in_order(finding(file=file, line=line) for file, line in places)
    assert [(f.file, f.line) for f in ordered] == [("a", 9), ("a", 10), ("b", 1)]


@given(st.lists(findings))
def test_every_writer_gives_the_same_for_every_order(rows: list[Finding]) -> None:
    for writer in (to_text, to_json, to_github):
        assert writer(rows) == writer(rows[::-1])


def test_a_file_name_with_stray_bytes_can_be_printed() -> None:
    for writer in (to_text, to_json, to_github):
        assert "udcff" in writer([finding(file="a\udcff.yaml")]).encode().decode()


@given(st.lists(findings))
def test_text_is_two_lines_a_finding_whatever_is_quoted(rows: list[Finding]) -> None:
    text = to_text(rows)
    assert len(text.splitlines()) == 2 * len(rows)
    assert all(line.isprintable() for line in text.split("\n"))


@given(st.lists(findings))
def test_json_reads_back_as_the_findings(rows: list[Finding]) -> None:
    read = json.loads(to_json(rows))
    assert [Finding(**{**row, "severity": Severity(row["severity"])}) for row in read] == in_order(
        rows
    )


def test_json_has_the_seven_fields_in_order() -> None:
    (row,) = json.loads(to_json([finding()]))
    assert list(row) == ["code", "severity", "file", "line", "column", "message", "hint"]


def test_github_annotates_file_line_and_column() -> None:
    assert (
        "::error file=claims/acme/heron-1.yaml,title=EM101,line=8,col=5::"
        "the label is wrong%0Awrite D\n"
    ) in to_github([finding()])


def test_github_encodes_what_would_end_a_property_or_a_line() -> None:
    line = to_github([finding(file="a,b:c%d", message="100%, no: yes", hint="x\r\ny")])
    assert "::error file=a%2Cb%3Ac%25d,title=EM101,line=8,col=5::100%25, no: yes%0A" in line


def decoded(annotation: str) -> tuple[dict[str, str], str]:
    """Reads an annotation as GitHub's runner does: the first `::` after the head ends it."""
    head, message = annotation[2:].split("::", 1)
    properties = dict(part.split("=", 1) for part in head.split(" ", 1)[1].split(","))
    for code, char in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        properties = {name: value.replace(code, char) for name, value in properties.items()}
        if char not in ":,":
            message = message.replace(code, char)
    return properties, message


@given(findings)
def test_github_annotations_read_back(row: Finding) -> None:
    (annotation,) = re.findall(r"(?m)^::(?:error|warning) .*$", to_github([row]).split("::\n")[-1])
    properties, message = decoded(annotation)
    assert properties["file"] == row.file.encode(errors="backslashreplace").decode()
    assert message.count("\n") == 1


def test_github_never_runs_a_command_that_a_file_holds() -> None:
    hostile = finding(file="::add-mask::x", message="##[add-mask]y", hint="::set-output name=a::b")
    lines = to_github([hostile]).splitlines()
    token = lines[0].removeprefix("::stop-commands::")
    closing = lines.index(f"::{token}::")
    loose = [line for line in lines[closing + 1 :] if not line.startswith("::error ")]
    assert closing == 3
    assert loose == ["1 error"]


def test_github_ends_with_how_many_there_are_beyond_the_ten_it_shows() -> None:
    rows = [finding(line=line) for line in range(1, 12)]
    out = to_github([*rows, finding(severity=Severity.WARNING)]).splitlines()
    assert len([line for line in out if line.startswith("::error ")]) == 11
    assert out[-1].startswith("11 errors, 1 warning; GitHub shows 10")


def test_no_findings_are_said_to_be_none() -> None:
    assert to_text([]) == ""
    assert json.loads(to_json([])) == []
    assert to_github([]) == "no findings\n"
    assert counted([]) == "no findings"


def test_shown_cuts_what_is_long_and_escapes_what_is_invisible() -> None:
    assert shown("plain") == "plain"
    assert shown("x" * 1000) == "x" * 59 + "…"
    assert shown("a\u202eb\x1b[0m\n") == "a\\u202eb\\x1b[0m\\x0a"


@given(st.text(), st.integers(1, 80))
def test_shown_is_always_printable_and_bounded(text: str, limit: int) -> None:
    out = shown(text, limit)
    assert out.isprintable()
    assert len(out) <= 10 * limit
