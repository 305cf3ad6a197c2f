"""Measures `check` with receipts of every piece of evidence against `check` without any.

    python benchmarks/check_receipts.py [--claims 10000] [--rounds 7]

Prints the ratio of CPU time, whole processes.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from claims_generator import write_matrix, write_receipts
from ratios import compare


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare check with and without receipts.")
    parser.add_argument("--claims", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bare, covered = Path(folder, "without"), Path(folder, "with")
        write_matrix(bare, given.claims, 1)
        shutil.copytree(bare, covered)
        write_receipts(covered)
        command = [sys.executable, "-m", "evidence_matrix.cli", "check", "--today", "2026-11-30"]
        commands = {"with receipts": [*command, "--root", str(covered)]}
        for name, ratio in compare([*command, "--root", str(bare)], commands, given.rounds).items():
            print(f"{name}: {ratio}")


if __name__ == "__main__":
    main()
