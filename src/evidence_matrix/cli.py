"""The command line: finds the commands, parses the arguments and turns faults into exit codes."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import pkgutil
import sys
from collections.abc import Sequence
from pathlib import Path

from evidence_matrix import commands
from evidence_matrix.syntax.collector import collector_paused

CLEAN, FINDINGS, CANNOT_RUN = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0 is clean, 1 findings, 2 cannot run."""
    _ready_streams()
    given = sys.argv[1:] if arguments is None else arguments
    try:
        options = make_parser(given[0] if given else None).parse_args(given)
        code = int(options.run(options))
        sys.stdout.flush()  # so that a reader who went away is noticed here
        return code
    except commands.CannotRunError as error:
        print(f"evidence-matrix: {error}", file=sys.stderr)
        return CANNOT_RUN
    except BrokenPipeError:
        # The reader has seen enough; what is still buffered goes nowhere, without a complaint.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return CLEAN
    except OSError as error:
        where = error.filename or "the system"
        print(f"evidence-matrix: {where}: {error.strerror}", file=sys.stderr)
        return CANNOT_RUN
    except KeyboardInterrupt:
        print("evidence-matrix: stopped", file=sys.stderr)
        return CANNOT_RUN


def _ready_streams() -> None:
    """Whatever the locale, what is printed is UTF-8; where there is no stream, it goes nowhere."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            stream = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, stream)
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def make_parser(first: str | None = None) -> argparse.ArgumentParser:
    """The parser of all commands, or only of the one that the first argument names.

    The command reference is printed from it.
    """
    parser = argparse.ArgumentParser(
        prog="evidence-matrix",
        description="Claims about how language models were trained, with labels that are earned.",
    )
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    names = all_commands()
    for name in [first] if first in names else names:
        with collector_paused():
            module = importlib.import_module(f"{commands.__name__}.{name}")
        help_text = (module.__doc__ or "").partition("\n")[0]
        command = subparsers.add_parser(name, help=help_text, description=help_text)
        command.add_argument(
            "--root",
            type=Path,
            default=Path(),
            metavar="DIR",
            help="folder with claims/ and sources/ (default: this one)",
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


def all_commands() -> list[str]:
    """The names of the commands, in the order of the alphabet."""
    return [info.name for info in pkgutil.iter_modules(commands.__path__)]


if __name__ == "__main__":
    sys.exit(main())
