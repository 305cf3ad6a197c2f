"""Build the site, show it on this machine, and build again when a record changes."""

from __future__ import annotations

import argparse
import contextlib
import functools
import http.server
import threading
import time
from collections.abc import Mapping
from pathlib import Path

from evidence_matrix.commands import CannotRunError, root_of, takes_today, today_of
from evidence_matrix.store import load

_WATCHED = ("claims/**/*.yaml", "sources/**/*.bib", "sources/**/*.json", "docs/**/*.md")
_WAIT = 1.0  # seconds between two looks at the files


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `serve`."""
    takes_today(parser)
    parser.add_argument("--port", type=int, default=8000, help="port on 127.0.0.1 (default: 8000)")


def run(options: argparse.Namespace) -> int:
    """Serve until the keyboard stops it."""
    from evidence_matrix.site import SiteError

    root = root_of(options)
    try:
        _build(options)
    except SiteError as error:
        raise CannotRunError(str(error)) from error
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(root / "site"))
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", options.port), handler)
    except (OSError, OverflowError) as error:
        raise CannotRunError(f"port {options.port} cannot be had ({error}); give --port") from error
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}/"
    try:
        print(f"{address} shows the site; Ctrl-C stops it", flush=True)
        seen = _times(root)
        while True:
            time.sleep(_WAIT)
            now = _times(root)
            if now != seen:
                seen = now
                try:
                    _build(options)
                except SiteError as error:
                    print(error, flush=True)  # the last good site stays up
    except KeyboardInterrupt:
        return 0
    finally:
        server.shutdown()


def _build(options: argparse.Namespace) -> None:
    from evidence_matrix.site import build

    pages = build(load(options.root, today_of(options)))
    print(f"{pages} pages stand in {options.root / 'site'}", flush=True)


def _times(root: Path) -> Mapping[Path, int]:
    """When each file was changed; a file that goes away while it is looked at is left out."""
    times = {}
    for pattern in _WATCHED:
        for path in root.glob(pattern):
            with contextlib.suppress(FileNotFoundError):
                times[path] = path.stat().st_mtime_ns
    return times
