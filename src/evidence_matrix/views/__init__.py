"""The views: what is shown of the matrix, one file a kind of page, found by discovery.

A view is a module with `pages(matrix)`, which yields pages. Views never import each other.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.page import Page


def all_pages(matrix: Matrix) -> Iterator[Page]:
    """The pages of every view, in the order of the views' names."""
    for info in pkgutil.iter_modules(__path__):
        yield from importlib.import_module(f"{__name__}.{info.name}").pages(matrix)
