"""Print the page of a rule."""

from __future__ import annotations

import argparse

from evidence_matrix.commands import CannotRunError
from evidence_matrix.rules import all_rules
from evidence_matrix.syntax.spelling import nearest


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `explain`."""
    parser.add_argument("code", metavar="CODE", help="a code such as EM101, or a rule's name")


def run(options: argparse.Namespace) -> int:
    """Print what the rule refuses, why, and its examples."""
    wanted = options.code.upper()
    for rule in all_rules():
        if wanted in (rule.code, rule.name.upper()):
            print(f"{rule.code} {rule.name} ({rule.severity.value})\n\n{rule.docstring}")
            return 0
    near = nearest(wanted, [rule.code for rule in all_rules()])
    raise CannotRunError(
        f"there is no rule {options.code!r}" + (f"; did you mean {near}?" if near else "")
    )
