"""Write every format of the record into a folder."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from evidence_matrix.commands import root_of, takes_today, today_of
from evidence_matrix.exports import export
from evidence_matrix.store import load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `export`."""
    takes_today(parser)
    parser.add_argument("folder", type=Path, metavar="DIR", help="where the files go")


def run(options: argparse.Namespace) -> int:
    """Write the files and print what they are."""
    matrix = load(root_of(options), today_of(options)).matrix
    files = export(matrix, options.folder)
    for file in files:
        if "/" not in file.file:
            print(f"{options.folder / file.file}  {file.size} bytes  {file.title}")
    shards = Counter(file.file.partition("/")[0] for file in files if "/" in file.file)
    for folder, count in shards.items():
        print(f"{options.folder / folder}  {count} files")
    return 0
