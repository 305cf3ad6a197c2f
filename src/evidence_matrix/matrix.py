"""The matrix: every record, frozen, with the place it was written at and what it links to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

from evidence_matrix.dates import DateError, PartialDate
from evidence_matrix.evidence import Evidence
from evidence_matrix.findings import Finding, Severity
from evidence_matrix.labels import Label
from evidence_matrix.quantity import Quantity, QuantityError
from evidence_matrix.receipts import Receipt
from evidence_matrix.records import (
    AspectRecord,
    AuditRecord,
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
from evidence_matrix.values import Parsed, parse_value
from evidence_matrix.yaml_lines import Entries, Items, Place

ClaimBody: TypeAlias = (
    DisclosedClaim | ConfirmedClaim | ReproducedClaim | InferredClaim | UnknownClaim
)
RecordT = TypeVar("RecordT")
START = Place(1, 1)


class Fields(dict[str, Any]):
    """The fields of a bibliography entry, and where each of them stands."""

    def __init__(self, fields: Mapping[str, Any], keys_at: Mapping[str, Place]) -> None:
        super().__init__(fields)
        self.keys_at = keys_at


def place_in(node: Any, path: tuple[str | int, ...], default: Place = START) -> Place:
    """The place of the key that `path` leads to, or of the nearest key above it that exists."""
    place = default
    for step in path:
        if isinstance(node, Entries | Fields) and isinstance(step, str) and step in node.keys_at:
            place = node.keys_at[step]
            node = node[step]
        elif isinstance(node, Items) and isinstance(step, int) and step < len(node):
            place = node.places[step]
            node = node[step]
        else:
            break
    return place


@dataclass(frozen=True, slots=True)
class Entry(Generic[RecordT]):
    """A record with its id and the place it was written at."""

    id: str
    record: RecordT
    file: str
    node: Any
    place: Place

    def finding(
        self,
        code: str,
        message: str,
        hint: str,
        *path: str | int,
        severity: Severity = Severity.ERROR,
    ) -> Finding:
        """A finding at the key that `path` leads to inside this record."""
        place = place_in(self.node, path, self.place)
        return Finding(code, severity, self.file, place.line, place.column, message, hint)


@dataclass(frozen=True, slots=True)
class Claim(Entry[ClaimBody]):
    """One answer at one place of the matrix: subject, aspect, scope and reading.

    Attributes:
        lab: id of the lab whose folder holds the subject.
        label: the label that the record carries.
        evidence: the pieces of a D or C claim, in order; empty for the others.
        parsed: the value as the aspect's kind reads it; None for U and where it could not be read.
    """

    subject: str
    aspect: str
    scope: str | None
    reading: str | None
    lab: str
    label: Label
    evidence: tuple[Evidence, ...] = ()
    parsed: Parsed = None

    @property
    def value(self) -> str | None:
        """The value as written, or None for U."""
        written = getattr(self.record, "value", None)
        return ", ".join(written) if isinstance(written, tuple) else written

    @property
    def topic(self) -> str:
        """Subject, aspect and scope: what the readings of one thing share."""
        return self.id.partition("@")[0]

    @property
    def key(self) -> str:
        """The key in the subject's file."""
        return self.id.partition("/")[2]


@dataclass(frozen=True)
class Matrix:
    """All records of a root folder. Ids are keys; nothing in it changes after loading.

    Attributes:
        root: the folder that holds claims/, sources/ and docs/.
        today: the day the records are judged on.
        runs: run records by id; their outputs lie beside them.
        receipts: what `verify` saw, by source key.
        chapters: Markdown of docs/chapters, by path below the root.
        base: the matrix of the base revision, where one was given.
        unread: ids and files of what is written and cannot be read; each has a finding.
    """

    root: Path
    today: date
    aspects: Mapping[str, Entry[AspectRecord]] = field(default_factory=dict)
    terms: Mapping[str, Entry[TermRecord]] = field(default_factory=dict)
    questions: Mapping[str, Entry[QuestionRecord]] = field(default_factory=dict)
    labs: Mapping[str, Entry[LabRecord]] = field(default_factory=dict)
    subjects: Mapping[str, Subject] = field(default_factory=dict)
    claims: Mapping[str, Claim] = field(default_factory=dict)
    sources: Mapping[str, Source] = field(default_factory=dict)
    disputes: tuple[Entry[DisputeRecord], ...] = ()
    moved: Mapping[str, Entry[str]] = field(default_factory=dict)
    wanted: Mapping[str, Entry[WantedRecord]] = field(default_factory=dict)
    tables: Mapping[str, Entry[TableRecord]] = field(default_factory=dict)
    exceptions: tuple[Entry[ExceptionRecord], ...] = ()
    audits: tuple[Entry[AuditRecord], ...] = ()
    runs: Mapping[str, Entry[RunRecord]] = field(default_factory=dict)
    receipts: Mapping[str, Receipt] = field(default_factory=dict)
    chapters: Mapping[str, str] = field(default_factory=dict)
    base: Matrix | None = None
    unread: frozenset[str] = frozenset()

    def is_unread(self, name: str) -> bool:
        """Whether a record, or its subject, is written and cannot be read.

        What refers to it is not at fault, and is not told so: its own fault is.
        """
        return name in self.unread or name.partition("/")[0] in self.unread

    @cached_property
    def readings(self) -> Mapping[str, tuple[Claim, ...]]:
        """Claims by topic (subject, aspect and scope), in the order they were written."""
        groups: dict[str, list[Claim]] = {}
        for claim in self.claims.values():
            groups.setdefault(claim.topic, []).append(claim)
        return {topic: tuple(claims) for topic, claims in groups.items()}

    @cached_property
    def claims_of_subject(self) -> Mapping[str, tuple[Claim, ...]]:
        """Claims by subject id; every subject is a key."""
        groups: dict[str, list[Claim]] = {subject: [] for subject in self.subjects}
        for claim in self.claims.values():
            groups.setdefault(claim.subject, []).append(claim)
        return {subject: tuple(claims) for subject, claims in groups.items()}

    @cached_property
    def claims_of_aspect(self) -> Mapping[str, tuple[Claim, ...]]:
        """Claims by aspect id; every aspect is a key."""
        groups: dict[str, list[Claim]] = {aspect: [] for aspect in self.aspects}
        for claim in self.claims.values():
            groups.setdefault(claim.aspect, []).append(claim)
        return {aspect: tuple(claims) for aspect, claims in groups.items()}

    @cached_property
    def claims_of_source(self) -> Mapping[str, tuple[Claim, ...]]:
        """Claims by each source that they cite, read through or searched."""
        groups: dict[str, dict[str, Claim]] = {source: {} for source in self.sources}
        for claim in self.claims.values():
            for key in cited_sources(claim.record):
                groups.setdefault(key, {})[claim.id] = claim
        return {source: tuple(claims.values()) for source, claims in groups.items()}

    @cached_property
    def disputes_of_claim(self) -> Mapping[str, tuple[Entry[DisputeRecord], ...]]:
        """Disputes by each claim that they link."""
        groups: dict[str, list[Entry[DisputeRecord]]] = {}
        for dispute in self.disputes:
            for claim in dispute.record.claims:
                groups.setdefault(claim, []).append(dispute)
        return {claim: tuple(disputes) for claim, disputes in groups.items()}

    @cached_property
    def members(self) -> Mapping[str, tuple[Subject, ...]]:
        """Subjects by the family they are part of."""
        groups: dict[str, list[Subject]] = {}
        for subject in self.subjects.values():
            if subject.record.part_of:
                groups.setdefault(subject.record.part_of, []).append(subject)
        return {family: tuple(members) for family, members in groups.items()}

    @cached_property
    def term_names(self) -> Mapping[str, str]:
        """Term id by every name it goes under, case folded."""
        names: dict[str, str] = {}
        for term_id, term in self.terms.items():
            record = term.record
            for name in (term_id, record.name, record.expansion, *record.aliases):
                if name:
                    names.setdefault(name.casefold(), term_id)
        return names

    def public_of(self, claim: Claim) -> PartialDate | None:
        """Since when the world could know the claim; None where nobody says.

        An inference is as late as its latest premise; a search is as late as the day it was made.
        """
        return public_date(claim.record, self.claims)

    def at(self, day: date) -> Matrix:
        """The matrix as it could be known on `day`: for each place the answer of that day."""
        claims: dict[str, Claim] = {}
        for claim in self.claims.values():
            answer = self.answer_at(claim, day)
            if answer is not None:
                claims[claim.id] = answer
        kept = tuple(d for d in self.disputes if all(c in claims for c in d.record.claims))
        return replace(self, today=day, claims=claims, disputes=kept, chapters={})

    def answer_at(self, claim: Claim, day: date) -> Claim | None:
        """The first of the claim and its earlier answers that held on `day`; None if none did."""
        if claim.record.withdrawn is not None:
            return None
        for record in (claim.record, *claim.record.earlier):
            since = public_date(record, self.claims)
            if since is None or since.latest > day:
                continue
            if record.until is not None and record.until.latest < day:
                continue
            return claim if record is claim.record else self.then(claim, record)
        return None

    def turns(self, claim: Claim) -> Iterator[date]:
        """The days on which the answer at the claim's place may change."""
        for record in (claim.record, *claim.record.earlier):
            since = public_date(record, self.claims)
            if since is not None:
                yield since.latest
            if record.until is not None:
                yield record.until.latest + timedelta(days=1)

    def then(self, claim: Claim, record: ClaimBody) -> Claim:
        """The claim with one of its earlier answers in place of the present one."""
        return replace(
            claim,
            record=record,
            label=Label(record.label),
            evidence=getattr(record, "evidence", ()),
            parsed=self._parsed(record, claim.aspect),
        )

    def _parsed(self, record: ClaimBody, aspect: str) -> Parsed:
        written = getattr(record, "value", None)
        if written is None or aspect not in self.aspects:
            return None
        try:
            return parse_value(written, self.aspects[aspect].record)
        except (QuantityError, DateError):
            return None  # the loader has said so


@dataclass(frozen=True, slots=True)
class Subject(Entry[SubjectRecord]):
    """What claims are about: a model, family, method, framework, system or data set."""

    lab: str = ""

    @property
    def name(self) -> str:
        """The name as people write it."""
        return self.record.name


@dataclass(frozen=True, slots=True)
class Source(Entry[SourceRecord]):
    """A bibliography entry."""

    @property
    def key(self) -> str:
        """The citation key."""
        return self.id

    @property
    def is_pinned(self) -> bool:
        """Whether the text cannot move under the claim: a version or a hash is given."""
        return bool(self.record.version or self.record.sha256)


def cited_sources(record: ClaimBody) -> Iterator[str]:
    """Keys of the sources a claim cites, was read in or searched, in order, perhaps repeated."""
    for piece in getattr(record, "evidence", ()):
        yield piece.source
        if piece.via:
            yield piece.via
    if isinstance(record, UnknownClaim):
        yield from record.looked_in
    for before in record.earlier:
        yield from cited_sources(before)


def public_date(record: ClaimBody, claims: Mapping[str, Claim]) -> PartialDate | None:
    """The public date of a record, worked out from its premises where it is an inference."""
    return _public_date(record, claims, frozenset())


def _public_date(
    record: ClaimBody, claims: Mapping[str, Claim], above: frozenset[str]
) -> PartialDate | None:
    if record.public is not None:
        return record.public
    if isinstance(record, InferredClaim):
        dates = []
        for premise in record.premises.values():
            if premise in claims and premise not in above:
                dates.append(_public_date(claims[premise].record, claims, above | {premise}))
        known = [day for day in dates if day is not None]
        return max(known, key=lambda day: day.latest) if known else record.checked
    return record.checked


def part_above_whole(matrix: Matrix, part: str, whole: str) -> Iterator[tuple[Claim, Claim]]:
    """Pairs of claims of one subject and scope where the part is surely larger than the whole."""
    for topic, readings in matrix.readings.items():
        subject, _, key = topic.partition("/")
        aspect, slash, scope = key.partition("/")
        if aspect != part:
            continue
        for small in readings:
            for large in matrix.readings.get(f"{subject}/{whole}{slash}{scope}", ()):
                a, b = small.parsed, large.parsed
                if not isinstance(a, Quantity) or not isinstance(b, Quantity):
                    continue
                if a.low is not None and b.high is not None and a.low > b.high:
                    yield small, large
