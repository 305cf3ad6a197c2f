"""The record as an SQLite database, for `evidence-matrix query` and other tools."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from evidence_matrix.claim_rows import claim_rows, source_row
from evidence_matrix.matrix import Matrix

FILE = "matrix.sqlite"
_TABLES = """
create table labs (id text primary key, name text not null);
create table aspects (
  id text primary key, title text not null, "group" text not null, kind text not null, unit text,
  counts text not null, core integer not null);
create table subjects (
  id text primary key, lab text not null references labs, name text not null, kind text not null,
  part_of text references subjects, summary text);
create table sources (
  key text primary key, title text not null, lab text not null, kind text not null, date text,
  url text, version text, sha256 text, note text);
create table claims (
  id text primary key, subject text not null references subjects, aspect text not null,
  scope text, reading text, label text not null, value text, low real, high real,
  low_open integer, high_open integer, about integer, exact_low text, exact_high text,
  unit text, means text, statement text, public text,
  checked text, withdrawn text);
create table evidence (
  claim text not null references claims, position integer not null,
  source text not null, via text, at text, quote text, "row" text, head text, read text, path text,
  state text not null, primary key (claim, position));
create table searches (claim text primary key references claims, looked_for text, looked_in text,
  reason text);
create table premises (claim text not null references claims, name text not null,
  premise text not null, primary key (claim, name));
create table disputes (id integer not null, claim text not null, kind text not null,
  reason text not null, "on" text not null, primary key (id, claim));
create index claims_by_aspect on claims (aspect);
create index claims_by_subject on claims (subject);
create index evidence_by_source on evidence (source);
"""


def write(matrix: Matrix, folder: Path) -> list[Path]:
    """Write matrix.sqlite; the same matrix gives the same bytes."""
    path = folder / FILE
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as database:
        database.executescript(_TABLES)
        _fill(database, matrix)
    database.close()
    return [path]


def _fill(database: sqlite3.Connection, matrix: Matrix) -> None:
    insert = _Insert(database)
    for lab in matrix.labs.values():
        insert("labs", lab.id, lab.record.name)
    for aspect in matrix.aspects.values():
        a = aspect.record
        insert("aspects", aspect.id, a.title, a.group, a.kind, a.unit, a.counts, a.core == "yes")
    for subject in matrix.subjects.values():
        s = subject.record
        insert("subjects", subject.id, subject.lab, s.name, s.kind, s.part_of, s.summary)
    for source in matrix.sources.values():
        row: dict[str, Any] = {**source_row(source)}
        columns = ("title", "lab", "kind", "date", "url", "version", "sha256", "note")
        values = [", ".join(row[c]) if c == "lab" else row[c] for c in columns]
        insert("sources", source.key, *values)
    for claim_row in claim_rows(matrix):
        _claim(insert, {**claim_row})
    for number, dispute in enumerate(matrix.disputes, start=1):
        d = dispute.record
        for claim in d.claims:
            insert("disputes", number, claim, d.kind, d.reason, d.on.format())


def _claim(insert: _Insert, row: dict[str, Any]) -> None:
    columns = ("id", "subject", "aspect", "scope", "reading", "label", "value")
    insert(
        "claims",
        *(row[column] for column in columns),
        _real(row["low"]),
        _real(row["high"]),
        *(row.get(flag) for flag in ("low_open", "high_open", "about")),
        row["low"],
        row["high"],
        *(row[c] for c in ("unit", "means", "statement", "public", "checked", "withdrawn")),
    )
    for position, piece in enumerate(row["evidence"]):
        names = ("source", "via", "at", "quote", "row", "head", "read", "path", "state")
        insert("evidence", row["id"], position, *(piece.get(name) for name in names))
    if "search" in row:
        search = row["search"]
        terms, texts = json.dumps(search["looked_for"]), json.dumps(search["looked_in"])
        insert("searches", row["id"], terms, texts, search["reason"])
    for name, premise in row.get("inference", {}).get("premises", {}).items():
        insert("premises", row["id"], name, premise)


def _real(number: str | None) -> float | None:
    if number is None:
        return None
    try:
        top, _, bottom = number.partition("/")
        return float(top) / float(bottom or 1)
    except ValueError:
        return None  # a date: it stands in exact_low and exact_high


class _Insert:
    """Inserts a row of values into a table."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self.database = database

    def __call__(self, table: str, *values: Any) -> None:
        marks = ", ".join("?" * len(values))
        self.database.execute(f"insert into {table} values ({marks})", values)
