"""Measures loading claims with every place kept, against PyYAML's CSafeLoader on the same files.

    python benchmarks/load_yaml.py [--claims 10000] [--rounds 7]

Prints the ratio of CPU time, whole processes. `--one` is what a measured process does.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

READERS = ("reference", "events", "places")


def read_all(reader: str, folder: Path) -> None:
    """Reads and keeps all claims; `places` also asks for the place of every key and value."""
    contents = [path.read_bytes() for path in sorted((folder / "claims").rglob("*.yaml"))]
    if reader == "reference":
        import yaml

        kept = [yaml.load(content, yaml.CSafeLoader) for content in contents]
        assert kept
        return
    from evidence_matrix.yaml_lines import Entries, Items, read_yaml

    documents = []
    for content in contents:
        document, findings = read_yaml(content, file="claims.yaml")
        assert not findings
        documents.append(document)
    if reader == "places":
        waiting = list(documents)
        while waiting:
            node = waiting.pop()
            if isinstance(node, Entries):
                assert len(dict(node.keys_at)) == len(dict(node.values_at)) == len(node)
                waiting += node.values()
            elif isinstance(node, Items):
                assert len(node.places) == len(node)
                waiting += node


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare loading with PyYAML's CSafeLoader.")
    parser.add_argument("--claims", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--one", choices=READERS)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    if given.one:
        read_all(given.one, given.folder)
        return
    from claims_generator import write_matrix
    from ratios import compare

    with tempfile.TemporaryDirectory() as folder:
        write_matrix(Path(folder), given.claims, seed=1)
        commands = {
            reader: [sys.executable, __file__, "--folder", folder, "--one", reader]
            for reader in READERS
        }
        reference = commands.pop("reference")
        for name, ratio in compare(reference, commands, given.rounds).items():
            print(f"{name}: {ratio}")


if __name__ == "__main__":
    main()
