from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from evidence_matrix import cli, commands
from evidence_matrix.cli import all_commands, main, make_parser
from tests.conftest import TINY


def parsers() -> dict[str, argparse.ArgumentParser]:
    (action,) = [a for a in make_parser()._actions if isinstance(a, argparse._SubParsersAction)]
    return dict(action.choices)


def test_the_parser_has_every_command() -> None:
    assert list(parsers()) == list(all_commands())


@pytest.mark.parametrize("name", all_commands())
def test_every_command_takes_a_root_and_says_what_it_does(name: str) -> None:
    parser = parsers()[name]
    assert parser.description
    assert parser.description.endswith(".")
    assert "--root" in parser.format_help()
    for action in parser._actions:
        if not isinstance(action, argparse._HelpAction) and action.choices is None:
            assert action.help, f"{name} {action.dest}"


def test_one_command_is_parsed_alone_as_it_is_among_all() -> None:
    alone = make_parser("why").parse_args(["why", "a/b"])
    among = make_parser().parse_args(["why", "a/b"])
    assert vars(alone) == vars(among)


@pytest.mark.parametrize("arguments", [[], ["no-such-command"], ["why"], ["check", "--no-such"]])
def test_what_cannot_be_parsed_is_a_message(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert "usage: evidence-matrix" in capsys.readouterr().err


def test_a_fault_of_the_system_is_a_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object) -> int:
        raise PermissionError(13, "Permission denied", "/claims/a.yaml")

    monkeypatch.setattr("evidence_matrix.commands.stats.load", fails)
    assert main(["stats", "--root", str(TINY)]) == cli.CANNOT_RUN
    assert capsys.readouterr().err == "evidence-matrix: /claims/a.yaml: Permission denied\n"


def test_a_keyboard_stops_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stops(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("evidence_matrix.commands.stats.load", stops)
    assert main(["stats", "--root", str(TINY)]) == cli.CANNOT_RUN
    assert capsys.readouterr().err == "evidence-matrix: stopped\n"


def test_a_keyboard_stops_it_also_while_the_command_is_still_imported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stops(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("evidence_matrix.cli.importlib.import_module", stops)
    assert main(["stats", "--root", str(TINY)]) == cli.CANNOT_RUN
    assert capsys.readouterr().err == "evidence-matrix: stopped\n"


@pytest.mark.parametrize("text", ["yesterday", "2026-2-1", "2026-02-30", "", "20260201T00"])
def test_a_day_is_written_in_one_way(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="write 2026-07-19"):
        commands.day(text)


@pytest.mark.parametrize(
    "command", [["check"], ["check", "--base", "HEAD"], ["diff", "HEAD"], ["new", "acme/wren"]]
)
def test_a_narrow_locale_and_a_wide_path_are_no_fault(tmp_path: Path, command: list[str]) -> None:
    """What is printed is UTF-8, and what git says of paths is read as paths are."""
    root = tmp_path / "größe mit leerzeichen"
    shutil.copytree(TINY, root)
    git = ["git", "-C", str(root), "-c", "user.name=T", "-c", "user.email=t@example.org"]
    for step in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Records"]):
        subprocess.run([*git, *step], check=True)
    narrow = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "evidence_matrix.cli", *command, "--root", str(root)],
        env={**os.environ, **narrow},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode("utf-8")


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_a_closed_stream_is_no_traceback(tmp_path: Path, closed: str) -> None:
    line = f'"{sys.executable}" -m evidence_matrix.cli check --root "{TINY}" --today 2026-07-20'
    done = subprocess.run(f"{line} {closed}", shell=True, capture_output=True, check=False)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


def test_it_runs_as_a_program(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "evidence_matrix.cli", "check"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("evidence-matrix: . has no folder claims/")
