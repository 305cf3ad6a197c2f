"""The site: checks, renders, runs the generator strictly on what was written, adds the search."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import date
from pathlib import Path

from evidence_matrix import search
from evidence_matrix.checking import check
from evidence_matrix.findings import counted
from evidence_matrix.pages.addresses import UnknownTargetError
from evidence_matrix.render import render
from evidence_matrix.store import Loaded


class SiteError(Exception):
    """The site cannot be built; the message says why."""


def build(loaded: Loaded, as_of: date | None = None, site_url: str = "") -> int:
    """Render into build/ and build the site into site/; gives the number of pages.

    A record with an error stops it, so that no label on the site is stronger than what the check
    could confirm, and no number in a chapter is without a claim.

    Raises:
        SiteError: the check found errors, a link leads nowhere, the generator or the search failed.
    """
    report = check(loaded)
    if report.failed:
        raise SiteError(
            f"{counted(report.findings)} stop the build; run `evidence-matrix check` for them"
        )
    matrix = loaded.matrix.at(as_of) if as_of else loaded.matrix
    if not (matrix.root / "mkdocs.yml").is_file():
        raise SiteError(f"{matrix.root} has no mkdocs.yml, which says how the site is made")
    try:
        pages = render(matrix, matrix.root / "build", site_url)
    except UnknownTargetError as error:
        raise SiteError(f"a link leads nowhere: {error.args[0]}") from error
    generate(matrix.root / "build" / "mkdocs.yml")
    try:
        search.index(pages, matrix.root / "site")
    except search.SearchError as error:
        raise SiteError(f"the search cannot be made:\n{error}") from error
    return len(pages)


def generate(configuration: Path) -> None:
    """Run MkDocs strictly. Never quiet: `--quiet` switches `--strict` off."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--clean"]
    done = subprocess.run(
        [*command, "--config-file", str(configuration)],
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        said, _, trace = done.stderr.strip().partition("Traceback (most recent call last):")
        said = "\n".join(part for part in (said.strip(), trace.rpartition("\n")[2]) if part)
        raise SiteError(f"the site generator stopped:\n{said or done.stdout.strip()}")
