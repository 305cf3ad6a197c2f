"""What `build` costs beside plain `mkdocs build` of the same content as Markdown tables.

    python benchmarks/build_site.py [--subjects 1000] [--rounds 1] [--skip-sources]

The plain site is what one would write without a program of one's own: a page a subject with one
table, a row a claim with all that our page prints, the default navigation and the search. `build`
checks, renders, builds and indexes our whole site, which has a page a source, an aspect, a lab, a
rule … in addition. So it is compared three times:

- `build`, with the plain pages of subjects, as a whole and a page;
- `build`, with a plain site that has the pages of the sources too (slow: its navigation);
- `subject pages`: the site generator alone, on nothing but our pages of subjects.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from datetime import date
from pathlib import Path

import yaml
from claims_generator import CLAIMS_A_SUBJECT, write_matrix
from ratios import cpu_seconds

from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.pages.citation import short_title
from evidence_matrix.store import load

KEPT = 10  # claims a subject: 10,000 on 1,000 pages
HEAD = (
    "| subject | aspect | value | label | what it counts | statement | note | words | source "
    "| place | public | checked |"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--subjects", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--skip-sources", action="store_true")
    options = parser.parse_args()
    os.environ["NO_MKDOCS_2_WARNING"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        ours, plain, full = (Path(folder) / name for name in ("ours", "plain", "full"))
        write_matrix(ours, options.subjects * CLAIMS_A_SUBJECT, seed=1)
        _thin_out(ours)
        shutil.copy(Path(__file__).parents[1] / "mkdocs.yml", ours)
        matrix = load(ours, date(2026, 11, 30)).matrix
        _write_plain(matrix, plain, sources=False)
        _write_plain(matrix, full, sources=True)
        print(f"{len(matrix.claims)} claims of {len(matrix.subjects)} subjects")
        for _ in range(options.rounds):
            base = _mkdocs(plain)
            build = [sys.executable, "-m", "evidence_matrix.cli", "build", "--root", str(ours)]
            whole = cpu_seconds([*build, "--today", "2026-11-30"])
            pages = _pages(ours), _pages(plain)
            print(f"plain: {base:.1f} s of CPU, {pages[1]} pages")
            print(
                f"build: {whole / base:.2f}, {pages[0]} pages, "
                f"a page {whole / base * pages[1] / pages[0]:.2f}"
            )
            _leave_subjects(ours / "build")
            alone = _mkdocs(ours / "build")
            print(f"subject pages: {alone / base:.2f}, {_pages(ours)} pages", flush=True)
            if not options.skip_sources:
                more = _mkdocs(full)
                print(f"plain with sources: {more:.1f} s of CPU, {_pages(full)} pages")
                print(f"build: {whole / more:.2f}", flush=True)


def _mkdocs(folder: Path) -> float:
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "-f"]
    return cpu_seconds([*command, str(folder / "mkdocs.yml")])


def _pages(folder: Path) -> int:
    return sum(1 for _ in (folder / "site").rglob("*.html"))


def _leave_subjects(folder: Path) -> None:
    """Take all pages but the home page and those of subjects out of what was rendered."""
    for path in (folder / "docs").rglob("*.md"):
        if "claims" not in path.parts and path.parent != folder / "docs":
            path.unlink()
    configuration = folder / "mkdocs.yml"
    settings = json.loads(configuration.read_text(encoding="utf-8"))
    settings["nav"] = [{"Home": "index.md"}]
    configuration.write_text(json.dumps(settings), encoding="utf-8")


def _thin_out(root: Path) -> None:
    """Leave the first claims of each subject that rest on no other claim and on no run."""
    for path in root.glob("claims/*/*.yaml"):
        if path.parent.name == "tables":
            continue
        record = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CBaseLoader)
        claims = {k: v for k, v in record["claims"].items() if v["label"] in ("D", "C", "U")}
        record["claims"] = dict(list(claims.items())[:KEPT])
        text = yaml.safe_dump(record, sort_keys=False, allow_unicode=True, width=1000)
        path.write_text(text, encoding="utf-8")
    (root / "claims/disputes.yaml").unlink(missing_ok=True)


def _write_plain(matrix: Matrix, folder: Path, *, sources: bool) -> None:
    docs = folder / "docs"
    docs.mkdir(parents=True)
    (docs / "index.md").write_text("# Claims\n", encoding="utf-8")
    listed = {s.id: (s.name, matrix.claims_of_subject[s.id]) for s in matrix.subjects.values()}
    if sources:
        listed |= {
            key: (short_title(source), matrix.claims_of_source[key])
            for key, source in matrix.sources.items()
        }
    for name, (title, claims) in listed.items():
        rows = "\n".join(_row(claim, matrix) for claim in claims)
        text = f"# {title}\n\n{HEAD}\n{'|---' * HEAD.count(' | ')}|---|\n{rows}\n"
        (docs / f"{name}.md").write_text(text, encoding="utf-8")
    (folder / "mkdocs.yml").write_text(
        f"site_name: Plain\nsite_dir: {folder / 'site'}\n"
        "theme: {name: material, font: false}\nplugins: [search]\nmarkdown_extensions: [tables]\n",
        encoding="utf-8",
    )


def _row(claim: Claim, matrix: Matrix) -> str:
    record = claim.record
    piece = claim.evidence[0] if claim.evidence else None
    source = matrix.sources.get(piece.source) if piece else None
    cells = (
        matrix.subjects[claim.subject].name,
        matrix.aspects[claim.aspect].record.title,
        claim.value or "not disclosed",
        claim.label,
        record.means or "",
        record.statement or "",
        record.note or "",
        getattr(piece, "quote", None) or getattr(piece, "read", None) or "",
        short_title(source) if source else "",
        piece.locator() if piece else "",
        str(record.public or ""),
        str(record.checked or ""),
    )
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    main()
