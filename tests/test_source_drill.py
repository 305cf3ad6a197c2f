"""Drills on sources: each kind fits somewhere, and the counts add up."""

from __future__ import annotations

import json
from pathlib import Path

from evidence_matrix.cli import main
from evidence_matrix.source_drill import source_drill
from tests.conftest import TINY, TODAY


def test_dead_pins_and_hand_made_receipts_are_planted_and_caught(tmp_path: Path) -> None:
    results = {result.id: result for result in source_drill(TINY, tmp_path, TODAY, seed=1)}
    assert results["dead-commit"].planted == 2
    assert results["hand-made-receipt"].planted >= 1
    for result in results.values():
        assert result.checked == result.planted
        assert result.escaped == 0


def test_nothing_is_left_of_the_copies(tmp_path: Path) -> None:
    list(source_drill(TINY, tmp_path, TODAY, seed=1))
    assert not list(tmp_path.iterdir())


def test_the_drill_keeps_what_became_of_every_kind(world: object, capsys: object) -> None:
    root = world({})  # type: ignore[operator]
    assert main(["drill", "--root", str(root), "--today", str(TODAY), "--seed", "3"]) == 0
    kept = json.loads((root / "sources/drill.json").read_text())
    assert kept["seed"] == 3
    assert not kept["bytes"]
    for kind in kept["kinds"]:
        assert kind["checked"] + kind["unmatched"] + kind["escaped"] == kind["planted"]
    assert {"wrong-digit", "edited-receipt", "another-text"} <= {k["id"] for k in kept["kinds"]}
