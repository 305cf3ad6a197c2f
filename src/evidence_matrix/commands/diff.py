"""Show how the claims differ between two git revisions, or a revision and the files here."""

from __future__ import annotations

import argparse
import json
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from evidence_matrix.commands import revision, root_of, takes_today, today_of
from evidence_matrix.diff import changes, summary
from evidence_matrix.matrix import Matrix
from evidence_matrix.store import load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `diff`."""
    takes_today(parser)
    parser.add_argument("old", metavar="OLD", help="a git revision, or a folder")
    parser.add_argument("new", metavar="NEW", nargs="?", help="the same (default: the files here)")
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(options: argparse.Namespace) -> int:
    """Print each claim that differs, and the numbers."""
    root, today = root_of(options), today_of(options)

    def matrix_of(name: str | None, stack: ExitStack) -> Matrix:
        if name is None:
            return load(root, today).matrix
        folder = Path(name)
        if not (folder / "claims").is_dir():
            folder = stack.enter_context(revision(root, name))
        return load(folder, today).matrix

    with ExitStack() as stack:
        found = list(changes(matrix_of(options.old, stack), matrix_of(options.new, stack)))
    if options.format == "json":
        print(json.dumps([asdict(change) for change in found], indent=1))
        return 0
    for change in found:
        arrow = f"{change.before} -> {change.after}" if change.before else change.after
        print(f"{change.kind:>10}  {change.id}: {arrow}")
    print(summary(found))
    return 0
