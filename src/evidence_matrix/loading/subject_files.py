"""The files of subjects: what claims/<lab>/<subject>.yaml says of a subject, claim by claim."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from evidence_matrix.dates import DateError
from evidence_matrix.findings import Finding, shown
from evidence_matrix.loading.faults import MISSING_FIELD, UNKNOWN_FIELD, record_findings
from evidence_matrix.loading.record_files import RecordFiles
from evidence_matrix.matrix import START, Claim, ClaimBody, Entry, Subject
from evidence_matrix.quantity import QuantityError
from evidence_matrix.records import (
    LABELS,
    SUBJECT_ID,
    AspectRecord,
    ClaimRecord,
    ConfirmedClaim,
    DisclosedClaim,
    InferredClaim,
    ReproducedClaim,
    SubjectRecord,
    UnknownClaim,
)
from evidence_matrix.values import Parsed, parse_value
from evidence_matrix.yaml_lines import Entries, Place

UNREADABLE_KEY = "EM123"
UNREADABLE_VALUE = "EM105"
UNIT = "EM106"
TWO_FILES = "EM411"

CLAIM_KEY = re.compile(
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
_NO_LABS = frozenset({"tables"})  # folders below claims/ that hold no subjects


def read_subjects(
    files: RecordFiles, aspects: Mapping[str, Entry[AspectRecord]]
) -> tuple[dict[str, Subject], dict[str, Claim]]:
    """Every subject and every claim below claims/, by id."""
    subjects: dict[str, Subject] = {}
    claims: dict[str, Claim] = {}
    for path in files.paths("claims/*/*.yaml"):
        if path.parent.name in _NO_LABS:
            continue
        node = files.yaml(path)
        if node is None:
            continue
        if not isinstance(node, Entries):
            files.not_a("`subject:` and `claims:`", node, files.name(path))
            continue
        subject = _subject(node, path, files)
        if subject is None:
            files.unread.update((path.stem, files.name(path)))
            continue
        if subject.id in subjects:
            message = (
                f"the subject {subject.id} has two files; the other is {subjects[subject.id].file}"
            )
            files.findings.append(subject.finding(TWO_FILES, message, "keep one file a subject"))
            continue
        subjects[subject.id] = subject
        claims.update((claim.id, claim) for claim in _claims(node, subject, aspects, files))
    return subjects, claims


def _subject(node: Entries, path: Path, files: RecordFiles) -> Subject | None:
    file = files.name(path)
    for key in node:
        if key not in ("subject", "claims"):
            files.report(
                UNKNOWN_FIELD,
                file,
                node.keys_at[key],
                f"there is no field `{shown(key)}` here",
                "a subject's file has `subject:` and `claims:`",
            )
    if "subject" not in node:
        files.report(
            MISSING_FIELD,
            file,
            START,
            "the field `subject` is missing",
            "start with `subject: {name: …, kind: model}`",
        )
        return None
    if not _SUBJECT.fullmatch(path.stem):
        files.report(
            UNREADABLE_KEY,
            file,
            START,
            f"the file name {shown(path.stem)!r} is no subject id",
            "use lower-case letters, digits, dots and hyphens",
        )
        return None
    place = node.keys_at["subject"]
    record = files.validated(SubjectRecord, node["subject"], file, place)
    if record is None:
        return None
    return Subject(path.stem, record, file, node["subject"], place, path.parent.name)


def _claims(
    node: Entries,
    subject: Subject,
    aspects: Mapping[str, Entry[AspectRecord]],
    files: RecordFiles,
) -> Iterator[Claim]:
    written = node.get("claims")
    if written is None:
        return
    if not isinstance(written, Entries):
        wanted = "a mapping from aspects to claims"
        files.not_a(wanted, written, subject.file, node.keys_at["claims"])
        return
    keys_at = written.keys_at
    for key, value in written.items():
        place = keys_at[key]
        match = CLAIM_KEY.fullmatch(key)
        if match is None:
            files.report(
                UNREADABLE_KEY,
                subject.file,
                place,
                f"{shown(key)!r} is no claim key",
                "write aspect, aspect/scope, aspect@reading or aspect/scope@reading, in lower case",
            )
            continue
        record = _record(value, subject.file, place, files)
        if record is None:
            files.unread.add(f"{subject.id}/{key}")
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
        yield _with_value(claim, aspects.get(aspect), files.findings)


def _record(value: Any, file: str, place: Place, files: RecordFiles) -> ClaimBody | None:
    try:
        return _CLAIM.validate_python(value)
    except ValidationError as error:
        label = value.get("label") if isinstance(value, dict) else None
        model = _CLAIM_MODELS.get(str(label))
        models = (model,) if model else tuple(_CLAIM_MODELS.values())
        files.findings.extend(record_findings(error, value, file, place, models))
        return None


def _with_value(claim: Claim, aspect: Entry[AspectRecord] | None, findings: list[Finding]) -> Claim:
    """The claim with its value read; what cannot be read, now or earlier, is a finding."""
    if aspect is None:
        return claim
    for index, before in enumerate(claim.record.earlier):
        _parsed(claim, before, aspect.record, findings, "earlier", index)
    parsed = _parsed(claim, claim.record, aspect.record, findings)
    if parsed is not None:
        object.__setattr__(claim, "parsed", parsed)  # the claim has not left this module yet
    return claim


def _parsed(
    claim: Claim,
    record: ClaimBody,
    aspect: AspectRecord,
    findings: list[Finding],
    *path: str | int,
) -> Parsed:
    written = getattr(record, "value", None)
    if written is None:
        return None
    try:
        return parse_value(written, aspect)
    except QuantityError as error:
        code = UNIT if error.is_unit else UNREADABLE_VALUE
        findings.append(claim.finding(code, str(error), error.hint, *path, "value"))
    except DateError as error:
        findings.append(claim.finding(UNREADABLE_VALUE, str(error), error.hint, *path, "value"))
    return None
