from __future__ import annotations

import sys
from pathlib import Path

import pytest

from evidence_matrix.verification import extraction
from evidence_matrix.verification.extraction import HTML, PDF, ExtractionError, Reader, extract
from tests.paper import pdf_of


def test_a_pdf_is_read_by_page() -> None:
    pages = extract(pdf_of(["One line", "and another"], ["Second page: 14.8T"]), PDF)
    assert [page.split("\r\n") for page in pages] == [
        ["One line", "and another"],
        ["Second page: 14.8T"],
    ]


def test_text_is_utf_8_with_or_without_a_mark_at_the_start() -> None:
    assert extract(b"\xef\xbb\xbfna\xc3\xafve", "text/plain") == ["naïve"]
    assert extract(b"bad \xff byte", "text/markdown") == ["bad � byte"]


def test_html_is_read_by_block_with_the_cells_of_a_row_on_one_line() -> None:
    page = b"""<html><head><title>Heron 1</title><style>p {}</style><script>x = "hidden"</script>
    </head><body><p>We train on <b>14.8</b>T
      tokens<br>for 10<sup>25</sup> FLOP<sup>2</sup>.</p>
    <table><tr><th>Layers</th><td>61</td></tr><tr><th>Heads<td>128</table>
    <div>outer<div>inner</div>tail &amp; more</div><pre>a  b
c</pre><template>unseen</template></body></html>"""
    assert extract(page, HTML) == [
        "Heron 1\nWe train on 14.8T tokens\nfor 10^25 FLOP^2.\nLayers 61\nHeads 128\n"
        "outer\ninner\ntail & more\na  b\nc"
    ]


def test_an_empty_html_page_has_no_text() -> None:
    assert extract(b"", HTML) == [""]


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"not a PDF", "cannot be opened as a PDF"), (b"", "cannot be opened as a PDF")],
)
def test_bytes_that_are_no_pdf_are_refused(data: bytes, said: str) -> None:
    with pytest.raises(ExtractionError, match=said):
        extract(data, PDF)


def test_a_pdf_with_a_broken_page_is_refused() -> None:
    broken = pdf_of(["a"], ["b"]).replace(b"/Type /Page /Parent", b"/Type /Pagx /Parent", 1)
    with pytest.raises(ExtractionError, match="has a page that cannot be read"):
        extract(broken, PDF)


def test_too_many_pages_or_characters_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extraction, "MOST_PAGES", 1)
    monkeypatch.setattr(extraction, "MOST_CHARACTERS", 10)
    with pytest.raises(ExtractionError, match="has 2 pages, more than 1"):
        extract(pdf_of(["a"], ["b"]), PDF)
    with pytest.raises(ExtractionError, match="more than 10 characters"):
        extract(b"more than ten", "text/plain")


def test_a_child_process_reads_what_this_one_reads() -> None:
    paper = pdf_of(["One line"], ["Another page"])
    page = "<p>naïve €".encode()
    with Reader() as reader:
        assert reader.read(paper, PDF) == extract(paper, PDF)
        assert reader.read(page, HTML) == extract(page, HTML)
        assert reader.read(b"text", "text/plain") == ["text"]
        with pytest.raises(ExtractionError, match="cannot be opened as a PDF"):
            reader.read(b"nothing", PDF)
        assert reader.read(paper, PDF) == extract(paper, PDF)


def test_a_child_that_hangs_is_stopped_and_started_again() -> None:
    hangs = (sys.executable, "-c", "import time; time.sleep(60)")
    with Reader(seconds=0.2, command=hangs) as reader:
        for _ in range(2):
            with pytest.raises(ExtractionError, match=r"took longer than 0.2 s"):
                reader.read(pdf_of(["a"]), PDF)


@pytest.mark.parametrize(
    "program",
    [
        "raise SystemExit(3)",
        "import sys; sys.stdout.buffer.write((9).to_bytes(8, 'big') + b'not json.')",
        "import sys; sys.stdout.buffer.write(b'abc')",
    ],
)
def test_a_child_that_breaks_or_babbles_is_a_fault_of_the_document(program: str) -> None:
    with (
        Reader(seconds=20, command=(sys.executable, "-c", program)) as reader,
        pytest.raises(ExtractionError, match="broke its reader"),
    ):
        reader.read(pdf_of(["a"]), PDF)


def test_the_child_runs_no_code_from_the_folder_it_is_started_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pypdfium2.py").write_text("raise SystemExit('planted')\n", encoding="utf-8")
    with Reader() as reader:
        assert reader.read(pdf_of(["safe"]), PDF) == ["safe"]


def test_a_document_that_needs_too_much_memory_is_refused_and_the_next_is_read() -> None:
    program = (
        "import evidence_matrix.verification.extraction as e; "
        "e.MOST_MEMORY = 400 * 1024**2; e._limit_memory();"
        "e.MOST_MEMORY = 4 * 1024**3; e._limit_memory = lambda: None; e.serve()"
    )
    with Reader(command=(sys.executable, "-c", program)) as reader:
        with pytest.raises(ExtractionError, match=r"memory|broke its reader"):
            reader.read(b"<p>a" * 20_000_000, HTML)
        assert reader.read(b"<p>a", HTML) == ["a"]
