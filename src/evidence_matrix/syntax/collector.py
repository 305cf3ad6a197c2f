"""The cyclic garbage collector, which has nothing to find while records are read and judged."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pauses the collector while many objects are made that are all kept."""
    # It would walk all records again and again, which doubles the time of loading them.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
