"""Render the pages and the data, then build the site into site/."""

from __future__ import annotations

import argparse
import os
from urllib.parse import urlsplit

from evidence_matrix.commands import CannotRunError, day, root_of, takes_today, today_of
from evidence_matrix.store import load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `build`."""
    takes_today(parser)
    parser.add_argument(
        "--as-of",
        type=day,
        metavar="DAY",
        help="show what could be known on that day; chapters are left out",
    )
    parser.add_argument(
        "--site-url",
        type=site_url,
        default=os.environ.get("SITE_URL", ""),
        metavar="URL",
        help="where the site will be, for canonical links, the sitemap and the feed "
        "(default: the variable SITE_URL, else none)",
    )


def site_url(text: str) -> str:
    """The address of a site's root, with its last slash; "" for none."""
    parts = urlsplit(text)
    if text and (parts.scheme not in ("http", "https") or not parts.netloc or parts.query):
        raise argparse.ArgumentTypeError(
            f"{text!r} is no address of a site; write https://example.org/evidence-matrix/"
        )
    return text and text.rstrip("/") + "/"


def run(options: argparse.Namespace) -> int:
    """Build; an error that `check` finds stops it."""
    from evidence_matrix.site import SiteError, build

    root = root_of(options)
    loaded = load(root, today_of(options))
    try:
        pages = build(loaded, options.as_of, options.site_url)
    except SiteError as error:
        raise CannotRunError(str(error)) from error
    if options.as_of:
        print(f"as of {options.as_of}: chapters are left out, they are written as of today")
    print(f"{pages} pages stand in {root / 'site'}")
    return 0
