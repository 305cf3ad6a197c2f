"""The real record: no error, receipts that fit, and everything there that it promises to cover."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from evidence_matrix.checking import Report, check
from evidence_matrix.commands import git
from evidence_matrix.exports import claims_json
from evidence_matrix.findings import Severity
from evidence_matrix.matrix import Matrix
from evidence_matrix.objectives.catalog import entries
from evidence_matrix.receipts import faults_of
from evidence_matrix.records import RunRecord
from evidence_matrix.store import Loaded, load
from evidence_matrix.views import all_pages

pytestmark = pytest.mark.integration
ROOT = Path(__file__).parents[1]
COVERAGE: Mapping[str, Any] = yaml.safe_load((ROOT / "tests/coverage.yaml").read_text())
SYSTEMS = [(lab, system) for lab, systems in COVERAGE["systems"].items() for system in systems]


@pytest.fixture(scope="session")
def record() -> Loaded:
    said = (git(ROOT, "log", "-1", "--format=%cs") or "").strip()
    return load(ROOT, date.fromisoformat(said) if said else date.today())


@pytest.fixture(scope="session")
def report(record: Loaded) -> Report:
    return check(record)


@pytest.fixture(scope="session")
def shown(record: Loaded) -> set[str]:
    """What the pages of the record show."""
    return {target for page in all_pages(record.matrix) for target in page.shows}


@pytest.fixture(scope="session")
def matrix(record: Loaded) -> Matrix:
    return record.matrix


def test_check_finds_no_error(report: Report) -> None:
    errors = [f for f in report.findings if f.severity is Severity.ERROR]
    assert not [f"{f.file}:{f.line} {f.code} {f.message}" for f in errors]


def test_every_receipt_fits(matrix: Matrix) -> None:
    assert matrix.receipts
    faults = [
        f"{key}: {fault}"
        for key, receipt in matrix.receipts.items()
        for fault, _ in faults_of(receipt, ROOT, matrix)
    ]
    assert not faults


def test_most_evidence_was_compared_with_bytes(report: Report) -> None:
    """Each state is counted; what was matched outweighs what was not reached."""
    states = {state.value: number for state, number in report.states.items()}
    assert sum(states.values()) > 1000
    assert states.get("failed", 0) == 0
    assert states["matched"] > states.get("not reached", 0) + states.get("unpinned", 0)


@pytest.mark.parametrize("lab", COVERAGE["systems"])
def test_a_lab_is_there(matrix: Matrix, shown: set[str], lab: str) -> None:
    assert lab in matrix.labs
    assert f"lab:{lab}" in shown


@pytest.mark.parametrize(("lab", "system"), SYSTEMS)
def test_a_system_has_a_file_and_claims_or_a_document_to_read(
    matrix: Matrix, lab: str, system: str
) -> None:
    assert system in matrix.subjects, f"claims/{lab}/{system}.yaml is missing"
    subject = matrix.subjects[system]
    assert lab in (subject.lab, *subject.record.coauthors)
    wanted = [key for key, entry in matrix.wanted.items() if system in entry.record.subjects]
    members = matrix.members.get(system, ())
    has_claims = any(matrix.claims_of_subject[s.id] for s in (subject, *members))
    assert has_claims or wanted


@pytest.mark.parametrize("table", COVERAGE["tables"])
def test_a_table_is_where_it_should_be(matrix: Matrix, shown: set[str], table: str) -> None:
    where = COVERAGE["tables"][table]
    if isinstance(where, str):
        assert where in shown
        return
    text = matrix.chapters[f"docs/chapters/{where['chapter']}.md"]
    sections = re.split(r"^#+ (.+)$", text, flags=re.MULTILINE)
    bodies = dict(zip(sections[1::2], sections[2::2], strict=True))
    rows = [line for line in bodies[where["heading"]].split("\n") if line.startswith("|")]
    assert len(rows) > 3, "a head, a rule and two rows at least"


@pytest.mark.parametrize("figure", COVERAGE["figures"])
def test_a_figure_is_drawn(shown: set[str], figure: str) -> None:
    assert f"figure:{figure}" in shown


@pytest.mark.parametrize("chapter", COVERAGE["chapters"])
def test_a_chapter_is_there(matrix: Matrix, chapter: str) -> None:
    assert f"docs/chapters/{chapter}.md" in matrix.chapters


@pytest.mark.parametrize("objective", COVERAGE["objectives"])
def test_an_objective_is_there(objective: str, shown: set[str]) -> None:
    assert objective in {entry.id for entry in entries()}
    assert f"objective:{objective}" in shown


def test_every_run_is_recorded_whole(matrix: Matrix) -> None:
    assert matrix.runs
    for run_id, entry in matrix.runs.items():
        record: RunRecord = entry.record
        assert record.id == run_id
        assert record.does_not_show.endswith(".")
        for output in record.outputs:
            assert (ROOT / "sources/runs" / run_id / output.path).is_file()


def test_the_exported_record_is_what_its_schema_says(matrix: Matrix, tmp_path: Path) -> None:
    content, schema = (
        json.loads(p.read_text("utf-8")) for p in claims_json.write(matrix, tmp_path)
    )
    Draft202012Validator(schema).validate(content)
    assert len(content["claims"]) == len(matrix.claims)
