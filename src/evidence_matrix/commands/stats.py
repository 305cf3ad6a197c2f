"""Print counts: claims by label, evidence by state, subjects and sources by lab."""

from __future__ import annotations

import argparse
import json

from evidence_matrix.checking import check
from evidence_matrix.commands import root_of, takes_today, today_of
from evidence_matrix.labels import Label, State
from evidence_matrix.store import load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `stats`."""
    takes_today(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(options: argparse.Namespace) -> int:
    """Print the numbers that the home page shows."""
    loaded = load(root_of(options), today_of(options))
    matrix = loaded.matrix
    report = check(loaded)
    by_lab: dict[str, dict[str, int]] = {}
    for claim in matrix.claims.values():
        row = by_lab.setdefault(claim.lab, {label.value: 0 for label in Label})
        row[claim.label.value] += 1
    content = {
        "claims": report.claims,
        "subjects": report.subjects,
        "sources": report.sources,
        "disputes": len(matrix.disputes),
        "labels": {label.value: report.labels.get(label, 0) for label in Label},
        "states": {state.value: report.states.get(state, 0) for state in State},
        "labs": by_lab,
    }
    if options.format == "json":
        print(json.dumps(content, indent=1))
        return 0
    for name in ("claims", "subjects", "sources", "disputes"):
        print(f"{name:>12} {content[name]}")
    for title in ("labels", "states"):
        numbers = content[title]
        assert isinstance(numbers, dict)
        for name, number in numbers.items():
            print(f"{name:>20} {number}")
    for lab, row in by_lab.items():
        print(f"{lab:>20} " + " ".join(f"{label} {number}" for label, number in row.items()))
    return 0
