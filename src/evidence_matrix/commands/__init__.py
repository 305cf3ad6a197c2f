"""The commands, one file each, found by discovery.

A command is a module with a docstring (its first line is the help), `add_arguments(parser)` and
`run(options)`, which gives 0 for clean, 1 for findings and 2 where it cannot run.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from evidence_matrix.findings import Finding, to_github, to_json, to_text


class CannotRunError(Exception):
    """A command cannot do its work; the message says why and what to do."""


def takes_today(parser: argparse.ArgumentParser) -> None:
    """Give a command the option --today."""
    parser.add_argument(
        "--today",
        type=day,
        metavar="DAY",
        help="the day to judge on (default: the day of the last commit)",
    )


def takes_format(parser: argparse.ArgumentParser) -> None:
    """Give a command that reports the option --format."""
    parser.add_argument(
        "--format",
        choices=("text", "json", "github"),
        default="text",
        help="how findings are printed (default: text)",
    )


def write_report(findings: Sequence[Finding], summary: str, style: str) -> None:
    """Print findings and a summary; with JSON the summary goes to standard error."""
    if style == "json":
        print(to_json(findings), end="")
        print(summary, file=sys.stderr)
    else:
        write = to_github if style == "github" else to_text
        print(write(findings), end="")
        print(summary)


def day(text: str) -> date:
    """A day given on the command line."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no day; write 2026-07-19") from error


def today_of(options: argparse.Namespace) -> date:
    """The day to judge on: the one given, else that of the last commit, else this one."""
    given: date | None = getattr(options, "today", None)
    if given is not None:
        return given
    said = (git(options.root, "log", "-1", "--format=%cs") or "").strip()
    return date.fromisoformat(said) if said else date.today()


def root_of(options: argparse.Namespace) -> Path:
    """The root folder, once it is sure that it holds records."""
    root: Path = options.root
    if not (root / "claims").is_dir():
        raise CannotRunError(
            f"{root} has no folder claims/; give --root the folder that holds claims/ and sources/"
        )
    return root


def git(root: Path, *arguments: str) -> str | None:
    """What git prints; None where there is no git, no repository or no such revision."""
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments], capture_output=True, check=False
        )
    except FileNotFoundError:
        return None
    return os.fsdecode(done.stdout) if done.returncode == 0 else None


@contextmanager
def revision(root: Path, name: str) -> Iterator[Path]:
    """The files of a git revision below `root`, laid out in a folder that goes away again."""
    import tarfile  # only a comparison needs them
    import tempfile

    commit = (
        git(root, "rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}") or ""
    ).strip()
    if not commit:
        if Path(name).is_dir():
            raise CannotRunError(f"{name} is a folder without claims/, and no git revision")
        if git(root, "rev-parse", "--git-dir") is None:
            raise CannotRunError(f"{root} is in no git repository, so there is no {name!r}")
        raise CannotRunError(f"git knows no revision {name!r} here; fetch it first")
    prefix = (git(root, "rev-parse", "--show-prefix") or "").strip()
    with tempfile.TemporaryDirectory(prefix="evidence-matrix-") as folder:
        archive = Path(folder) / "records.tar"
        tree = f"{commit}:{prefix}" if prefix else commit
        top = (git(root, "rev-parse", "--show-toplevel") or "").strip() or str(root)
        made = git(Path(top), "archive", "--format=tar", f"--output={archive}", tree)
        if made is None:
            raise CannotRunError(f"the revision {name!r} has no folder {prefix!r}")
        with tarfile.open(archive) as tar:
            tar.extractall(Path(folder) / "tree", filter="data")
        yield Path(folder) / "tree"
