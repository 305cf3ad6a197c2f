from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.conftest import Repository, Run
from tests.conftest import TINY

World = Callable[[dict[str, str]], Path]
HERON = "claims/heron-lab/heron-1.yaml"


def test_nothing_differs_from_itself(run: Run) -> None:
    assert run("diff", str(TINY), str(TINY)).out == "no claim differs\n"


def test_a_revision_is_compared_with_the_files_here(run: Run, repository: Repository) -> None:
    repository.edit(HERON, "value: 96.3B", "value: 96.4B")
    ran = run("diff", "HEAD", root=repository.root)
    assert ran.code == 0
    assert "     value  heron-1/params.total@table-1: D 96.3B -> D 96.4B\n" in ran.out
    assert ran.out.endswith("1 with another value\n")


def test_two_revisions_are_compared(run: Run, repository: Repository) -> None:
    repository.edit(HERON, "value: 96.3B", "value: 96.4B")
    repository.commit()
    repository.edit(HERON, "value: 96.4B", "value: 97B")
    ran = run("diff", "--format", "json", "HEAD~1", "HEAD", root=repository.root)
    (change,) = json.loads(ran.out)
    assert change == {
        "id": "heron-1/params.total@table-1",
        "kind": "value",
        "before": "D 96.3B",
        "after": "D 96.4B",
    }


def test_a_name_outside_of_git_is_told_as_that(run: Run, world: World, tmp_path: Path) -> None:
    ran = run("diff", "HEAD", root=world({}))
    assert ran.code == 2
    assert "is in no git repository, so there is no 'HEAD'" in ran.err
    (tmp_path / "empty").mkdir()
    ran = run("diff", str(tmp_path / "empty"), root=world({}))
    assert ran.code == 2
    assert "is a folder without claims/, and no git revision" in ran.err


@pytest.mark.parametrize("name", ["no-such-branch", "-h"])
def test_an_unknown_revision_is_a_message(run: Run, repository: Repository, name: str) -> None:
    ran = run("diff", "--", name, root=repository.root)
    assert ran.code == 2
    assert "git knows no revision" in ran.err
