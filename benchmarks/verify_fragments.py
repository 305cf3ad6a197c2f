"""Measures verifying 1,000 fragments against bare pypdfium2 extraction of the same pages.

    python benchmarks/verify_fragments.py [--corpus DIR] [--pages 400] [--rounds 7]

Without a corpus (a folder with PDFs in it, at any depth) it makes its own papers of invented words.
Prints the ratio of CPU time, that of child processes included, taken in turns in one process; what
is imported, and the loading of the records, is left out on both sides. `fresh` reads the PDFs in
the child process and keeps their text; `kept` finds that text in the cache; `unchanged` finds all
fragments matched in the receipts.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import statistics
import tempfile
from collections.abc import Callable
from datetime import date
from hashlib import sha256
from pathlib import Path

import pypdfium2

from evidence_matrix.labels import State
from evidence_matrix.matrix import Matrix
from evidence_matrix.store import load
from evidence_matrix.verification.extraction import PDF, Reader, extract
from evidence_matrix.verify import verify

LINES_A_PAGE, WORDS_A_LINE, PAGES_A_PAPER = 48, 13, 25
SYLLABLES = [first + last for first in "bdfklmnprst" for last in ("a", "e", "i", "o", "u", "en")]


def papers_of(corpus: Path | None, pages: int, chance: random.Random) -> dict[str, bytes]:
    """PDFs by key, with about that many pages together."""
    if corpus is None:
        numbers = range(-(-pages // PAGES_A_PAPER))
        return {f"paper-{number}": _paper(chance) for number in numbers}
    found = sorted(corpus.rglob("*.pdf"))
    chance.shuffle(found)
    papers: dict[str, bytes] = {}
    count = 0
    for path in found:
        if count >= pages:
            break
        data = path.read_bytes()
        count += len(pypdfium2.PdfDocument(data))
        papers[f"paper-{len(papers)}"] = data
    return papers


def _paper(chance: random.Random) -> bytes:
    def word() -> str:
        return "".join(chance.choices(SYLLABLES, k=chance.randint(1, 4)))

    document = pypdfium2.PdfDocument.new()
    font = pypdfium2.raw.FPDFText_LoadStandardFont(document.raw, b"Helvetica")
    for _ in range(PAGES_A_PAPER):
        page = document.new_page(595, 842)
        for number in range(LINES_A_PAGE):
            line = " ".join(word() for _ in range(WORDS_A_LINE))
            text = pypdfium2.raw.FPDFPageObj_CreateTextObj(document.raw, font, 9)
            encoded = (line + "\0").encode("utf-16-le")
            wide = pypdfium2.raw.FPDF_WCHAR * (len(encoded) // 2)
            pypdfium2.raw.FPDFText_SetText(text, wide.from_buffer_copy(encoded))
            pypdfium2.raw.FPDFPageObj_Transform(text, 1, 0, 0, 1, 40, 800 - 16 * number)
            pypdfium2.raw.FPDFPage_InsertObject(page.raw, text)
        page.gen_content()
    return _saved(document)


def _saved(document: pypdfium2.PdfDocument) -> bytes:
    with tempfile.TemporaryFile() as file:
        document.save(file)
        file.seek(0)
        return file.read()


def lay(root: Path, papers: dict[str, bytes], fragments: int, chance: random.Random) -> Matrix:
    """Records with fragments cut from the papers, and a mirror of them; gives the matrix."""
    index, bibliography, claims = [], [], []
    texts = {key: extract(data, PDF) for key, data in papers.items()}
    where = [(key, number) for key, pages in texts.items() for number in range(len(pages))]
    while len(claims) < fragments:
        key, number = chance.choice(where)
        words = texts[key][number].split()
        at = chance.randrange(max(1, len(words) - 12))
        cut = words[at : at + chance.randint(6, 12)]
        if not (cut and cut[0].isalpha() and cut[-1].isalpha() and "".join(cut).isprintable()):
            continue  # a reader cuts at words, not inside a formula
        quote = json.dumps(" ".join(cut), ensure_ascii=False)
        claims.append(
            f"  data.sources/f{len(claims)}:\n    label: D\n    value: x\n    evidence:\n"
            f'      - {{source: {key}, at: "p. {number + 1}", quote: {quote}}}\n'
        )
    for key, data in papers.items():
        pin = sha256(data).hexdigest()
        (root / "mirror" / key).mkdir(parents=True)
        (root / "mirror" / key / "paper.pdf").write_bytes(data)
        entry = {"key": key, "file": f"{key}/paper.pdf", "sha256": pin, "media_type": PDF}
        index.append(json.dumps({**entry, "provenance": "official bytes", "reachable": "bytes"}))
        bibliography.append(
            f"@misc{{{key}, title = {{Paper}}, lab = {{acme}}, kind = {{paper}}, "
            f"sha256 = {{{pin}}}, media = {{{PDF}}}, version = {{v1}}}}\n"
        )
    (root / "claims" / "acme").mkdir(parents=True)
    (root / "sources").mkdir()
    (root / "mirror" / "index.jsonl").write_text("\n".join(index))
    (root / "sources" / "acme.bib").write_text("\n".join(bibliography))
    (root / "claims" / "aspects.yaml").write_text(
        "data.sources: {title: Data, group: Data, kind: text, counts: words}\n"
    )
    (root / "claims" / "labs.yaml").write_text("acme: {name: Acme}\n")
    head = "subject: {name: Heron, kind: model}\nclaims:\n"
    (root / "claims" / "acme" / "heron.yaml").write_text(head + "".join(claims), encoding="utf-8")
    return load(root, date(2026, 11, 30)).matrix


def cpu_of(work: Callable[[], object]) -> float:
    """CPU seconds of a piece of work, its ended child processes included."""
    before = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    work()
    after = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(
        a.ru_utime + a.ru_stime - b.ru_utime - b.ru_stime
        for a, b in zip(after, before, strict=True)
    )


def bare(papers: dict[str, bytes]) -> int:
    """Bare extraction: what it takes to have the text of every page, and nothing else."""
    characters = 0
    for data in papers.values():
        document = pypdfium2.PdfDocument(data)
        for number in range(len(document)):
            characters += len(document[number].get_textpage().get_text_bounded())
        document.close()
    return characters


def start_child(page: bytes) -> None:
    """What the child process costs before it reads: its start, and its import of pypdfium2."""
    with Reader() as reader:
        reader.read(page, PDF)


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare verifying with bare extraction.")
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--fragments", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    papers = papers_of(given.corpus, given.pages, chance)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        matrix = lay(root, papers, given.fragments, chance)
        cache = root / "cache"

        def run(again: bool = True, records: Matrix = matrix) -> None:
            found = verify(records, root / "mirror", again=again, cache=cache)
            counts = ", ".join(f"{count} {state}" for state, count in found.states.items())
            assert found.states[State.MATCHED] >= 0.99 * given.fragments, counts

        def fresh() -> None:
            shutil.rmtree(cache, ignore_errors=True)
            run()

        empty = pypdfium2.PdfDocument.new()
        empty.new_page(10, 10)
        page = _saved(empty)
        fresh()
        verified = load(root, date(2026, 11, 30)).matrix
        kinds: dict[str, Callable[[], None]] = {
            "fresh": fresh,
            "kept": run,
            "unchanged": lambda: run(again=False, records=verified),
            "start of the child process": lambda: start_child(page),
        }
        ratios: dict[str, list[float]] = {kind: [] for kind in kinds}
        for _ in range(given.rounds):
            for kind, work in kinds.items():
                base = cpu_of(lambda: bare(papers))
                ratios[kind].append(cpu_of(work) / base)
    pages = sum(len(pypdfium2.PdfDocument(data)) for data in papers.values())
    print(
        f"{given.fragments} fragments, {pages} pages, {len(papers)} PDFs; bare {base:.2f} s of CPU"
    )
    for kind, measured in ratios.items():
        spread = f"[{min(measured):.2f}-{max(measured):.2f}]"
        print(f"{kind}: {statistics.median(measured):.2f} {spread}")


if __name__ == "__main__":
    main()
