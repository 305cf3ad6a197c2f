"""Running commands as a shell would: exit code, standard output and standard error."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from evidence_matrix.cli import main
from tests.conftest import TINY, TODAY

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Ran:
    """What came of a command."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs a command on the tiny matrix, or on another root."""

    def run(name: str, *arguments: str, root: Path = TINY, today: bool = True) -> Ran:
        day = ["--today", str(TODAY)] if today else []
        code = main([name, "--root", str(root), *day, *arguments])
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        return Ran(code, out, err)

    return run


class Repository:
    """A copy of the tiny matrix under git, in a folder below the top of the repository."""

    def __init__(self, top: Path) -> None:
        self.root = top / "records"
        shutil.copytree(TINY, self.root, ignore=shutil.ignore_patterns("build", "site"))
        self.git("init", "-q", "-b", "main")
        self.commit()

    def git(self, *arguments: str) -> None:
        names = ["-c", "user.name=Tester", "-c", "user.email=tester@example.org"]
        subprocess.run(
            ["git", "-C", str(self.root.parent), *names, *arguments],
            check=True,
            capture_output=True,
        )

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "Records", "--date=2026-07-20T12:00:00Z")

    def edit(self, name: str, before: str, after: str) -> None:
        path = self.root / name
        text = path.read_text()
        assert before in text
        path.write_text(text.replace(before, after))


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository with one commit, made on the day the tiny matrix is judged on."""
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-07-20T12:00:00Z")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    return Repository(tmp_path)
