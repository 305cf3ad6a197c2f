"""Print how the label of a claim was worked out, step by step."""

from __future__ import annotations

import argparse

from evidence_matrix.commands import CannotRunError, root_of, takes_today, today_of
from evidence_matrix.reasons import reasons
from evidence_matrix.store import load
from evidence_matrix.syntax.spelling import nearest


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `why`."""
    takes_today(parser)
    parser.add_argument("id", metavar="ID", help="a claim, such as kimi-k3/params.active")


def run(options: argparse.Namespace) -> int:
    """Print the steps."""
    matrix = load(root_of(options), today_of(options)).matrix
    claim_id = options.id
    if claim_id in matrix.moved:
        claim_id = matrix.moved[claim_id].record
        print(f"{options.id} has moved to {claim_id}")
    if claim_id not in matrix.claims:
        near = nearest(claim_id, matrix.claims)
        raise CannotRunError(
            f"there is no claim {claim_id!r}" + (f"; did you mean {near}?" if near else "")
        )
    for line in reasons(matrix.claims[claim_id], matrix):
        print(line)
    return 0
