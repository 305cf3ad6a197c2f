"""The records people write: claims of five labels, subjects, vocabulary, disputes and sources."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, InstanceOf, WithJsonSchema

from evidence_matrix.dates import PartialDate, parse_date
from evidence_matrix.evidence import Evidence, Record, Texts
from evidence_matrix.labels import UNKNOWN_IN_WORDS, Label
from evidence_matrix.quantity import Quantity, parse_quantity

CLAIM_ID = r"[a-z0-9][a-z0-9.-]*/[a-z][a-z0-9_.-]*(/[a-z0-9][a-z0-9.-]*)?(@[a-z0-9][a-z0-9.-]*)?"
SUBJECT_ID = r"[a-z0-9][a-z0-9.-]*"


_parse_date = lru_cache(maxsize=8192)(
    parse_date
)  # a record has few days, and many records the same


def _date(value: Any) -> Any:
    return _parse_date(value) if isinstance(value, str) else value


def _quantity(value: Any) -> Any:
    return parse_quantity(value) if isinstance(value, str) else value


_DATE = r"^(by )?[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$"
Date = Annotated[
    InstanceOf[PartialDate],
    BeforeValidator(_date),
    WithJsonSchema({"type": "string", "pattern": _DATE}),
]
AtLeast = Annotated[InstanceOf[Quantity], BeforeValidator(_quantity)]


class Withdrawal(Record):
    """A mistake of ours: gone for every day, with the day and the reason."""

    on: Date
    reason: str


class Protocol(Record):
    """How a benchmark score came about; what the source does not say is `not stated`."""

    by: str
    harness: str
    effort: str
    samples: str
    tools: str


class _Claim(Record):
    means: str | None = None
    statement: str | None = None
    note: str | None = None
    public: Date | None = None
    checked: Date | None = None
    until: Date | None = None
    withdrawn: Withdrawal | None = None
    protocol: Protocol | None = None
    earlier: Annotated[tuple[ClaimRecord, ...], Field(strict=False)] = ()


Value = str | Texts
Pieces = Annotated[tuple[Evidence, ...], Field(strict=False)]


class DisclosedClaim(_Claim):
    """D: a primary source says it."""

    label: Literal["D"]
    value: Value
    evidence: Pieces = ()


class ConfirmedClaim(_Claim):
    """C: visible in released weights, configuration or code."""

    label: Literal["C"]
    value: Value
    evidence: Pieces = ()


class RunReading(Record):
    """Where in the outputs of a run the value stands."""

    file: str
    at: str


class ReproducedClaim(_Claim):
    """R: this repository ran it again."""

    label: Literal["R"]
    value: Value
    run: str | None = None
    read: RunReading | None = None


class InferredClaim(_Claim):
    """I: follows from other claims and stated assumptions."""

    label: Literal["I"]
    value: Value
    premises: dict[str, str] = Field(default_factory=dict)
    formula: str | None = None
    assumes: Texts = ()
    because: str | None = None


class Hit(Record):
    """A judged hit of a search: the term occurs, and why that is not the answer."""

    source: str
    term: str
    count: str
    judged: str


class UnknownClaim(_Claim):
    """U: looked for and not found. It has no value field."""

    label: Literal["U"]
    looked_for: Texts = ()
    looked_in: Texts = ()
    reason: Literal["absent", "ambiguous", "contradictory", "not verifiable"]
    next: Texts = ()
    hits: Annotated[tuple[Hit, ...], Field(strict=False)] = ()

    @property
    def in_words(self) -> str:
        """What stands in place of a value: no more than the search showed."""
        return UNKNOWN_IN_WORDS[self.reason]


ClaimRecord = Annotated[
    DisclosedClaim | ConfirmedClaim | ReproducedClaim | InferredClaim | UnknownClaim,
    Field(discriminator="label"),
]
LABELS: dict[str, Label] = {label.value: label for label in Label}

SubjectKind = Literal["model", "family", "method", "framework", "system", "dataset"]


class SubjectRecord(Record):
    """The head of a subject's file: what it is and what belongs to it."""

    name: str
    kind: SubjectKind
    aliases: Texts = ()
    part_of: str | None = None
    coauthors: Texts = ()
    base: str | Texts | None = None
    scopes: dict[str, str] = Field(default_factory=dict)
    not_applicable: Texts = ()
    summary: str | None = None


class AspectRecord(Record):
    """A thing one can disclose: its title, kind of value, unit and what counts."""

    title: str
    group: str
    kind: Literal["quantity", "date", "text", "term", "reference"]
    unit: str | None = None
    also: Texts = ()
    counts: str
    core: Literal["yes", "no"] = "no"


class TermRecord(Record):
    """A controlled term: what it is called and what it says in one sentence."""

    name: str
    expansion: str | None = None
    aliases: Texts = ()
    sentence: str
    objective: str | None = None


class LabRecord(Record):
    """A company or group that discloses."""

    name: str
    aliases: Texts = ()
    country: str | None = None
    site: str | None = None


class QuestionRecord(Record):
    """What a reader asks of a kind of subject, mapped to aspects that answer it."""

    title: str
    group: str
    asks: Texts
    aspects: Texts


class DisputeRecord(Record):
    """Claims that do not agree, or that are easily confused, and our ruling on why."""

    claims: Texts
    kind: Literal["rounding", "counting", "variant", "later", "error", "open"]
    reason: str
    on: Date


class WantedRecord(Record):
    """A primary document that nobody here has read yet."""

    title: str
    lab: str
    url: str | None = None
    why: str
    subjects: Texts = ()


class ColumnRecord(Record):
    """A column of a matrix table, a station of a figure or a kind of event: which claims it takes.

    Attributes:
        title: how it is headed.
        aspects: aspects it takes; none means the whole vocabulary.
        scopes: takes claims of these scopes alone; "" stands for none, and the first goes without
            saying.
        core: takes claims of core aspects alone.
        labels: takes claims with these labels alone.
        terms: takes claims whose value names one of these controlled terms.
        words: takes texts that hold one of these words, or a word that begins so, and dates that
            mean such a thing; quantities are taken whatever they are.
        at_least: takes quantities that are surely no smaller.
        show: every claim, the earliest alone, or how many of the row's models disclose it.
        most: how many claims one cell shows before it points to the rest.
        note: what stands there, in one sentence of our own.
        mark: its shape on an axis of time.
        role: in bars, a sum; a main stage, or one inside it; a further stage that a sum takes in;
            what a sum takes in from before; what comes after and is never added; or not drawn.
        tone: its tone in bars.
    """

    title: str
    aspects: Texts = ()
    scopes: Texts = ()
    core: Literal["yes", "no"] = "no"
    labels: Texts = ()
    terms: Texts = ()
    words: Texts = ()
    at_least: AtLeast | None = None
    show: Literal["claims", "first", "count"] = "claims"
    most: Annotated[str, Field(pattern=r"^[1-9][0-9]?$")] = "4"
    note: str | None = None
    mark: Literal["release", "weights", "report", "api", "variant", "alias", "code"] = "release"
    role: Literal["total", "main", "inner", "further", "before", "after", "aside"] = "further"
    tone: Literal["1", "2", "3", "4"] = "1"


Figure = Literal[
    "timeline", "bars", "lineage", "factory", "line", "loop", "stack", "spans", "ladder"
]


class TableRecord(Record):
    """A matrix table, or a figure drawn from one: rows of labs or subjects against columns.

    Attributes:
        caption: what the table shows, in one line; `lede` says how to read it.
        rows: ids of subjects or labs; none means all that have a claim in a column.
        rows_are: subjects, labs, the latest subject of each lab, or the claims themselves.
        kinds: takes subjects of these kinds alone.
        columns: which claims stand where; the timeline of one lab may take those of all labs.
        dated_by: aspects whose dates say when a subject came; the earliest counts.
        order: rows as listed or filed, by lab, or newest first.
        draw: the figure that is drawn; none prints the table.
        lanes: lanes of an axis of time, each with its subjects; the rest get a lane of their own.
    """

    title: str
    caption: str
    lede: str | None = None
    note: str | None = None
    rows: Texts = ()
    rows_are: Literal["subjects", "labs", "latest", "claims"] = "subjects"
    kinds: Texts = ()
    dated_by: Texts = ()
    columns: Annotated[tuple[ColumnRecord, ...], Field(strict=False)] = ()
    order: Literal["listed", "lab", "newest"] = "listed"
    draw: Figure | None = None
    lanes: dict[str, Texts] = Field(default_factory=dict)


class OutputRecord(Record):
    """A file that a run wrote, beside its run.yaml."""

    path: str
    sha256: str


class RunRecord(Record):
    """A run of this repository: how it was made, what it wrote, and what it does not show."""

    id: str
    title: str
    command: str
    code: OutputRecord
    seeds: Texts
    environment: dict[str, str]
    hardware: dict[str, str]
    tolerance: str
    outputs: Annotated[tuple[OutputRecord, ...], Field(strict=False)]
    question: str
    prediction: str
    result: str
    does_not_show: str


class AuditRecord(Record):
    """A reading of drawn claims against their sources by somebody who did not write them.

    Attributes:
        drawn: how the claims were chosen, so that the draw can be made again.
        read: number of claims read.
        errors: number that were wrong: another subject, variant, quantity or bound, or no support.
        minors: number that were right and could be clearer.
    """

    on: Date
    drawn: str
    read: str
    errors: str
    minors: str
    note: str


class ExceptionRecord(Record):
    """A finding that is allowed to stand, with a reason and an end."""

    code: str
    where: str
    reason: str
    until: Date


class SourceRecord(Record):
    """A bibliography entry: one file, page or package.

    Attributes:
        lab: ids of the labs that publish it, comma separated in the entry.
        version: arXiv version, 40-hex commit or package version.
        sha256: hash of the file's bytes, 64 hex digits.
        copy: `owner/repo@commit:path` where the bytes were had.
        of: for a transcription, the key of the official document.
        whole: whether the text that can be had is the whole document.
    """

    key: str
    entry: str
    title: str
    author: Texts = ()
    lab: Texts
    kind: Literal[
        "paper",
        "report",
        "model_card",
        "system_card",
        "repo_readme",
        "config",
        "code",
        "licence",
        "release_note",
        "changelog",
        "blog",
        "docs",
        "package",
        "transcription",
    ]
    date: Date | None = None
    url: str | None = None
    doi: str | None = None
    eprint: str | None = None
    version: str | None = None
    retrieved: Date | None = None
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    bytes: str | None = None
    media: str | None = None
    licence: str | None = None
    copy_of_bytes: Annotated[str | None, Field(alias="copy")] = None
    of: str | None = None
    note: str | None = None
    whole: Literal["yes", "no"] = "yes"
