"""Loading: from the files of a root folder to a frozen matrix, with every fault at its line."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from evidence_matrix import bibtex
from evidence_matrix.dates import DateError, parse_date
from evidence_matrix.faults import record_findings
from evidence_matrix.findings import Finding, Severity, shown
from evidence_matrix.matrix import (
    Claim,
    ClaimBody,
    Entry,
    Fields,
    Matrix,
    Parsed,
    Source,
    Subject,
)
from evidence_matrix.quantity import QuantityError, parse_quantity
from evidence_matrix.receipts import read_receipts
from evidence_matrix.records import (
    LABELS,
    SUBJECT_ID,
    AspectRecord,
    ClaimRecord,
    ConfirmedClaim,
    DisclosedClaim,
    DisputeRecord,
    ExceptionRecord,
    InferredClaim,
    LabRecord,
    QuestionRecord,
    ReproducedClaim,
    RunRecord,
    SourceRecord,
    SubjectRecord,
    TableRecord,
    TermRecord,
    UnknownClaim,
    WantedRecord,
)
from evidence_matrix.yaml_lines import Entries, Items, Place, read_yaml

UNREADABLE_KEY = "EM123"
UNREADABLE_VALUE = "EM105"
UNIT = "EM106"

_CLAIM_KEY = re.compile(
    r"(?P<aspect>[a-z][a-z0-9_]*(?:\.[a-z0-9_-]+)*)"
    r"(?:/(?P<scope>[a-z0-9][a-z0-9._-]*))?(?:@(?P<reading>[a-z0-9][a-z0-9._-]*))?"
)
_SUBJECT = re.compile(SUBJECT_ID)
_CLAIM = TypeAdapter[ClaimBody](ClaimRecord)
_CLAIM_MODELS: Mapping[str, type[BaseModel]] = {
    "D": DisclosedClaim,
    "C": ConfirmedClaim,
    "R": ReproducedClaim,
    "I": InferredClaim,
    "U": UnknownClaim,
}
_ModelT = TypeVar("_ModelT", bound=BaseModel)


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
        return _Reader(root).read(today, base)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pauses the cyclic collector while many objects are made that are all kept."""
    # All records are kept, so that the cyclic collector only walks them again and again.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class _Reader:
    """One reading of a root folder; collects findings and counts files."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.findings: list[Finding] = []
        self.files = 0

    def read(self, today: date, base: Matrix | None) -> Loaded:
        aspects = self._mapping("claims/aspects.yaml", AspectRecord)
        labs = self._mapping("claims/labs.yaml", LabRecord)
        subjects, claims = self._subjects(labs, aspects)
        matrix = Matrix(
            root=self.root,
            today=today,
            aspects=aspects,
            terms=self._mapping("claims/terms.yaml", TermRecord),
            questions=self._mapping("claims/questions.yaml", QuestionRecord),
            labs=labs,
            subjects=subjects,
            claims=claims,
            sources=self._sources(),
            disputes=self._list("claims/disputes.yaml", DisputeRecord),
            moved=self._moved(),
            wanted=self._mapping("claims/wanted.yaml", WantedRecord),
            tables={
                path.stem: entry
                for path in self._files("claims/tables/*.yaml")
                if (entry := self._whole(path, TableRecord)) is not None
            },
            exceptions=self._list("claims/exceptions.yaml", ExceptionRecord),
            runs={
                path.parent.name: replace(run, id=path.parent.name)
                for path in self._files("sources/runs/*/run.yaml")
                if (run := self._whole(path, RunRecord)) is not None
            },
            receipts=read_receipts(self.root),
            chapters=self._chapters(),
            base=base,
        )
        return Loaded(matrix, tuple(self.findings), self.files)

    def _files(self, pattern: str) -> list[Path]:
        return sorted(path for path in self.root.glob(pattern) if path.is_file())

    def _name(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()

    def _yaml(self, path: Path) -> Any:
        self.files += 1
        node, findings = read_yaml(path.read_bytes(), file=self._name(path))
        self.findings.extend(findings)
        return node

    def _validated(
        self, model: type[_ModelT], node: Any, file: str, place: Place
    ) -> _ModelT | None:
        try:
            return model.model_validate(node)
        except ValidationError as error:
            self.findings.extend(record_findings(error, node, file, place, (model,)))
            return None

    def _shape(self, file: str, place: Place, wanted: str, node: Any) -> None:
        what = "one piece of text"
        if isinstance(node, dict | list):
            what = "a mapping" if isinstance(node, dict) else "a list"
        self.findings.append(
            Finding(
                "EM012",
                Severity.ERROR,
                file,
                place.line,
                place.column,
                f"the file holds {what if node is not None else 'nothing'}",
                f"write {wanted}",
            )
        )

    def _mapping(self, name: str, model: type[_ModelT]) -> dict[str, Entry[_ModelT]]:
        path = self.root / name
        entries: dict[str, Entry[_ModelT]] = {}
        if not path.is_file():
            return entries
        node = self._yaml(path)
        if not isinstance(node, Entries):
            if node is not None:
                self._shape(name, Place(1, 1), "a mapping from ids to records", node)
            return entries
        for key, value in node.items():
            place = node.keys_at[key]
            record = self._validated(model, value, name, place)
            if record is not None:
                entries[key] = Entry(key, record, name, value, place)
        return entries

    def _list(self, name: str, model: type[_ModelT]) -> tuple[Entry[_ModelT], ...]:
        path = self.root / name
        if not path.is_file():
            return ()
        node = self._yaml(path)
        if not isinstance(node, Items):
            if node is not None:
                self._shape(name, Place(1, 1), "a list of records, each after `- `", node)
            return ()
        entries = []
        for index, value in enumerate(node):
            place = node.places[index]
            record = self._validated(model, value, name, place)
            if record is not None:
                entries.append(Entry(f"{name}#{index + 1}", record, name, value, place))
        return tuple(entries)

    def _whole(self, path: Path, model: type[_ModelT]) -> Entry[_ModelT] | None:
        node = self._yaml(path)
        if node is None:
            return None
        record = self._validated(model, node, self._name(path), Place(1, 1))
        if record is None:
            return None
        return Entry(path.stem, record, self._name(path), node, Place(1, 1))

    def _moved(self) -> dict[str, Entry[str]]:
        name = "claims/moved.yaml"
        path = self.root / name
        node = self._yaml(path) if path.is_file() else None
        if not isinstance(node, Entries):
            return {}
        return {
            old: Entry(old, str(new), name, node, node.keys_at[old]) for old, new in node.items()
        }

    def _subjects(
        self, labs: Mapping[str, Any], aspects: Mapping[str, Entry[AspectRecord]]
    ) -> tuple[dict[str, Subject], dict[str, Claim]]:
        subjects: dict[str, Subject] = {}
        claims: dict[str, Claim] = {}
        reserved = {"tables"}
        for path in self._files("claims/*/*.yaml"):
            lab = path.parent.name
            if lab in reserved:
                continue
            node = self._yaml(path)
            if node is None:
                continue
            file = self._name(path)
            if not isinstance(node, Entries):
                self._shape(file, Place(1, 1), "`subject:` and `claims:`", node)
                continue
            subject = self._subject(node, path, lab)
            if subject is None:
                continue
            if subject.id in subjects:
                self.findings.append(
                    subject.finding(
                        "EM411",
                        f"the subject {subject.id} has two files; the other is "
                        f"{subjects[subject.id].file}",
                        "keep one file a subject",
                    )
                )
                continue
            subjects[subject.id] = subject
            for claim in self._claims(node, subject, aspects):
                claims[claim.id] = claim
        del labs
        return subjects, claims

    def _subject(self, node: Entries, path: Path, lab: str) -> Subject | None:
        file = self._name(path)
        unknown = [key for key in node if key not in ("subject", "claims")]
        for key in unknown:
            place = node.keys_at[key]
            self.findings.append(
                Finding(
                    "EM010",
                    Severity.ERROR,
                    file,
                    place.line,
                    place.column,
                    f"there is no field `{shown(key)}` here",
                    "a subject's file has `subject:` and `claims:`",
                )
            )
        if "subject" not in node:
            self.findings.append(
                Finding(
                    "EM011",
                    Severity.ERROR,
                    file,
                    1,
                    1,
                    "the field `subject` is missing",
                    "start with `subject: {name: …, kind: model}`",
                )
            )
            return None
        place = node.keys_at["subject"]
        if not _SUBJECT.fullmatch(path.stem):
            self.findings.append(
                Finding(
                    UNREADABLE_KEY,
                    Severity.ERROR,
                    file,
                    1,
                    1,
                    f"the file name {shown(path.stem)!r} is no subject id",
                    "use lower-case letters, digits, dots and hyphens",
                )
            )
            return None
        record = self._validated(SubjectRecord, node["subject"], file, place)
        if record is None:
            return None
        return Subject(path.stem, record, file, node["subject"], place, lab)

    def _claims(
        self, node: Entries, subject: Subject, aspects: Mapping[str, Entry[AspectRecord]]
    ) -> Iterator[Claim]:
        written = node.get("claims")
        if written is None:
            return
        if not isinstance(written, Entries):
            place = node.keys_at["claims"]
            self._shape(subject.file, place, "a mapping from aspects to claims", written)
            return
        for key, value in written.items():
            place = written.keys_at[key]
            match = _CLAIM_KEY.fullmatch(key)
            if match is None:
                self.findings.append(_key_finding(key, subject.file, place))
                continue
            try:
                record = _CLAIM.validate_python(value)
            except ValidationError as error:
                label = value.get("label") if isinstance(value, dict) else None
                model = _CLAIM_MODELS.get(str(label))
                models = (model,) if model else tuple(_CLAIM_MODELS.values())
                self.findings.extend(record_findings(error, value, subject.file, place, models))
                continue
            aspect, scope, reading = match.group("aspect", "scope", "reading")
            claim = Claim(
                f"{subject.id}/{key}",
                record,
                subject.file,
                value,
                place,
                subject.id,
                aspect,
                scope,
                reading,
                subject.lab,
                LABELS[record.label],
                getattr(record, "evidence", ()),
            )
            yield self._with_value(claim, aspects.get(aspect))

    def _with_value(self, claim: Claim, aspect: Entry[AspectRecord] | None) -> Claim:
        written = getattr(claim.record, "value", None)
        if written is None or aspect is None:
            return claim
        try:
            parsed = parse_value(written, aspect.record)
        except QuantityError as error:
            code = UNIT if error.is_unit else UNREADABLE_VALUE
            self.findings.append(claim.finding(code, str(error), error.hint, "value"))
            return claim
        except DateError as error:
            self.findings.append(claim.finding(UNREADABLE_VALUE, str(error), error.hint, "value"))
            return claim
        object.__setattr__(claim, "parsed", parsed)  # the claim has not left this function yet
        return claim

    def _sources(self) -> dict[str, Source]:
        sources: dict[str, Source] = {}
        for path in self._files("sources/*.bib"):
            self.files += 1
            file = self._name(path)
            entries, findings = bibtex.read_bibtex(path.read_bytes(), file=file)
            self.findings.extend(findings)
            for entry in entries:
                source = self._source(entry)
                if source is None:
                    continue
                if source.key in sources:
                    first = sources[source.key]
                    self.findings.append(
                        source.finding(
                            "EM302",
                            f"the source {source.key} stands a second time; the first is at "
                            f"{first.file}:{first.place.line}",
                            "keep one entry a key",
                        )
                    )
                    continue
                sources[source.key] = source
        return sources

    def _source(self, entry: bibtex.Entry) -> Source | None:
        fields: dict[str, Any] = dict(entry.fields)
        title = bibtex.plain(fields.get("title", "")) if "title" in fields else None
        fields.update(key=entry.key, entry=entry.type)
        if title is not None:
            fields["title"] = title
        fields["author"] = tuple(bibtex.authors(entry))
        if "lab" in fields:
            fields["lab"] = tuple(lab.strip() for lab in fields["lab"].split(","))
        place = Place(entry.line, 1)
        lines = {name: Place(entry.lines.get(name, entry.line), 1) for name in fields}
        node = Fields(fields, lines)
        record = self._validated(SourceRecord, node, entry.file, place)
        return None if record is None else Source(entry.key, record, entry.file, node, place)

    def _chapters(self) -> dict[str, str]:
        chapters = {}
        for path in self._files("docs/chapters/**/*.md"):
            self.files += 1
            try:
                chapters[self._name(path)] = path.read_bytes().decode()
            except UnicodeDecodeError as error:
                self.findings.append(
                    Finding(
                        "EM001",
                        Severity.ERROR,
                        self._name(path),
                        1,
                        1,
                        f"the file is not UTF-8 at byte {error.start}",
                        "save it as UTF-8",
                    )
                )
        return chapters


def parse_value(written: str | tuple[str, ...], aspect: AspectRecord) -> Parsed:
    """The value as the aspect's kind reads it.

    Raises:
        QuantityError: a quantity cannot be read, or its unit is not the aspect's.
        DateError: a date cannot be read.
    """
    if aspect.kind == "quantity":
        if isinstance(written, tuple):
            raise QuantityError(
                "a list where one quantity belongs",
                "write one quantity; several are several claims, each with a scope",
            )
        return parse_quantity(written, aspect.unit, aspect.also)
    if aspect.kind == "date":
        return parse_date(written if isinstance(written, str) else ", ".join(written))
    if isinstance(written, tuple):
        return written
    return (written,) if aspect.kind == "term" else written


def _key_finding(key: str, file: str, place: Place) -> Finding:
    return Finding(
        UNREADABLE_KEY,
        Severity.ERROR,
        file,
        place.line,
        place.column,
        f"{shown(key)!r} is no claim key",
        "write aspect, aspect/scope, aspect@reading or aspect/scope@reading, in lower case",
    )
