from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.conftest import Run

RUN = "sources/runs/acme-ratio/run.yaml"
World = Callable[[dict[str, str]], Path]


def test_the_same_bytes_are_clean(run: Run, world: World) -> None:
    ran = run("rerun", "acme-ratio", root=world({}))
    assert (ran.code, ran.out) == (0, "result.json: the same bytes\n")


def test_other_bytes_are_told(run: Run, world: World) -> None:
    root = world({})
    program = root / "sources/runs/acme-ratio/program.py"
    program.write_text(program.read_text().replace("1.8", "1.9") + "\n# changed\n")
    ran = run("rerun", "acme-ratio", root=root)
    assert "has changed since the run was recorded" in ran.err
    assert (ran.code, ran.out) == (1, "result.json: other bytes\n")


def test_an_output_that_is_not_written_is_told(run: Run, world: World) -> None:
    root = world({})
    (root / "sources/runs/acme-ratio/program.py").write_text("pass\n")
    ran = run("rerun", "acme-ratio", root=root)
    assert (ran.code, ran.out) == (1, "result.json: not written\n")


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("no-such-program DIR", "no-such-program"),
        ('python "unclosed', "cannot be run"),
        ("python -c 'raise SystemExit(3)'", "exit code 3"),
        ('""', "cannot be run"),
    ],
)
def test_a_command_that_cannot_be_run_is_a_message(
    run: Run, world: World, command: str, says: str
) -> None:
    root = world({})
    path = root / RUN
    old = "command: python sources/runs/acme-ratio/program.py DIR"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, "command: |-\n  " + command))
    ran = run("rerun", "acme-ratio", root=root)
    assert ran.code == 2
    assert says in ran.err


def test_a_missing_program_is_a_message(run: Run, world: World) -> None:
    root = world({})
    (root / "sources/runs/acme-ratio/program.py").unlink()
    ran = run("rerun", "acme-ratio", root=root)
    assert ran.code == 2
    assert "is missing" in ran.err


def test_an_unknown_run_gets_the_nearest_name(run: Run) -> None:
    ran = run("rerun", "acme-ration")
    assert ran.code == 2
    assert "did you mean acme-ratio?" in ran.err
