from __future__ import annotations

import copy
import pickle
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from evidence_matrix import yaml_lines
from evidence_matrix.findings import Finding, to_text
from evidence_matrix.syntax.characters import is_hidden
from evidence_matrix.yaml_lines import Entries, Items, Place, read_yaml

RECORD = """\
- id: heron-1.params.total
  subject: heron-1
  attribute: params.total
  statement: "The report gives 96 billion parameters in total."
  label: D
  value: 96000000000
  unit: parameters
  evidence:
    - source: heron2025report
      locator: "section 2, table 1"
      quote: "96B total parameters"
  published: 2025-02-11
  verified_through: 2026-07-19
"""


def read(text: str | bytes) -> Any:
    """The document of a text that nothing is wrong with."""
    document, findings = read_yaml(text, file="claims/a.yaml")
    assert findings == []
    assert document is not None
    return document


def refused(text: str | bytes) -> list[Finding]:
    """The findings of a text whose document cannot be had."""
    document, findings = read_yaml(text, file="claims/a.yaml")
    assert document is None
    assert findings
    assert all(f.file == "claims/a.yaml" and f.message and f.hint for f in findings)
    return findings


def codes(findings: list[Finding]) -> list[tuple[str, int]]:
    return [(finding.code, finding.line) for finding in findings]


# --- what is read ---------------------------------------------------------------------------


def test_a_record_is_read_with_all_its_texts() -> None:
    (record,) = read(RECORD)
    assert record["value"] == "96000000000"
    assert record["evidence"] == [
        {
            "source": "heron2025report",
            "locator": "section 2, table 1",
            "quote": "96B total parameters",
        }
    ]


PLAIN = """
NO no yes on off true False 12:30:00 2.10 15e12 3e-4 2025-02-30 0644 0o14 1_000 .inf = 0x1F
Null NULL +1 1e400 ~a
"""


@pytest.mark.parametrize("text", PLAIN.split())
def test_a_plain_scalar_is_the_text_as_written(text: str) -> None:
    assert read(f"value: {text}\n") == {"value": text}
    assert read(f"values: [{text}]\n") == {"values": [text]}
    assert read(f"{text}: x\n") == {text: "x"}


def test_nothing_tilde_and_null_are_none_only_without_quotes() -> None:
    written = "a:\nb: ~\nc: null\nd: ''\ne: \"~\"\nf: 'null'\ng: [~, 'null']\n"
    assert read(written) == {
        "a": None,
        "b": None,
        "c": None,
        "d": "",
        "e": "~",
        "f": "null",
        "g": [None, "null"],
    }


def test_every_key_and_value_keeps_its_line_and_column() -> None:
    document = read('top: one\nlist:\n  - x\n  - {a: 1, "b":   2}\nempty:\nblock: |\n  text\n')
    assert isinstance(document, Entries)
    assert document.place == Place(1, 1)
    assert document.keys_at == {
        "top": (1, 1),
        "list": (2, 1),
        "empty": (5, 1),
        "block": (6, 1),
    }
    assert document.values_at["top"] == Place(1, 6)
    assert document.values_at["list"] == Place(3, 3)
    assert document.values_at["block"] == Place(6, 8)
    items = document["list"]
    assert isinstance(items, Items)
    assert items.place == (3, 3)
    assert items.places == [(3, 5), (4, 5)]
    assert items[1].keys_at == {"a": (4, 6), "b": (4, 12)}
    assert items[1].values_at == {"a": (4, 9), "b": (4, 19)}


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_are_counted_whatever_ends_them(newline: str) -> None:
    document = read(newline.join(["# note", "a: é", "b: {c: 'two", "  lines', d: x}"]))
    assert document.keys_at == {"a": (2, 1), "b": (3, 1)}
    assert document["b"].keys_at == {"c": (3, 5), "d": (4, 11)}


def test_columns_count_characters_not_bytes() -> None:
    document = read("a: [白鹭一号, 𝑥, b]\n")
    assert document["a"].places == [(1, 5), (1, 11), (1, 14)]


def test_text_and_its_bytes_read_alike() -> None:
    text = RECORD.replace("billion", "milliards é")
    assert read(text) == read(text.encode())
    assert read(text)[0].keys_at == read(text.encode())[0].keys_at


def test_a_document_survives_copying_and_pickling_with_its_places() -> None:
    (record,) = read(RECORD)
    for twin in (copy.deepcopy(record), pickle.loads(pickle.dumps(record))):
        assert twin == record
        assert twin.keys_at == record.keys_at


def test_pydantic_takes_entries_and_items_in_strict_mode() -> None:
    class Piece(BaseModel):
        model_config = ConfigDict(strict=True, extra="forbid", frozen=True)
        source: str

    class Record(BaseModel):
        model_config = ConfigDict(strict=True, extra="forbid", frozen=True)
        value: str
        evidence: list[Piece]
        names: dict[str, str]

    document = read("value: 96B\nevidence:\n  - source: heron\nnames: {a: b}\n")
    assert Record.model_validate(document).evidence[0].source == "heron"


# --- what is refused ------------------------------------------------------------------------


def test_a_key_that_stands_twice_names_both_lines() -> None:
    (finding,) = refused(RECORD.replace("  evidence:", "  label: C\n  evidence:"))
    assert (finding.code, finding.line, finding.column) == ("EM004", 8, 3)
    assert "'label'" in finding.message
    assert "lines 5 and 8" in finding.message


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\na: 2\n",
        "{a: 1, a: 2}",
        "- {b: {a: 1, 'a': 2}}",
        'a: 1\n"a": 2\n',
        "a: [x]\na: {b: c}\n",
    ],
)
def test_a_key_that_stands_twice_is_found_wherever_and_however_it_is_written(text: str) -> None:
    assert [finding.code for finding in refused(text)] == ["EM004"]


def test_all_duplicates_tags_and_anchors_of_a_file_are_told_at_once() -> None:
    text = "a: 1\na: 2\nb: !x 3\nc: &d 4\ne: *d\na: {f: 1, f: 2}\n<<: {g: 1}\n"
    assert codes(refused(text)) == [
        ("EM004", 2),
        ("EM005", 3),
        ("EM005", 4),
        ("EM005", 5),
        ("EM004", 6),
        ("EM004", 6),
        ("EM005", 7),
    ]


def test_a_tag_runs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tagged = '  statement: !!python/object/apply:os.system ["touch PWNED"]\n'
    lines = RECORD.splitlines(keepends=True)
    (finding,) = refused("".join([*lines[:3], tagged, *lines[4:]]))
    assert (finding.code, finding.line) == ("EM005", 4)
    assert "python/object/apply:os.system" in finding.message
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text", ["a: !!str b", "a: ! b", "!x {a: b}", "- !!int 3", "!!str a: b", "a: !<tag:x> b"]
)
def test_a_tag_is_refused_wherever_it_stands(text: str) -> None:
    assert [finding.code for finding in refused(text)] == ["EM005"]


def test_an_alias_bomb_is_refused_without_printing_it() -> None:
    rows = ['a: &a ["heron","heron","heron","heron","heron","heron","heron","heron","heron"]']
    for before, name in pairwise("abcdefghi"):
        rows.append(f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]")
    findings = refused("\n".join(rows) + "\n")
    assert codes(findings) == [("EM005", line) for line in range(1, 10)]
    assert "heron" not in to_text(findings)


def test_an_alias_of_itself_is_refused() -> None:
    assert {finding.code for finding in refused("a: &a [*a]\n")} == {"EM005"}


@pytest.mark.parametrize("text", ["*a : b\n", "&a b: c\n", "? &a b\n: c\n", "&a {b: c}\n"])
def test_anchors_and_aliases_are_refused_as_keys_and_roots_too(text: str) -> None:
    assert {finding.code for finding in refused(text)} == {"EM005"}


@pytest.mark.parametrize("text", ["<<: {a: b}\n", '"<<": {a: b}\n', "<<: [{a: b}]\nc: d\n"])
def test_a_merge_key_is_refused(text: str) -> None:
    (finding,) = refused(text)
    assert finding.code == "EM005"
    assert "<<" in finding.message


def test_a_second_document_is_refused_at_its_line() -> None:
    (finding,) = refused(RECORD + "---\n" + RECORD)
    assert (finding.code, finding.line) == ("EM006", 14)


@pytest.mark.parametrize("text", ["---\na: b\n", "a: b\n...\n", "%YAML 1.2\n---\na: b\n"])
def test_one_document_may_be_marked_as_one(text: str) -> None:
    assert read(text) == {"a": "b"}


@pytest.mark.parametrize("text", ["", "\n\n", "# a note\n", "---\n", "null\n", "~", b""])
def test_a_file_without_a_record_is_refused(text: str | bytes) -> None:
    (finding,) = refused(text)
    assert (finding.code, finding.line) == ("EM008", 1)


def test_a_file_that_is_one_text_is_refused() -> None:
    (finding,) = refused("\n" + "hello " * 1000)
    assert (finding.code, finding.line, finding.column) == ("EM003", 2, 1)
    assert len(finding.message) < 200


def test_a_tab_as_indentation_is_refused_at_its_line() -> None:
    (finding,) = refused(RECORD.replace("  label: D", "\tlabel: D"))
    assert (finding.code, finding.line, finding.column) == ("EM003", 5, 1)
    assert "tab cannot indent" in finding.message


@pytest.mark.parametrize(
    "text", ["a: [\n\tb]\n", "a: 'b\n  \tc'\n", "a: b\n\t\nc: d\n", "\ta: b\n"]
)
def test_a_tab_as_indentation_is_refused_also_where_yaml_allows_it(text: str) -> None:
    (finding,) = refused(text)
    assert finding.code == "EM003"
    assert "tab" in finding.message


def test_a_tab_inside_a_text_is_kept() -> None:
    assert read('a: "b\tc"\n') == {"a": "b\tc"}


@pytest.mark.parametrize("bracket", ["[]", "{}"])
def test_nesting_is_read_to_twenty_and_refused_beyond(bracket: str) -> None:
    inner = "x" if bracket == "[]" else ""

    def nested(depth: int) -> str:
        text = inner
        for _ in range(depth):
            text = f"[{text}]" if bracket == "[]" else "{a: " + text + "}"
        return text

    read(nested(20))
    (finding,) = refused(nested(21))
    assert finding.code == "EM007"


@pytest.mark.parametrize("text", ["[" * 50_000, "{" * 50_000, "- " * 50_000])
def test_deep_nesting_is_refused_and_not_a_crash(text: str) -> None:
    assert [finding.code for finding in refused(text)] == ["EM007"]


@pytest.mark.parametrize("text", ["? [a]\n: b\n", "{a: b}: c\n", "? {a: b}\n", "? ''\n: b\n"])
def test_a_key_that_is_no_name_is_refused(text: str) -> None:
    (finding,) = refused(text)
    assert finding.code == "EM003"
    assert "key" in finding.message


def test_a_file_of_thousands_of_faults_tells_a_hundred() -> None:
    findings = refused("a: 1\n" * 5000)
    assert len(findings) == 101
    assert findings[-1].line == 101
    assert "not read" in findings[-1].message


def test_a_file_over_a_megabyte_is_refused_before_it_is_parsed() -> None:
    (finding,) = refused("a: " + "x" * 1_000_000)
    assert finding.code == "EM002"


@pytest.mark.parametrize(
    "data", [b"a: \xff\n", b"\xff\xfea\x00", "a: é".encode("latin-1"), b"a: \xed\xa0\x80"]
)
def test_bytes_that_are_not_utf8_are_refused(data: bytes) -> None:
    assert [finding.code for finding in refused(data)] == ["EM001"]


@pytest.mark.parametrize("char", ["\0", "\x01", "\x1b", "\x7f", "\x85", "\u2028", "\u2029"])
def test_a_control_character_or_a_doubtful_line_break_is_refused(char: str) -> None:
    (finding,) = refused(f"a: b\nc: d{char}e: f\n")
    assert finding.code == ("EM001" if char == "\0" else "EM009")
    assert (finding.line, finding.column) == (2, 5)


def test_a_bidi_override_is_refused_by_name_and_column_and_the_rest_is_still_read() -> None:
    text = RECORD.replace("96 billion", "\u202e69\u202c billion")
    document, findings = read_yaml(text, file="a.yaml")
    assert [(f.code, f.line, f.column) for f in findings] == [("EM009", 4, 32), ("EM009", 4, 35)]
    assert "U+202E" in findings[0].message
    assert "column 32" in findings[0].message
    assert isinstance(document, Items)


def test_a_byte_order_mark_is_refused_and_the_rest_is_still_read() -> None:
    document, (finding,) = read_yaml(b"\xef\xbb\xbfa: b\n", file="a.yaml")
    assert (finding.code, finding.line) == ("EM001", 1)
    assert document == {"a": "b"}
    assert isinstance(document, Entries)
    assert document.keys_at["a"] == (1, 1)


@pytest.mark.parametrize("escape", ["\\0", "\\x1b", "\\u202e", "\\u200b", "\\N", "\\L", "\\_\\P"])
def test_a_hidden_character_written_as_an_escape_is_refused(escape: str) -> None:
    for text in (f'a: [b, {{c: "x{escape}"}}]\n', f'a: {{"x{escape}": b}}\n'):
        document, (finding,) = read_yaml(text, file="a.yaml")
        assert document is not None
        assert finding.code == "EM009"
        assert "escape" in finding.message


def test_many_hidden_escapes_are_told_and_not_a_traceback() -> None:
    _, findings = read_yaml("a: [" + '"\\0", ' * 500 + "]\n", file="a.yaml")
    assert len(findings) == 101


def test_escapes_that_can_be_seen_are_kept() -> None:
    assert read('a: "\\u00e9\\n\\t\\""\n') == {"a": 'é\n\t"'}


def test_a_key_of_mixed_scripts_names_the_letter_and_what_it_looks_like() -> None:
    text = "claims:\n  params.total: {label: D}\n  p\u0430rams.total: {label: D}\n"
    document, (finding,) = read_yaml(text, file="a.yaml")
    assert document is not None
    assert (finding.code, finding.line, finding.column) == ("EM009", 3, 3)
    assert "U+0430" in finding.message
    assert "looks like 'params.total'" in finding.message
    assert "params.total" in finding.hint


def test_text_of_other_scripts_is_welcome_in_values() -> None:
    assert read("title: 白鹭一号 Heron и журавль\n") == {"title": "白鹭一号 Heron и журавль"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: b: c\n", 1),
        ("a: b\n  c: d\n", 2),
        ("a: [b\nc: d\n", 2),
        ("a: {b: c\n", 2),
        ("a: 'b\n", 2),
        ('a: "\\q"\n', 1),
        ("a: @b\n", 1),
        ("a: b\nc\nd: e\n", 3),
        ("- a\nb: c\n", 2),
        ("a: *\n", 1),
        ("a: !<x\n", 1),
        ("%FOO\n---\na: b\n", 1),
    ],
)
def test_what_cannot_be_parsed_is_a_finding_with_a_line(text: str, line: int) -> None:
    findings = refused(text)
    assert findings[-1].code == "EM003"
    assert findings[-1].line == line


def test_a_finding_never_prints_huge_content() -> None:
    huge = "x" * 900
    texts = [f"{huge}: 1\n{huge}: 2\n", f"a: &{huge} b\n", f"a: !{huge} b\n", huge]
    for text in texts:
        for finding in refused(text):
            assert len(finding.message) < 200


# --- laws -----------------------------------------------------------------------------------

visible = st.characters(codec="utf-8", exclude_categories=("C", "Z"), include_characters=" ")
scalars = st.text(visible.filter(lambda char: not is_hidden(char)))
names = st.text("abcdefgh_.-@/0123", min_size=1, max_size=12)
documents = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4),
    max_leaves=20,
).filter(lambda node: isinstance(node, dict | list))


class Dumper(yaml.SafeDumper):
    """Writes everything out, also what stands there twice."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def dumped(document: Any, flow: bool | None, style: str) -> str:
    return yaml.dump(
        document, Dumper=Dumper, default_flow_style=flow, default_style=style, allow_unicode=True
    )


@given(documents, st.sampled_from([None, True, False]), st.sampled_from(["'", '"', "|", ">", ""]))
def test_a_dumped_document_reads_as_the_base_loader_reads_it(
    document: Any, flow: bool | None, style: str
) -> None:
    text = dumped(document, flow, style)
    assert read(text) == yaml.load(text, yaml.BaseLoader) == document


@given(documents, st.sampled_from([True, False]))
def test_every_place_points_at_what_stands_there(document: Any, flow: bool) -> None:
    text = dumped(document, flow, '"')
    lines = text.split("\n")

    def look(part: Any) -> None:
        if isinstance(part, Entries):
            for key, value in part.items():
                line, column = part.keys_at[key]
                assert lines[line - 1][column - 1 :].startswith(f'"{key}"')
                line, column = part.values_at[key]
                if isinstance(value, str):
                    assert lines[line - 1][column - 1] == '"'
                look(value)
        elif isinstance(part, Items):
            for (line, column), value in zip(part.places, part, strict=True):
                if isinstance(value, str):
                    assert lines[line - 1][column - 1] == '"'
                look(value)

    look(read(text))


@given(st.text(st.characters()))
def test_no_text_makes_a_traceback(text: str) -> None:
    document, findings = read_yaml(text, file="a.yaml")
    assert document is not None or findings


@given(st.binary())
def test_no_bytes_make_a_traceback(data: bytes) -> None:
    document, findings = read_yaml(data, file="a.yaml")
    assert document is not None or findings


@given(st.lists(st.sampled_from([*"[]{}:,-?&*!|>'\"%@`#\\ \n", "a", "<<", "- ", ": ", "---\n"])))
def test_no_heap_of_yaml_signs_makes_a_traceback(signs: list[str]) -> None:
    document, findings = read_yaml("".join(signs), file="a.yaml")
    assert document is not None or findings


@pytest.mark.parametrize(
    "text",
    [RECORD, "a: 1\na: 2\n", "a: [b\n", "a: 'null'\nb: null\n", "a: &x b\n", "[" * 100, "a: @b\n"],
)
def test_without_libyaml_the_same_is_read_and_refused(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected, found = read_yaml(text, file="a.yaml")
    monkeypatch.setattr(yaml_lines, "_Parser", yaml.BaseLoader)
    document, findings = read_yaml(text, file="a.yaml")
    assert document == expected
    assert codes(findings) == codes(found)
    if isinstance(document, Items) and isinstance(expected, Items):
        assert document[0].keys_at == expected[0].keys_at
