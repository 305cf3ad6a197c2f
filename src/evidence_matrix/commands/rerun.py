"""Make the outputs of a run again and compare them with its record."""

from __future__ import annotations

import argparse
import hashlib
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from evidence_matrix.commands import CannotRunError, root_of, takes_today, today_of
from evidence_matrix.matrix import Entry
from evidence_matrix.records import RunRecord
from evidence_matrix.store import load
from evidence_matrix.syntax.spelling import nearest


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `rerun`."""
    takes_today(parser)
    parser.add_argument("run_id", metavar="RUN", help="id of a run below sources/runs/")


def run(options: argparse.Namespace) -> int:
    """Run it in a folder of its own and compare every output with its sha256."""
    root = root_of(options)
    runs = load(root, today_of(options)).matrix.runs
    if options.run_id not in runs:
        near = nearest(options.run_id, runs)
        raise CannotRunError(
            f"there is no run {options.run_id!r}" + (f"; did you mean {near}?" if near else "")
        )
    entry = runs[options.run_id]
    _check_code(root, entry)
    with tempfile.TemporaryDirectory(prefix="evidence-matrix-") as folder:
        try:
            words = shlex.split(entry.record.command)
            command = [folder if word == "DIR" else _python(word) for word in words]
            done = subprocess.run(command, cwd=root, check=False)
        except (ValueError, IndexError, OSError) as error:
            raise CannotRunError(f"{entry.record.command!r} cannot be run: {error}") from error
        if done.returncode != 0:
            raise CannotRunError(f"the run ended with exit code {done.returncode}")
        return _compare(entry, Path(folder))


def _python(word: str) -> str:
    return sys.executable if word in ("python", "python3") else word


def _check_code(root: Path, entry: Entry[RunRecord]) -> None:
    code = entry.record.code
    path = root / code.path
    if not path.is_file():
        raise CannotRunError(f"the program {code.path} of the run is missing")
    if hashlib.sha256(path.read_bytes()).hexdigest() != code.sha256:
        print(f"{code.path} has changed since the run was recorded", file=sys.stderr)


def _compare(entry: Entry[RunRecord], folder: Path) -> int:
    failed = 0
    for output in entry.record.outputs:
        path = folder / output.path
        if not path.is_file():
            print(f"{output.path}: not written")
            failed = 1
            continue
        same = hashlib.sha256(path.read_bytes()).hexdigest() == output.sha256
        print(f"{output.path}: {'the same bytes' if same else 'other bytes'}")
        failed = failed or int(not same)
    return failed
