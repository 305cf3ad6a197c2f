"""What holds of every run: the same bytes twice, and a record that fits its program and outputs."""

from __future__ import annotations

import hashlib
import importlib
import json
from pathlib import Path

import pytest
import torch
import yaml

from evidence_matrix.runs.outcome import text

ROOT = Path(__file__).parents[2]
SMALL = {
    "accumulation_denominator": {"seeds": (0, 1), "steps": 2},
    "clip_entropy": {"seeds": (0,), "batches": 8, "goal": 0.34},
    "distillation_states": {"seeds": (0, 1), "steps": 3},
    "dr_grpo_length_bias": {"seeds": (0, 1), "steps": 3},
    "group_size": {"seeds": (0, 1), "batches": 3},
    "staleness": {"seeds": (0, 1), "batches": 6, "lags": (0, 2)},
}
every_program = pytest.mark.parametrize("name", sorted(SMALL))


def record(name: str) -> tuple[Path, dict]:
    folder = ROOT / "sources" / "runs" / name.replace("_", "-")
    loaded = yaml.safe_load((folder / "run.yaml").read_text(encoding="utf-8"))
    return folder, loaded


def program(name: str):
    return importlib.import_module(f"evidence_matrix.runs.{name}").program


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def paths(value: object, path: str = "$") -> set[str]:
    if not isinstance(value, dict):
        return {path}
    return {found for key, each in value.items() for found in paths(each, f"{path}.{key}")}


def test_every_program_of_the_package_is_tried():
    folder = ROOT / "src" / "evidence_matrix" / "runs"
    programs = {
        path.stem
        for path in folder.glob("*.py")
        if "def program(" in path.read_text(encoding="utf-8")
    }
    assert programs == set(SMALL)


@every_program
def test_it_gives_the_same_bytes_twice_whatever_was_drawn_before(name):
    first = text(program(name)(**SMALL[name]))
    torch.manual_seed(12345)
    torch.rand(7)
    assert text(program(name)(**SMALL[name])) == first


@every_program
def test_other_seeds_give_another_result(name):
    results = {text(program(name)(**(SMALL[name] | {"seeds": (seed,)}))) for seed in (0, 6)}
    assert len(results) == 2


@every_program
def test_outputs_are_those_that_were_recorded_and_of_the_shape_it_writes(name):
    folder, loaded = record(name)
    for output in loaded["outputs"]:
        assert sha256(folder / output["path"]) == output["sha256"]
    committed = json.loads((folder / "result.json").read_bytes())
    assert text(committed) == (folder / "result.json").read_text(encoding="utf-8")
    written = json.loads(text(program(name)(**SMALL[name])))
    lags = {"$.lag_4", "$.lag_16", "$.lag_64", "$.lag_2"}
    shape, expected = (
        {path for path in paths(each) if not path.startswith(tuple(lags))}
        for each in (written, committed)
    )
    assert shape == expected


@every_program
def test_the_record_names_the_program_as_it_is(name):
    _, loaded = record(name)
    assert loaded["id"] == name.replace("_", "-")
    assert loaded["code"]["path"] == f"src/evidence_matrix/runs/{name}.py"
    assert loaded["code"]["sha256"] == sha256(ROOT / loaded["code"]["path"])
    assert loaded["command"] == f"python -m evidence_matrix.runs.{name} --out DIR"


@every_program
def test_the_record_says_what_was_asked_expected_found_and_left_open(name):
    _, loaded = record(name)
    assert loaded["question"].endswith("?")
    for part in ("prediction", "result", "does_not_show"):
        assert len(loaded[part].split()) >= 15, part
    assert "lab" in loaded["does_not_show"]
