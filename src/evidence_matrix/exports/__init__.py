"""The exports: the whole record in a format others can read, one file a format, by discovery.

An export is a module with `FILE`, the name it writes, a docstring whose first line says what it
is, and `write(matrix, path)`.
"""

from __future__ import annotations

import hashlib
import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from evidence_matrix.matrix import Matrix


@dataclass(frozen=True, slots=True)
class Exported:
    """A file that was written: its name, what it is, its size in bytes and its sha256."""

    file: str
    title: str
    size: int
    sha256: str


def all_exports() -> Iterator[ModuleType]:
    """The module of every export, in the order of their names."""
    for info in pkgutil.iter_modules(__path__):
        yield importlib.import_module(f"{__name__}.{info.name}")


def export(matrix: Matrix, folder: Path) -> list[Exported]:
    """Write every format into `folder`; the same matrix gives the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for module in all_exports():
        path = folder / module.FILE
        module.write(matrix, path)
        data = path.read_bytes()
        title = (module.__doc__ or "").partition("\n")[0]
        digest = hashlib.sha256(data).hexdigest()
        written.append(Exported(module.FILE, title, len(data), digest))
    return written
