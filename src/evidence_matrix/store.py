"""Loading: from the files of a root folder to a frozen matrix, with every fault at its line."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from evidence_matrix import bibtex
from evidence_matrix.findings import Finding
from evidence_matrix.loading.record_files import ModelT, RecordFiles
from evidence_matrix.loading.subject_files import read_subjects
from evidence_matrix.matrix import START, Entry, Fields, Matrix, Source
from evidence_matrix.receipts import read_receipts
from evidence_matrix.records import (
    AspectRecord,
    AuditRecord,
    DisputeRecord,
    ExceptionRecord,
    LabRecord,
    QuestionRecord,
    RunRecord,
    SourceRecord,
    TableRecord,
    TermRecord,
    WantedRecord,
)
from evidence_matrix.syntax.collector import collector_paused
from evidence_matrix.yaml_lines import Place

NOT_UTF8 = "EM001"
DUPLICATE_SOURCE = "EM302"
_KEYS = re.compile(r"^\s*@\w+\s*[{(]\s*([^\s,{}()]+)\s*(?:,|$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A matrix of all that could be read, and what could not be.

    Attributes:
        files: number of files read.
    """

    matrix: Matrix
    findings: tuple[Finding, ...]
    files: int


def load(root: Path, today: date, base: Matrix | None = None) -> Loaded:
    """Read claims, sources and chapters below `root`.

    A record that cannot be read is left out and reported; nothing is dropped without a finding.
    """
    with collector_paused():
        files = RecordFiles(root)
        matrix = _matrix(files, today, base)
        return Loaded(matrix, tuple(files.findings), files.count)


def _matrix(files: RecordFiles, today: date, base: Matrix | None) -> Matrix:
    aspects = files.mapping("claims/aspects.yaml", AspectRecord)
    subjects, claims = read_subjects(files, aspects)
    matrix = Matrix(
        root=files.root,
        today=today,
        aspects=aspects,
        terms=files.mapping("claims/terms.yaml", TermRecord),
        questions=files.mapping("claims/questions.yaml", QuestionRecord),
        labs=files.mapping("claims/labs.yaml", LabRecord),
        subjects=subjects,
        claims=claims,
        sources=_sources(files),
        disputes=files.sequence("claims/disputes.yaml", DisputeRecord),
        moved=files.names("claims/moved.yaml"),
        wanted=files.mapping("claims/wanted.yaml", WantedRecord),
        tables=_wholes(files, "claims/tables/*.yaml", TableRecord),
        exceptions=files.sequence("claims/exceptions.yaml", ExceptionRecord),
        audits=files.sequence("claims/audits.yaml", AuditRecord),
        runs=_wholes(files, "sources/runs/*/run.yaml", RunRecord),
        receipts=read_receipts(files.root),
        chapters=_chapters(files),
        base=base,
    )
    return replace(matrix, unread=frozenset(files.unread))


def _wholes(files: RecordFiles, pattern: str, model: type[ModelT]) -> dict[str, Entry[ModelT]]:
    """The records that have a file each, by its name, or by that of its folder."""
    entries = {}
    for path in files.paths(pattern):
        entry_id = path.stem if "*" in pattern.rpartition("/")[2] else path.parent.name
        entry = files.whole(path, model, entry_id)
        if entry is not None:
            entries[entry_id] = entry
    return entries


def _sources(files: RecordFiles) -> dict[str, Source]:
    sources: dict[str, Source] = {}
    for path in files.paths("sources/*.bib"):
        data = files.data(path)
        entries, findings = bibtex.read_bibtex(data, file=files.name(path))
        files.findings.extend(findings)
        if findings:
            written = _KEYS.findall(data.decode(errors="replace"))
            files.unread.update(set(written) - {entry.key for entry in entries})
        for entry in entries:
            source = _source(entry, files)
            if source is None:
                files.unread.add(entry.key)
                continue
            first = sources.setdefault(source.key, source)
            if first is not source:
                message = (
                    f"the source {source.key} stands a second time; the first is at "
                    f"{first.file}:{first.place.line}"
                )
                hint = "keep one entry a key"
                files.findings.append(source.finding(DUPLICATE_SOURCE, message, hint))
    return sources


def _source(entry: bibtex.Entry, files: RecordFiles) -> Source | None:
    fields: dict[str, Any] = dict(entry.fields)
    fields.update(key=entry.key, entry=entry.type, author=tuple(bibtex.authors(entry)))
    if "title" in fields:
        fields["title"] = bibtex.plain(fields["title"])
    if "lab" in fields:
        fields["lab"] = tuple(lab.strip() for lab in fields["lab"].split(","))
    place = Place(entry.line, 1)
    lines = {name: Place(entry.lines.get(name, entry.line), 1) for name in fields}
    node = Fields(fields, lines)
    record = files.validated(SourceRecord, node, entry.file, place)
    return None if record is None else Source(entry.key, record, entry.file, node, place)


def _chapters(files: RecordFiles) -> dict[str, str]:
    chapters = {}
    for path in files.paths("docs/chapters/**/*.md"):
        name = files.name(path)
        try:
            chapters[name] = files.data(path).decode()
        except UnicodeDecodeError as error:
            message = f"the file is not UTF-8 at byte {error.start}"
            files.report(NOT_UTF8, name, START, message, "save it as UTF-8")
    return chapters
