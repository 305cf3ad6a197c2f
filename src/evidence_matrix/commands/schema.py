"""Print the JSON Schema of the records, for editors."""

from __future__ import annotations

import argparse
import json

from evidence_matrix.schema import schema


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `schema`: none but the root."""


def run(options: argparse.Namespace) -> int:
    """Print the schema of a subject's file."""
    print(json.dumps(schema(), indent=1, ensure_ascii=False))
    return 0
