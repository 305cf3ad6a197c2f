"""The tiny matrix: an invented world that no change of the real claims can break."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from hypothesis import settings

from evidence_matrix.matrix import Matrix
from evidence_matrix.store import Loaded, load
from tests.reader import chromium, context, page, real_address, real_matrix, real_site

__all__ = [  # fixtures, for every module
    "chromium",
    "context",
    "page",
    "real_address",
    "real_matrix",
    "real_site",
]

settings.register_profile("steady", deadline=None)  # a busy machine is no fault of the code
settings.load_profile("steady")

TINY = Path(__file__).parent / "tiny"
TODAY = date(2026, 7, 20)

World = Callable[[dict[str, str]], Path]


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Lays files over a copy of the tiny matrix and gives its root folder."""
    count = 0

    def lay(files: dict[str, str]) -> Path:
        nonlocal count
        count += 1
        root = tmp_path / f"world-{count}"
        shutil.copytree(TINY, root, ignore=shutil.ignore_patterns("build", "site"))
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return root

    return lay


@pytest.fixture
def loaded(world: World) -> Callable[[dict[str, str]], Loaded]:
    """Loads the tiny matrix with files laid over it."""
    return lambda files: load(world(files), TODAY)


@pytest.fixture(scope="session")
def tiny_matrix() -> Matrix:
    """The tiny matrix as it stands."""
    return load(TINY, TODAY).matrix
