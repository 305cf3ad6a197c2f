"""Load and judge every record, offline."""

from __future__ import annotations

import argparse

from evidence_matrix.checking import check
from evidence_matrix.commands import (
    revision,
    root_of,
    takes_format,
    takes_today,
    today_of,
    write_report,
)
from evidence_matrix.store import load
from evidence_matrix.syntax.collector import collector_paused


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `check`."""
    takes_today(parser)
    takes_format(parser)
    parser.add_argument(
        "--base",
        metavar="REVISION",
        help="a git revision to compare with: vanished ids and new receipts are told",
    )


def run(options: argparse.Namespace) -> int:
    """Print all findings and a summary that counts what was checked, by state."""
    root, today = root_of(options), today_of(options)
    with collector_paused():
        if options.base:
            with revision(root, options.base) as tree:
                report = check(load(root, today, load(tree, today).matrix))
        else:
            report = check(load(root, today))
    write_report(report.findings, report.summary(), options.format)
    return 1 if report.failed else 0
