from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.bibtex import Entry, authors, plain, read_bibtex
from evidence_matrix.findings import Finding

CONTROL = """\
@techreport{heron2025report,
  title       = {Heron-1 Technical Report},
  author      = {{Heron Lab}},
  institution = {Heron Lab},
  year        = {2025},
  month       = feb,
  url         = {https://reports.example.org/heron-1.pdf},
}

@misc{newsdesk2025heron,
  title  = {Heron-1 said to have been trained on sixteen trillion tokens},
  author = {Doe, Jordan},
  year   = {2025},
  url    = {https://news.example.com/heron-1},
}
"""


def read(text: str) -> list[Entry]:
    """The entries of a text that nothing is wrong with."""
    entries, findings = read_bibtex(text, file="sources/heron.bib")
    assert findings == []
    return entries


def only(fields: str) -> Entry:
    (entry,) = read("@misc{heron,\n" + fields + "\n}\n")
    return entry


def faults(text: str) -> list[Finding]:
    _, findings = read_bibtex(text, file="sources/heron.bib")
    assert findings
    assert all(f.file == "sources/heron.bib" and f.message and f.hint for f in findings)
    return findings


def codes(text: str) -> list[tuple[str, int]]:
    return [(finding.code, finding.line) for finding in faults(text)]


# --- what is read ---------------------------------------------------------------------------


def test_entries_have_key_type_fields_and_lines() -> None:
    report, news = read(CONTROL)
    assert (report.key, report.type, report.line) == ("heron2025report", "techreport", 1)
    assert report.fields["title"] == "Heron-1 Technical Report"
    assert report.fields["month"] == "February"
    assert report.lines["url"] == 7
    assert (news.key, news.line, news.file) == ("newsdesk2025heron", 10, "sources/heron.bib")


def test_field_names_and_types_are_folded_and_values_are_not() -> None:
    (entry,) = read("@Misc{Heron, TITLE = {Heron}, Url = {https://x.example.org/A}}")
    assert (entry.key, entry.type) == ("Heron", "misc")
    assert entry.fields == {"title": "Heron", "url": "https://x.example.org/A"}


def test_months_macros_and_joined_texts_are_put_together() -> None:
    text = """\
@string{jlm = "Journal of Large Models"}
@string(more = jlm # { Letters})

@article{heron2025letters,
  title   = {A short note on routing},
  journal = jlm # ", Letters",
  series  = MORE,
  year    = 2025,
  month   = "14~" # jul,
}
"""
    (entry,) = read(text)
    assert entry.fields["journal"] == "Journal of Large Models, Letters"
    assert entry.fields["series"] == "Journal of Large Models Letters"
    assert plain(entry.fields["month"]) == "14 July"
    assert entry.fields["year"] == "2025"


def test_a_link_is_kept_byte_for_byte() -> None:
    link = "https://docs.example.org/Heron_(model)_(2025)/a_b_c?x=1&y=(2)#sec_3_(final)~u%20v"
    assert only(f"url = {{{link}}}").fields["url"] == link


@pytest.mark.parametrize("name", ["url", "eprint", "copy", "version", "sha256"])
def test_fields_for_programs_are_never_read_as_latex(name: str) -> None:
    value = "https://x.example.org/~u/a_b%20c?x=--1#f''"
    assert only(f"{name} = {{{value}}}").fields[name] == value


def test_a_doi_is_kept_as_it_is() -> None:
    assert only("doi = {10.1234/a_b(c)~d--e}").fields["doi"] == "10.1234/a_b(c)~d--e"


def test_white_space_in_values_is_folded_and_lines_still_count() -> None:
    for newline in ("\n", "\r\n"):
        text = newline.join(["@misc{heron,", " title = {One", "   two},", " year = 2025}"])
        (entry,) = read(text)
        assert entry.fields["title"] == "One two"
        assert entry.lines == {"title": 2, "year": 4}


def test_chinese_titles_and_names_are_unchanged() -> None:
    title = "白鹭一号模型技术报告:稀疏专家与长上下文"
    entry = only(f"title = {{{title}}}, author = {{鹭, 远 and 沙, 禽}}")
    assert plain(entry.fields["title"]) == title
    assert authors(entry) == ["鹭, 远", "沙, 禽"]


def test_comments_between_entries_are_passed_over() -> None:
    assert len(read(f"% of 2025\n\n@comment{{old ones}}\n{CONTROL}\n  % the end")) == 2


def test_parentheses_may_stand_for_the_outer_braces() -> None:
    (entry,) = read('@misc(heron, title = "Heron (1)", year = {2025})')
    assert entry.fields == {"title": "Heron (1)", "year": "2025"}


def test_a_quotation_mark_in_braces_does_not_end_a_quoted_value() -> None:
    assert plain(only('title = "The {"}Heron{"} report"').fields["title"]) == 'The "Heron" report'


def test_the_parser_prints_nothing() -> None:
    code = "from evidence_matrix.bibtex import read_bibtex; read_bibtex('@misc{a, b = {', file='x')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


# --- names ----------------------------------------------------------------------------------


def test_a_corporate_name_in_braces_is_never_split_or_turned_round() -> None:
    entry = only("author = {{Heron Lab, Inc.} and {Egret and Stork Research}}")
    assert authors(entry) == ["Heron Lab, Inc.", "Egret and Stork Research"]


def test_names_are_as_written_with_latex_decoded() -> None:
    entry = only('author = {Roe, Sam and M{\\"u}ller,\n   Jo and van der Berg, Al AND others}')
    assert authors(entry) == ["Roe, Sam", "Müller, Jo", "van der Berg, Al", "et al."]


def test_an_entry_without_author_has_no_names() -> None:
    assert authors(only("title = {x}")) == []
    assert authors(only("author = {}")) == []


names = st.text("ABCdef ,.éü白-", min_size=1).map(lambda n: " ".join(n.split())).filter(bool)


@given(st.lists(names.map(lambda name: f"{name} and {name}"), min_size=1, max_size=4))
def test_names_in_braces_come_back_whole(corporate: list[str]) -> None:
    written = " and ".join(f"{{{name}}}" for name in corporate)
    read_back = authors(only(f"author = {{{written}}}"))
    assert read_back == [name.replace("---", "—").replace("--", "–") for name in corporate]


# --- plain ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("Heron {GPT}-4", "Heron GPT-4"),
        ('G{\\"o}del and {\\"U}ber', "Gödel and Über"),
        ("100\\% and 50% of 2\\% \\& more", "100% and 50% of 2% & more"),
        ("Costs $5 million and $6 million", "Costs $5 million and $6 million"),
        ("Costs $5.576M and {\\'e}", "Costs $5.576M and é"),
        ("A $x_1$ of \\textbf{two}", "A x_1 of two"),
        ("``a'' -- b~c --- d", "“a” – b c — d"),
        ("``a'' -- b~c --- \\'e", "“a” – b c — é"),
        ("C\\# and a_b", "C# and a_b"),
        ("", ""),
    ],
)
def test_plain_is_what_a_reader_sees(written: str, read_as: str) -> None:
    assert plain(written) == read_as


@given(st.text(st.characters(exclude_characters="\\{}$~-`'", exclude_categories=("Cs",))))
def test_plain_leaves_text_without_latex_alone(text: str) -> None:
    assert plain(text) == " ".join(text.split())


@given(st.text("\\{}$~-`'%#_^&ab 5M\"[]"))
def test_no_latex_makes_a_traceback(text: str) -> None:
    assert "\n" not in plain(text)


# --- what is refused ------------------------------------------------------------------------


def test_a_key_that_stands_twice_names_both_lines_and_keeps_the_first() -> None:
    second = CONTROL.split("\n\n")[0].replace("Report}", "Report, second edition}")
    entries, (finding,) = read_bibtex(CONTROL + second, file="a.bib")
    assert (finding.code, finding.line) == ("EM302", 16)
    assert "'heron2025report' stands in lines 1 and 16" in finding.message
    assert [e.fields["title"] for e in entries if e.key == "heron2025report"] == [
        "Heron-1 Technical Report"
    ]


def test_keys_that_differ_only_in_case_are_refused() -> None:
    (finding,) = faults("@misc{Heron, year = 2025}\n@misc{heron, year = 2025}\n")
    assert (finding.code, finding.line) == ("EM302", 2)
    assert "lines 1 and 2" in finding.message
    assert "'Heron'" in finding.message


@pytest.mark.parametrize("second", ["title", "TITLE", "Title"])
def test_a_field_that_stands_twice_names_both_lines(second: str) -> None:
    (finding,) = faults(f"@misc{{heron,\n title = {{A}},\n year = 2025,\n {second} = {{B}}}}\n")
    assert (finding.code, finding.line) == ("EM302", 4)
    assert "lines 2 and 4" in finding.message


@pytest.mark.parametrize(
    "fields",
    [
        "title = {One}\n year = {2020}",
        'title = "One"\n year = {2020}',
        "title = 1\n year = {2020}",
        'title = "One" # feb\n year = "2020"',
        "title = {{One}}\n  YEAR  =  2020",
    ],
)
def test_a_missing_comma_between_fields_is_found_at_the_next_field(fields: str) -> None:
    (finding,) = faults("@misc{heron,\n " + fields + "\n}\n")
    assert (finding.code, finding.line) == ("EM301", 3)
    assert "comma" in finding.message
    assert "year" in finding.message.casefold()


def test_a_brace_closed_too_late_is_found_where_the_field_is_swallowed() -> None:
    (finding,) = faults("@misc{heron,\n title = {One,\n year = {2020}},\n url = {https://x.org}}\n")
    assert (finding.code, finding.line) == ("EM301", 3)
    assert "'year'" in finding.message


def test_an_undefined_macro_is_found_with_the_nearest_right_one() -> None:
    text = '@string{jlm = "Journal"}\n@misc{heron,\n journal = jln,\n month = 3 # " of " # mrz}\n'
    first, second = faults(text)
    assert (first.code, first.line, first.column) == ("EM301", 3, 12)
    assert "'jln'" in first.message
    assert "jlm" in first.hint
    assert (second.code, second.line, second.column) == ("EM301", 4, 23)


def test_a_bare_date_is_told_to_go_into_braces() -> None:
    (finding,) = faults("@misc{heron,\n date = 2026-07-27}\n")
    assert (finding.code, finding.line) == ("EM301", 2)
    assert "{2026-07-27}" in finding.hint


@pytest.mark.parametrize("value", ['"a" #', '# "a"', '"a" "b"', "{a} b", "", "=", "feb jul"])
def test_a_value_that_is_not_put_together_is_refused(value: str) -> None:
    assert codes(f"@misc{{heron,\n title = {value},\n year = 2025}}\n") == [("EM301", 2)]


def test_a_sharp_inside_a_text_is_text() -> None:
    assert only("title = {Notes on C# and F#}").fields["title"] == "Notes on C# and F#"


def test_a_macro_defined_twice_is_refused() -> None:
    text = '@string{a = "x"}\n@string{A = "y"}\n@misc{heron, title = a}\n'
    assert codes(text) == [("EM302", 2)]


@pytest.mark.parametrize("key", ["", "ü", "a b", "p\u0430rams", "a&b", "a{", "a'b", "a\\b"])
def test_a_key_outside_the_allowed_characters_is_refused(key: str) -> None:
    entries, findings = read_bibtex(f"\n@misc{{{key}, year = 2025}}\n", file="a.bib")
    assert findings[0].code in ("EM303", "EM301")
    assert findings[0].line == 2
    assert entries == []


def test_a_key_of_mixed_scripts_says_what_it_looks_like() -> None:
    (finding,) = faults("@misc{p\u0430per, year = 2025}")
    assert "U+0430" in finding.message
    assert "'paper'" in finding.message


@pytest.mark.parametrize("key", ["../x", "a/../../x", "/etc", "a//b", "a/", ".", ".."])
def test_a_key_that_climbs_out_of_its_folder_is_refused(key: str) -> None:
    entries, (finding,) = read_bibtex(f"@misc{{{key}, year = 2025}}", file="a.bib")
    assert finding.code == "EM303"
    assert entries == []


@pytest.mark.parametrize("key", ["heron2025report", "DBLP:conf/x/Y25", "a.b_c-d"])
def test_keys_as_they_are_used_are_read(key: str) -> None:
    assert read(f"@misc{{{key}, year = 2025}}")[0].key == key


@pytest.mark.parametrize(
    "link",
    [
        "javascript:alert(document.domain)",
        "JaVa\tScript:alert(1)",
        " \tjavascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "ftp://x.example.org/a",
        "//x.example.org/a",
        "www.example.org",
        "https://",
        "https:///path",
        "https://[x",
        "https://x.example.org/a b",
        "https://x.example.org/\n  a",
        "https://x.example.org/a\\_b",
        "{https://x.example.org}",
        "http://x.example.org/<script>",
        "x https://x.example.org",
        "",
    ],
)
def test_a_link_that_is_not_http_is_refused_and_left_out(link: str) -> None:
    entries, (finding,) = read_bibtex(f"@misc{{heron,\n url = {{{link}}}\n}}\n", file="a.bib")
    assert (finding.code, finding.line) == ("EM304", 2)
    assert "url" not in entries[0].fields


def test_each_bad_link_of_a_file_is_told_at_its_line() -> None:
    entry = "@online{js%d,\n  title = {x},\n  url   = {%s},\n}\n\n"
    text = entry % (1, "javascript:alert(1)") + entry % (2, "JaVa\tScript:alert(1)")
    assert codes(text) == [("EM304", 3), ("EM304", 8)]


@pytest.mark.parametrize("link", ["HTTPS://x.example.org", "http://x.example.org:8080/a?b=c#d"])
def test_http_links_are_read_as_written(link: str) -> None:
    assert only(f"url = {{{link}}}").fields["url"] == link


@pytest.mark.parametrize("doi", ["https://doi.org/10.1234/x", "javascript:x", "10.1234/a b"])
def test_a_doi_that_is_none_is_refused(doi: str) -> None:
    (finding,) = faults(f"@misc{{heron, doi = {{{doi}}}}}")
    assert finding.code == "EM304"


def test_an_entry_in_a_comment_is_refused() -> None:
    assert codes(f"{CONTROL}\n@comment{{x\n y @misc{{old, year = 2020}}}}\n") == [("EM301", 18)]
    assert codes(f"{CONTROL}\n@comment{{\n @misc{{old, year = 2020}}\n}}\n")[0] == ("EM301", 17)
    assert codes(f"{CONTROL}\n% @misc{{old, year = 2020}}\n") == [("EM301", 17)]
    assert codes(f"{CONTROL}\n@commentary{{old, year = {{2020}}}}\n") == [("EM301", 17)]


def test_an_entry_inside_a_value_is_refused() -> None:
    inline = "@misc{heron,\n abstract = {see @article{fake, title = {y}}}\n}\n"
    assert {code for code, _ in codes(inline)} == {"EM301"}
    own_line = "@misc{heron,\n abstract = {see\n @article{fake, title = {y}}\n},\n year = 2020}\n"
    assert codes(own_line)[0] == ("EM301", 1)


@pytest.mark.parametrize(
    "entry",
    [
        "@misc{broken, title = {x",
        '@misc{broken, title = "x',
        "@misc{broken, title = {x}",
        "@misc{broken",
        "@misc{broken, title {x}}",
        "@misc{broken, title}",
        "@misc{broken title = {x}}",
        "@misc{title = {x}}",
    ],
)
def test_a_broken_entry_is_found_and_the_next_one_is_still_read(entry: str) -> None:
    entries, findings = read_bibtex(f"\n{entry}\n{CONTROL}", file="a.bib")
    assert (findings[0].code, findings[0].line) == ("EM301", 2)
    assert [e.key for e in entries] == ["heron2025report", "newsdesk2025heron"]


def test_an_entry_open_at_the_end_of_the_file_is_found() -> None:
    assert codes(CONTROL + "@misc{open, title = {x\n\n") == [("EM301", 16)]


def test_a_comment_inside_an_entry_is_refused() -> None:
    assert codes("@misc{heron,\n title = {A}, % said twice\n year = 2025\n}\n") == [("EM301", 2)]
    assert codes("@misc{heron,\n title = {A} % said twice\n}\n") == [("EM301", 2)]


def test_text_outside_of_entries_is_refused() -> None:
    assert codes(f"{CONTROL}\n% fine\nstray text\n") == [("EM301", 18)]
    assert codes(CONTROL.replace("feb,", "feb,}")) == [("EM301", 7)]
    assert codes("@misc\n") == [("EM301", 1)]


@pytest.mark.parametrize("text", ["", "\n", "% nothing yet\n", '@string{a = "b"}\n'])
def test_a_file_without_sources_is_refused(text: str) -> None:
    assert [code for code, _ in codes(text)] == ["EM008"]


def test_bytes_are_judged_as_in_yaml() -> None:
    for data, code in ((b"\xff", "EM001"), (b"a\0b", "EM001"), (b"x" * 1_000_001, "EM002")):
        entries, (finding,) = read_bibtex(data, file="a.bib")
        assert (entries, finding.code) == ([], code)
    entries, findings = read_bibtex(CONTROL.replace("Heron-1 T", "\u202eT"), file="a.bib")
    assert [(f.code, f.line) for f in findings] == [("EM009", 2)]
    assert len(entries) == 2


def test_several_faults_of_a_file_are_told_at_once() -> None:
    text = CONTROL.replace("feb", "febr").replace("https://news", "javascript:news") + "@misc{é}"
    assert codes(text) == [("EM301", 6), ("EM304", 14), ("EM303", 16)]


def test_a_finding_never_prints_huge_content() -> None:
    huge = "x" * 5000
    for text in (
        f"@misc{{{huge}é, year = 2025}}",
        f"@misc{{heron, title = {huge}}}",
        f"@misc{{heron, url = {{{huge}}}}}",
        f"@misc{{heron, {huge} = 1, {huge} = 2}}",
        f"{huge}",
        f"@{huge}\n",
        f"@misc{{heron, {huge}}}",
        f"@misc{{heron, title = {{x}} {huge} = 2}}",
    ):
        for finding in faults(text):
            assert len(finding.message) < 300, text[:40]
            assert len(finding.hint) < 300


# --- laws -----------------------------------------------------------------------------------

values = st.text(st.sampled_from("aé白 #%_&~.,:;=()-'0"), min_size=1).map(lambda v: f"x{v}x")


@given(st.dictionaries(st.from_regex(r"q[a-z_]{0,8}", fullmatch=True), values, min_size=1))
def test_what_is_written_in_braces_or_quotes_is_read_back(fields: dict[str, str]) -> None:
    expected = {name: " ".join(value.split()) for name, value in fields.items()}
    for form in ("{{{}}}", '"{}"'):
        rows = [f"  {name} = {form.format(value)}" for name, value in fields.items()]
        (entry,) = read("@misc{heron,\n" + ",\n".join(rows) + ",\n}\n")
        assert entry.fields == expected
        assert entry.lines == {name: line for line, name in enumerate(fields, start=2)}


@given(
    st.lists(
        st.sampled_from(
            [*'{}"(),=#%@\\\n ', "@misc{", "a", "k,", "title = ", "{x}", "1", "jan", "@string{s="]
        ),
        max_size=40,
    )
)
def test_no_heap_of_bibtex_signs_makes_a_traceback(signs: list[str]) -> None:
    entries, findings = read_bibtex("".join(signs), file="a.bib")
    assert entries or findings


@given(st.text(st.characters()))
def test_no_text_makes_a_traceback(text: str) -> None:
    entries, findings = read_bibtex(text, file="a.bib")
    assert entries or findings
