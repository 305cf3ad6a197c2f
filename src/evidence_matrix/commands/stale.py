"""List the claims whose sources were not read again for half a year."""

from __future__ import annotations

import argparse

from evidence_matrix.commands import root_of, takes_today, today_of
from evidence_matrix.freshness import LONGEST, stale_claims
from evidence_matrix.store import load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `stale`."""
    takes_today(parser)


def run(options: argparse.Namespace) -> int:
    """Print a report; it is for maintainers, and never fails a pull request."""
    matrix = load(root_of(options), today_of(options)).matrix
    count = 0
    for claim in stale_claims(matrix):
        count += 1
        print(f"{claim.file}:{claim.place.line}: {claim.id}, checked {claim.record.checked}")
    print(
        f"{count} of {len(matrix.claims)} claims were not read again for {LONGEST.days} days "
        f"before {matrix.today}; set `checked` only when all sources of a claim were read again"
    )
    return 0
