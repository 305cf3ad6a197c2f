"""The site: renders, then runs the generator strictly on the folder that was written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from evidence_matrix.matrix import Matrix
from evidence_matrix.render import render


class SiteError(Exception):
    """The generator refused the folder; the message is what it said."""


def build(matrix: Matrix) -> int:
    """Render into build/ and build the site into site/; gives the number of pages.

    Raises:
        SiteError: the generator found a broken link or anchor, or failed.
    """
    pages = render(matrix, matrix.root / "build")
    generate(matrix.root / "build" / "mkdocs.yml")
    return len(pages)


def generate(configuration: Path) -> None:
    """Run MkDocs strictly. Never quiet: `--quiet` switches `--strict` off."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--clean"]
    done = subprocess.run(
        [*command, "--config-file", str(configuration)],
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SiteError(done.stderr.strip() or done.stdout.strip())
