"""Ask the record in SQL; it is read from the exported SQLite database and cannot be changed."""

from __future__ import annotations

import argparse
import csv
import json
import sqlite3
import sys
import tempfile
from collections import Counter
from pathlib import Path

from evidence_matrix.commands import CannotRunError, root_of, takes_today, today_of
from evidence_matrix.exports import sqlite
from evidence_matrix.store import load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `query`."""
    takes_today(parser)
    parser.add_argument("sql", metavar="SQL", help="one select over claims, evidence, sources …")
    parser.add_argument("--format", choices=("csv", "json"), default="csv")


def run(options: argparse.Namespace) -> int:
    """Print the rows."""
    matrix = load(root_of(options), today_of(options)).matrix
    with tempfile.TemporaryDirectory(prefix="evidence-matrix-") as folder:
        (path,) = sqlite.write(matrix, Path(folder))
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        database.set_authorizer(_read_only)
        try:
            cursor = database.execute(options.sql)
            if cursor.description is None:
                raise CannotRunError("the query is empty; write a select over claims, evidence …")
            names = [column[0] for column in cursor.description]
            rows = cursor.fetchall()
        except (sqlite3.Error, sqlite3.Warning, UnicodeError) as error:
            raise CannotRunError(f"the query cannot be run: {error}") from error
        finally:
            database.close()
    if options.format == "json":
        twice = sorted(name for name, count in Counter(names).items() if count > 1)
        if twice:
            raise CannotRunError(
                f"two columns are called {twice[0]}; name one of them: `{twice[0]} as …`"
            )
        objects = [dict(zip(names, row, strict=True)) for row in rows]
        print(json.dumps(objects, indent=1, default=bytes.hex))
    else:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(names)
        for row in rows:
            writer.writerow(cell.hex() if isinstance(cell, bytes) else cell for cell in row)
    return 0


_ALLOWED = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}
)


def _read_only(action: int, *_: object) -> int:
    return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY
