"""The command line: finds the commands, parses the arguments and turns faults into exit codes."""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

from evidence_matrix import commands

CLEAN, FINDINGS, CANNOT_RUN = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0 is clean, 1 findings, 2 cannot run."""
    options = make_parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except commands.CannotRunError as error:
        print(f"evidence-matrix: {error}", file=sys.stderr)
        return CANNOT_RUN
    except BrokenPipeError:
        sys.stderr.close()  # the reader has seen enough
        return CLEAN
    except KeyboardInterrupt:
        print("evidence-matrix: stopped", file=sys.stderr)
        return CANNOT_RUN


def make_parser() -> argparse.ArgumentParser:
    """The parser of all commands; the command reference is printed from it."""
    parser = argparse.ArgumentParser(
        prog="evidence-matrix",
        description="Claims about how language models were trained, with labels that are earned.",
    )
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, module in all_commands():
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


def all_commands() -> Iterator[tuple[str, ModuleType]]:
    """Every command by name, in the order of the alphabet."""
    for info in pkgutil.iter_modules(commands.__path__):
        yield info.name, importlib.import_module(f"{commands.__name__}.{info.name}")


if __name__ == "__main__":
    sys.exit(main())
