"""Build the site, show it on this machine, and build again when a record changes."""

from __future__ import annotations

import argparse
import functools
import http.server
import threading
import time
from collections.abc import Mapping
from pathlib import Path

from evidence_matrix.commands import CannotRunError, build, root_of, takes_today

_WATCHED = ("claims/**/*.yaml", "sources/**/*.bib", "sources/**/*.json", "docs/**/*.md")
_WAIT = 1.0  # seconds between two looks at the files


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `serve`."""
    takes_today(parser)
    parser.add_argument("--port", type=int, default=8000, help="port on 127.0.0.1 (default: 8000)")


def run(options: argparse.Namespace) -> int:
    """Serve until the keyboard stops it."""
    root = root_of(options)
    options.as_of = None
    build.run(options)
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(root / "site"))
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", options.port), handler)
    except OSError as error:
        raise CannotRunError(f"port {options.port} cannot be had ({error}); give --port") from error
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_address[1]}/ shows the site; Ctrl-C stops it")
    seen = _times(root)
    try:
        while True:
            time.sleep(_WAIT)
            now = _times(root)
            if now != seen:
                seen = now
                _build_again(options)
    finally:
        server.shutdown()


def _build_again(options: argparse.Namespace) -> None:
    try:
        build.run(options)
    except CannotRunError as error:
        print(error)  # the last good site stays up


def _times(root: Path) -> Mapping[Path, int]:
    return {path: path.stat().st_mtime_ns for pattern in _WATCHED for path in root.glob(pattern)}
