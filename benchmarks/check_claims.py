"""What `check` costs beside a script that only parses the same files with PyYAML's CSafeLoader.

python benchmarks/check_claims.py [--claims 10000] [--rounds 7]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from claims_generator import write_matrix
from ratios import compare

PARSE = """
import pathlib, sys, yaml
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.yaml")):
    yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--claims", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        write_matrix(Path(folder), options.claims, seed=1)
        check = [sys.executable, "-m", "evidence_matrix.cli", "check", "--root", folder]
        results = compare(
            [sys.executable, "-c", PARSE, folder],
            {"check": [*check, "--today", "2026-11-30"]},
            options.rounds,
        )
    for name, ratio in results.items():
        print(f"{name}: {ratio}")


if __name__ == "__main__":
    main()
