"""Compare the claims with the bytes of their sources, and write receipts of what was seen."""

from __future__ import annotations

import argparse
from pathlib import Path

from evidence_matrix.commands import (
    CannotRunError,
    root_of,
    takes_format,
    takes_today,
    today_of,
    write_report,
)
from evidence_matrix.store import load
from evidence_matrix.syntax.spelling import nearest


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `verify`."""
    takes_today(parser)
    takes_format(parser)
    parser.add_argument(
        "--mirror", type=Path, metavar="DIR", help="a folder with the bytes and an index.jsonl"
    )
    parser.add_argument("--source", metavar="KEY", help="verify this source only")
    parser.add_argument(
        "--again", action="store_true", help="look again where a receipt says that all is matched"
    )


def run(options: argparse.Namespace) -> int:
    """Verify; without a mirror the bytes are had over the network."""
    from evidence_matrix.verification.mirror import MirrorError
    from evidence_matrix.verify import verify

    root = root_of(options)
    matrix = load(root, today_of(options)).matrix
    if options.source and options.source not in matrix.sources:
        near = nearest(options.source, matrix.sources)
        raise CannotRunError(
            f"there is no source {options.source!r}" + (f"; did you mean {near}?" if near else "")
        )
    try:
        result = verify(matrix, mirror=options.mirror, source=options.source, again=options.again)
    except MirrorError as error:
        raise CannotRunError(str(error)) from error
    write_report(result.findings, result.summary(), options.format)
    return 1 if result.failed else 0
