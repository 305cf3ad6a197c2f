"""The source-level lab: training objectives as small audited functions, found by discovery.

An objective is a module of this package that defines a public function of its own name
(`grpo.py` defines `grpo`). Everything else here is a piece that objectives share. Importing
this package, or its `catalog`, needs no torch; importing an objective does. Nothing here
imports the rest of `evidence_matrix`, so a file can be read, copied and run alone with the
pieces it names.
"""

from __future__ import annotations

import ast
import functools
import importlib
import pkgutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


@functools.cache
def discover() -> tuple[str, ...]:
    """Names of all objectives, sorted, from the files alone: no objective is imported."""
    modules = (module.name for module in pkgutil.iter_modules([str(FOLDER)]))
    return tuple(sorted(name for name in modules if _defines_itself(name)))


def load(name: str) -> Callable[..., Any]:
    """The function of the objective `name`; imports torch.

    Raises:
        KeyError: there is no such objective.

    """
    if name not in discover():
        raise KeyError(f"no objective {name!r}; there are {', '.join(discover())}")
    function: Callable[..., Any] = getattr(
        importlib.import_module(f"evidence_matrix.objectives.{name}"), name
    )
    return function


def _defines_itself(name: str) -> bool:
    tree = ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8"))
    return any(isinstance(node, ast.FunctionDef) and node.name == name for node in tree.body)
