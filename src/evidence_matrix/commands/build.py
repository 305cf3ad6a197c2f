"""Render the pages and the data, then build the site into site/."""

from __future__ import annotations

import argparse

from evidence_matrix.commands import CannotRunError, day, root_of, takes_today, today_of
from evidence_matrix.store import load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `build`."""
    takes_today(parser)
    parser.add_argument(
        "--as-of",
        type=day,
        metavar="DAY",
        help="show what could be known on that day; chapters are left out",
    )


def run(options: argparse.Namespace) -> int:
    """Build; a record that cannot be read stops it, as `check` says in full."""
    from evidence_matrix.addresses import UnknownTargetError
    from evidence_matrix.site import SiteError, build

    root = root_of(options)
    loaded = load(root, today_of(options))
    if loaded.findings:
        raise CannotRunError(
            f"{len(loaded.findings)} faults stop the build; run `evidence-matrix check` for them"
        )
    matrix = loaded.matrix.at(options.as_of) if options.as_of else loaded.matrix
    try:
        pages = build(matrix)
    except SiteError as error:
        raise CannotRunError(f"the site generator stopped:\n{error}") from error
    except UnknownTargetError as error:
        raise CannotRunError(f"a link leads nowhere: {error.args[0]}") from error
    if options.as_of:
        print(f"as of {options.as_of}: chapters are left out, they are written as of today")
    print(f"{pages} pages of {len(matrix.claims)} claims stand in {root / 'site'}")
    return 0
