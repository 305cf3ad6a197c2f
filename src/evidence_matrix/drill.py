"""A drill: plants faults of one kind wherever they fit and counts what the commands catch."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

import yaml

from evidence_matrix.checking import check
from evidence_matrix.drills import Drill, Place, all_drills
from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.pages.composer import weakest_state
from evidence_matrix.store import load

Verify = Callable[[Matrix], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Result:
    """What became of the faults of one kind.

    Attributes:
        planted: number of places where it was planted, one a run of the command or many.
        checked: how many `check` refused.
        unmatched: how many more lost their green: matched before, no longer so.
        verified: how many `verify` refused of those that `check` let through with their green or
            that never had any; None where there were none, or verify was not run.
        escaped: how many no command caught.
    """

    id: str
    title: str
    family: str
    planted: int
    checked: int
    unmatched: int
    verified: int | None
    escaped: int


def drill(
    root: Path,
    folder: Path,
    today: date,
    seed: int,
    verify: Verify | None = None,
    only: str | None = None,
) -> Iterator[Result]:
    """Plants every kind in a copy of the records below `folder`; the seed chooses how.

    A copy holds one kind of fault at every place where it fits, so that each kind costs one run
    of the command. A fault counts as caught where a finding stands within its claim, or names it.
    """
    clean = load(root, today)
    base = {_key(finding) for finding in check(clean).findings}
    matrix = clean.matrix
    green = {
        claim.id
        for claim in matrix.claims.values()
        if (state := weakest_state(claim, matrix)) is not None and state.is_checked
    }
    for kind in all_drills():
        if only not in (None, kind.id):
            continue
        chance = random.Random(f"{seed} {kind.id}")
        copy = folder / kind.id
        _copy(root, copy)
        planted = _plant(kind, matrix, copy, chance)
        spoiled = load(copy, today)
        found = [f for f in check(spoiled).findings if _key(f) not in base]
        caught = _caught(planted, found, spoiled.matrix, matrix)
        lost = {
            claim_id
            for claim_id in planted - caught
            if claim_id in green
            and not _is_green(spoiled.matrix.claims.get(claim_id), spoiled.matrix)
        }
        left = planted - caught - lost
        shutil.rmtree(copy)
        seen: set[str] | None = None
        if verify is not None and left:
            _copy(root, copy)
            _plant(kind, matrix, copy, random.Random(f"{seed} {kind.id}"), left)
            spoiled = load(copy, today)
            seen = _caught(left, verify(spoiled.matrix), spoiled.matrix, matrix)
            shutil.rmtree(copy)
        yield Result(
            id=kind.id,
            title=kind.title,
            family=kind.family,
            planted=len(planted),
            checked=len(caught),
            unmatched=len(lost),
            verified=None if seen is None else len(seen),
            escaped=len(left - (seen or set())),
        )


def as_rows(results: Iterable[Result]) -> list[dict[str, Any]]:
    """Results as plain rows, for JSON."""
    return [asdict(result) for result in results]


def _key(finding: Finding) -> tuple[str, str, str]:
    return finding.code, finding.file, finding.message


def _is_green(claim: Claim | None, matrix: Matrix) -> bool:
    state = weakest_state(claim, matrix) if claim is not None else None
    return state is not None and state.is_checked


def _copy(root: Path, copy: Path) -> None:
    copy.mkdir(parents=True)
    for name in ("claims", "sources"):
        shutil.copytree(root / name, copy / name)


def _plant(
    kind: Drill,
    matrix: Matrix,
    copy: Path,
    chance: random.Random,
    only: set[str] | None = None,
) -> set[str]:
    """Spoils claims in the files of a copy, all that fit or those of them that are named."""
    planted: set[str] = set()
    for subject in matrix.subjects.values():
        record = {"subject": subject.node, "claims": {}}
        touched = False
        for claim in matrix.claims_of_subject[subject.id]:
            node = deepcopy(_plain(claim.node))
            spoiled = not claim.record.withdrawn and kind.plant(node, Place(claim, matrix, chance))
            if spoiled and (only is None or claim.id in only):
                planted.add(claim.id)
                touched = True
            else:
                node = _plain(claim.node)
            record["claims"][claim.key] = node
        if touched:
            text = yaml.safe_dump(
                {"subject": _plain(record["subject"]), "claims": record["claims"]},
                sort_keys=False,
                allow_unicode=True,
                width=10_000,
            )
            (copy / subject.file).write_text(text, encoding="utf-8")
    return planted


def _plain(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: _plain(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_plain(value) for value in node]
    return node


def _caught(
    planted: set[str], found: Iterable[Finding], spoiled: Matrix, clean: Matrix
) -> set[str]:
    """The planted claims that a finding stands in, or names; a warning is a finding.

    A claim that could not even be read is found at the line where its key stands in the file.
    """
    errors = list(found)
    caught: set[str] = set()
    by_file: dict[str, list[Finding]] = {}
    for finding in errors:
        by_file.setdefault(finding.file, []).append(finding)
        for word in finding.message.replace(",", " ").split():
            if word.strip("'`:") in planted:
                caught.add(word.strip("'`:"))
    for file, findings in by_file.items():
        starts = _starts(spoiled.root / file)
        for finding in findings:
            above = [key for line, key in starts if line <= finding.line]
            if above:
                subject = Path(file).stem
                claim_id = f"{subject}/{above[-1]}"
                if claim_id in planted and claim_id in clean.claims:
                    caught.add(claim_id)
    return caught


def _starts(path: Path) -> list[tuple[int, str]]:
    """The lines at which the claims of a planted file begin."""
    if path.suffix != ".yaml" or not path.is_file():
        return []
    starts = []
    inside = False
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if line == "claims:":
            inside = True
        elif inside and line.startswith("  ") and not line.startswith("   ") and line.endswith(":"):
            starts.append((number, line.strip()[:-1].strip("'\"")))
    return starts
