"""What `build` costs beside plain `mkdocs build` of the same claims as Markdown tables.

    python benchmarks/build_site.py [--subjects 1000] [--rounds 1]

The plain site has a page a subject with one table, a row a claim with all that our page prints, the
default navigation and the search: what one would write without a program of one's own. `build`
checks, renders and builds our whole site, which has a page a source and all the others in addition.
`subject pages` is only the site generator, on nothing but our pages of subjects.
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

from evidence_matrix.citation import short_title
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.store import load

KEPT = 10  # claims a subject: 10,000 on 1,000 pages
HEAD = "| aspect | value | label | what it counts | words | source | place | public | checked |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--subjects", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    os.environ["NO_MKDOCS_2_WARNING"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        ours, plain = Path(folder) / "ours", Path(folder) / "plain"
        write_matrix(ours, options.subjects * CLAIMS_A_SUBJECT, seed=1)
        _thin_out(ours)
        shutil.copy(Path(__file__).parents[1] / "mkdocs.yml", ours)
        matrix = load(ours, date(2026, 11, 30)).matrix
        _write_plain(matrix, plain)
        print(f"{len(matrix.claims)} claims of {len(matrix.subjects)} subjects")
        mkdocs = [sys.executable, "-m", "mkdocs", "build", "--quiet", "-f"]
        build = [sys.executable, "-m", "evidence_matrix.cli", "build", "--root", str(ours)]
        for _ in range(options.rounds):
            base = cpu_seconds([*mkdocs, str(plain / "mkdocs.yml")])
            whole = cpu_seconds([*build, "--today", "2026-11-30"])
            pages = _pages(ours / "site"), _pages(plain / "site")
            _leave_subjects(ours / "build")
            alone = cpu_seconds([*mkdocs, str(ours / "build" / "mkdocs.yml")])
            print(
                f"plain: {base:.1f} s of CPU, {pages[1]} pages\n"
                f"build: {whole / base:.2f}, {pages[0]} pages, "
                f"a page {whole / base * pages[1] / pages[0]:.2f}\n"
                f"subject pages: {alone / base:.2f}, {_pages(ours / 'site')} pages",
                flush=True,
            )


def _pages(site: Path) -> int:
    return sum(1 for _ in site.rglob("*.html"))


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


def _write_plain(matrix: Matrix, folder: Path) -> None:
    docs = folder / "docs"
    docs.mkdir(parents=True)
    (docs / "index.md").write_text("# Claims\n", encoding="utf-8")
    for subject in matrix.subjects.values():
        claims = matrix.claims_of_subject[subject.id]
        rows = "\n".join(_row(claim, matrix) for claim in claims)
        text = f"# {subject.name}\n\n{HEAD}\n{'|---' * 9}|\n{rows}\n"
        (docs / f"{subject.id}.md").write_text(text, encoding="utf-8")
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
        matrix.aspects[claim.aspect].record.title,
        claim.value or "not disclosed",
        claim.label,
        record.means or "",
        getattr(piece, "quote", None) or getattr(piece, "read", None) or "",
        short_title(source) if source else "",
        piece.locator() if piece else "",
        str(record.public or ""),
        str(record.checked or ""),
    )
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    main()
