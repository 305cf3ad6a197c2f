"""The exports: the whole record in formats that others can read, one file a format, by discovery.

An export is a module with a docstring, whose first line says what it is, and `write(matrix,
folder)`, which gives the paths that it wrote.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from evidence_matrix.matrix import Matrix


@dataclass(frozen=True, slots=True)
class Exported:
    """A file that was written: its name below the folder, what it is, its bytes and its sha256."""

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
        title = (module.__doc__ or "").partition("\n")[0]
        for path in module.write(matrix, folder):
            data = path.read_bytes()
            name = path.relative_to(folder).as_posix()
            written.append(Exported(name, title, len(data), hashlib.sha256(data).hexdigest()))
    return written


def write_json(path: Path, content: Any, *, compact: bool = False) -> Path:
    """Write JSON that ends in a newline: a line an entry, or compact where a browser loads it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = _COMPACT(content) if compact else _lines(content)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")
    return path


_LINE = json.JSONEncoder(ensure_ascii=False).encode
_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _lines(content: Any, depth: int = 2) -> str:
    """JSON with a line for each entry of two levels; `indent` takes three times as long."""
    if not depth or not content or not isinstance(content, dict | list):
        return _LINE(content)
    if isinstance(content, dict):
        entries = [
            f"{_LINE(str(key))}: {_lines(value, depth - 1)}" for key, value in content.items()
        ]
        return "{\n" + ",\n".join(entries) + "\n}"
    return "[\n" + ",\n".join(_lines(value, depth - 1) for value in content) + "\n]"
