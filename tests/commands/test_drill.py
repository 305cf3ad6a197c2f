from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.commands.conftest import Run


def test_one_kind_is_counted_and_not_kept(run: Run, world: Callable[..., Path]) -> None:
    root = world({})
    ran = run("drill", "--only", "wrong-digit", root=root)
    assert ran.code == 0
    assert ran.out.startswith("seed 1, judged on 2026-07-20\n")
    assert "wrong-digit: " in ran.out
    assert not (root / "sources/drill.json").exists()


def test_a_drill_of_all_kinds_is_kept_and_the_seed_decides(
    run: Run, world: Callable[..., Path]
) -> None:
    root = world({})
    kept = []
    for _ in range(2):
        assert run("drill", "--seed", "7", root=root).code == 0
        kept.append((root / "sources/drill.json").read_text())
    assert kept[0] == kept[1]
    content = json.loads(kept[0])
    assert (content["seed"], content["day"], content["bytes"]) == (7, "2026-07-20", False)
    assert len(content["kinds"]) >= 25


def test_an_unknown_kind_is_a_message(run: Run) -> None:
    ran = run("drill", "--only", "wrong-dgit")
    assert ran.code == 2
    assert "did you mean wrong-digit?" in ran.err


def test_a_folder_that_is_no_mirror_is_a_message(run: Run, world: Callable[..., Path]) -> None:
    root = world({})
    ran = run("drill", "--mirror", str(root), "--only", "wrong-digit", root=root)
    assert (ran.code, ran.out) == (2, "")
    assert "has no index.jsonl" in ran.err
