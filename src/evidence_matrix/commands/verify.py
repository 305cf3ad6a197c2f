"""Compare the claims with the bytes of their sources, and write receipts."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from evidence_matrix.commands import CannotRunError, root_of, takes_format, takes_today, today_of
from evidence_matrix.findings import to_github, to_json, to_text
from evidence_matrix.store import load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `verify`."""
    takes_today(parser)
    takes_format(parser)
    parser.add_argument(
        "--mirror",
        type=Path,
        metavar="DIR",
        help="a folder with the bytes and an index.jsonl (default: fetch them over HTTPS)",
    )
    parser.add_argument("--source", metavar="KEY", help="the only source to look at")
    parser.add_argument(
        "--again",
        action="store_true",
        help="look again where a receipt says already that all is matched",
    )


def run(options: argparse.Namespace) -> int:
    """Print what was not found, the counts by state, and why sources were not reached."""
    from evidence_matrix.mirror import MirrorError
    from evidence_matrix.verify import verify

    matrix = load(root_of(options), today_of(options)).matrix
    if options.source and options.source not in matrix.sources:
        raise CannotRunError(f"no bibliography has the source {options.source!r}")
    try:
        found = verify(matrix, options.mirror, options.source, options.again)
    except MirrorError as error:
        raise CannotRunError(str(error)) from error
    out = sys.stderr if options.format == "json" else sys.stdout
    if options.format == "json":
        print(to_json(found.findings), end="")
    else:
        write = to_github if options.format == "github" else to_text
        print(write(found.findings), end="")
    print(found.summary(), file=out)
    for reason, count in Counter(found.absent.values()).most_common():
        print(f"  not reached, {count}: {reason}", file=out)
    return 1 if found.failed else 0
