from __future__ import annotations

import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from evidence_matrix.checking import check
from evidence_matrix.labels import Label, State
from evidence_matrix.store import load

GENERATOR = Path(__file__).parents[1] / "benchmarks" / "claims_generator.py"


def generate(folder: Path, *options: str) -> dict[str, bytes]:
    """The generated files by path below the folder."""
    subprocess.run([sys.executable, str(GENERATOR), str(folder), *options], check=True)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.mark.parametrize(
    ("options", "state"), [((), State.NOT_REACHED), (("--receipts",), State.MATCHED)]
)
def test_nothing_is_wrong_with_generated_claims_of_all_labels(
    tmp_path: Path, options: tuple[str, ...], state: State
) -> None:
    generate(tmp_path, "--claims", "180", *options)
    report = check(load(tmp_path, date(2026, 11, 30)))
    assert report.findings == ()
    assert report.claims == 200
    assert all(report.labels[label] > 0 for label in Label)
    assert set(report.states) == {state}


def test_a_generated_claim_has_the_size_of_a_real_one(tmp_path: Path) -> None:
    files = generate(tmp_path, "--claims", "200")
    subjects = [data for name, data in files.items() if name.count("/") == 2 and "claims" in name]
    size = sum(len(data) for data in subjects) / 200
    assert 800 < size < 900


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    first = generate(tmp_path / "a", "--claims", "50", "--seed", "3")
    assert generate(tmp_path / "b", "--claims", "50", "--seed", "3") == first
    assert generate(tmp_path / "c", "--claims", "50", "--seed", "4") != first
