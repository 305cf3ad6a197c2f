"""Checking hands every record to every rule, applies the exceptions and counts what it judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evidence_matrix.findings import Finding, Severity, counted
from evidence_matrix.labels import Label, State
from evidence_matrix.matrix import Entry, Matrix
from evidence_matrix.receipts import state_of
from evidence_matrix.records import ExceptionRecord
from evidence_matrix.rules import Rule, Scope, all_rules
from evidence_matrix.store import Loaded
from evidence_matrix.syntax.collector import collector_paused

NOTHING_CHECKED = "EM410"
STALE_EXCEPTION = "EM412"


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found and what it looked at.

    Attributes:
        labels: number of claims by label.
        states: number of pieces of evidence by state.
        excepted: findings that an exception lets stand.
    """

    findings: tuple[Finding, ...]
    files: int
    subjects: int
    claims: int
    sources: int
    pages: int
    rules: int
    labels: Mapping[Label, int]
    states: Mapping[State, int]
    excepted: tuple[Finding, ...]

    @property
    def failed(self) -> bool:
        """Whether any finding is an error."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)

    def summary(self) -> str:
        """What was checked, by label and by state, in a few lines for people."""
        labels = " · ".join(f"{self.labels[label]} {label}" for label in Label)
        pieces = sum(self.states.values())
        states = " · ".join(
            f"{self.states[state]} {state}" for state in State if self.states[state]
        )
        lines = [
            f"checked {self.claims} claims of {self.subjects} subjects ({labels}), "
            f"{self.sources} sources, {self.pages} chapters, {self.files} files, "
            f"with {self.rules} rules",
            f"evidence: {pieces} pieces" + (f": {states}" if states else ""),
        ]
        if self.excepted:
            lines.append(f"{len(self.excepted)} findings stand by an exception with an end")
        lines.append(counted(self.findings))
        return "\n".join(lines)


def check(loaded: Loaded) -> Report:
    """Judge a loaded matrix: the findings of loading and those of every rule."""
    matrix = loaded.matrix
    rules = [rule for rule in all_rules() if rule.check is not None]
    with collector_paused():
        found = [*loaded.findings, *_run(rules, matrix)]
    kept, excepted = _apply_exceptions(found, matrix)
    if not matrix.claims:  # no exception lets this stand
        kept.append(
            Finding(
                NOTHING_CHECKED,
                Severity.ERROR,
                "claims",
                0,
                0,
                f"no claim was checked; {loaded.files} files were read",
                "give --root the folder that holds claims/ and sources/",
            )
        )
    return Report(
        findings=tuple(kept),
        files=loaded.files,
        subjects=len(matrix.subjects),
        claims=len(matrix.claims),
        sources=len(matrix.sources),
        pages=len(matrix.chapters),
        rules=len(all_rules()),
        labels=Counter(claim.label for claim in matrix.claims.values()),
        states=Counter(evidence_states(matrix)),
        excepted=tuple(excepted),
    )


def evidence_states(matrix: Matrix) -> Iterator[State]:
    """The state of every piece of evidence of every claim."""
    for claim in matrix.claims.values():
        for piece in claim.evidence:
            yield state_of(piece, claim, matrix)


def _run(rules: Iterable[Rule], matrix: Matrix) -> Iterator[Finding]:
    by_scope: dict[Scope, list[Rule]] = {scope: [] for scope in Scope}
    for rule in rules:
        by_scope[rule.scope].append(rule)
    by_label = {
        label: [rule.check for rule in by_scope[Scope.CLAIM] if label in rule.labels and rule.check]
        for label in Label
    }
    for claim in matrix.claims.values():
        if claim.record.withdrawn is None:
            for judge in by_label[claim.label]:
                yield from judge(claim, matrix)
    walks: tuple[tuple[Scope, Iterable[object]], ...] = (
        (Scope.SUBJECT, matrix.subjects.values()),
        (Scope.SOURCE, matrix.sources.values()),
        (Scope.MATRIX, (matrix,)),
        (Scope.PAGE, matrix.chapters),
    )
    for scope, items in walks:
        for item in items:
            for rule in by_scope[scope]:
                if rule.check is not None:
                    yield from rule.check(item, matrix)


def _apply_exceptions(
    findings: Iterable[Finding], matrix: Matrix
) -> tuple[list[Finding], list[Finding]]:
    used: set[str] = set()
    kept: list[Finding] = []
    excepted: list[Finding] = []
    live = [entry for entry in matrix.exceptions if entry.record.until.latest >= matrix.today]
    for finding in findings:
        match = next((entry for entry in live if _covers(entry, finding, matrix)), None)
        if match is None:
            kept.append(finding)
        else:
            used.add(match.id)
            excepted.append(finding)
    for entry in matrix.exceptions:
        if entry.id not in used:
            ended = entry.record.until.latest < matrix.today
            kept.append(
                entry.finding(
                    STALE_EXCEPTION,
                    f"the exception for {entry.record.code} at {entry.record.where} "
                    + (f"ended on {entry.record.until.latest}" if ended else "lets nothing stand"),
                    "remove it, or fix what it was for",
                    "where",
                )
            )
    return kept, excepted


def _covers(entry: Entry[ExceptionRecord], finding: Finding, matrix: Matrix) -> bool:
    if entry.record.code != finding.code:
        return False
    where = entry.record.where
    if where == finding.file:
        return True
    item: Entry[Any] | None = (
        matrix.claims.get(where) or matrix.sources.get(where) or matrix.subjects.get(where)
    )
    if item is None or item.file != finding.file:
        return False
    return _spans(item, finding.line, matrix)


def _spans(item: Entry[Any], line: int, matrix: Matrix) -> bool:
    """Whether `line` lies between the item's first line and the first line of the next one."""
    following = [
        other.place.line
        for group in (matrix.claims, matrix.sources)
        for other in group.values()
        if other.file == item.file and other.place.line > item.place.line
    ]
    return item.place.line <= line and line < min(following, default=line + 1)
