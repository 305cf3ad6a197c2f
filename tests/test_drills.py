"""Drills: each kind fits somewhere, changes the record there, and what is counted adds up."""

from __future__ import annotations

import random
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from evidence_matrix.drill import Result, drill
from evidence_matrix.drills import Drill, Place, all_drills, other_digit
from evidence_matrix.matrix import Matrix
from evidence_matrix.store import load
from evidence_matrix.verify import verify
from tests.bytes_at_hand import lay_mirror, lay_records
from tests.conftest import TODAY

KINDS = list(all_drills())
# A small world that has what the tiny matrix has not: siblings, a transcription, judged hits.
MORE = """\
subject: {name: Egret 1, kind: model}
claims:
  params.total:
    label: D
    value: up to 7B
    evidence:
      - {source: egret-2-card, at: p. 3, quote: has up to 7B parameters, via: egret-copy}
    public: 2025-06
    checked: 2026-07-19
  params.active:
    label: D
    value: 3B
    evidence:
      - {source: egret-2-card, at: line 4, quote: Egret 1 uses 3B parameters per token}
    public: 2025-06
    checked: 2026-07-19
  data.sources:
    label: D
    value: pages of the web
    evidence:
      - {source: egret-2-card, at: "line 5", quote: "trained on pages of the web"}
    public: 2025-06
    checked: 2026-07-19
  tokens.pretrain:
    label: D
    value: about 15 trillion
    evidence:
      - {source: egret-2-card, at: "line 6", quote: "about 15 trillion tokens"}
    public: 2025-06
    checked: 2026-07-19
"""


@cache
def world() -> Matrix:
    import shutil
    import tempfile

    from tests.conftest import TINY

    root = Path(tempfile.mkdtemp(prefix="evidence-matrix-")) / "root"
    shutil.copytree(TINY, root, ignore=shutil.ignore_patterns("build", "site"))
    (root / "claims/acme/egret-1.yaml").write_text(MORE)
    matrix = load(root, TODAY).matrix
    shutil.rmtree(root.parent)
    return matrix


def plain(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: plain(value) for key, value in node.items()}
    return [plain(item) for item in node] if isinstance(node, list) else node


UNFIT = {"unjudged-hit"}  # needs a receipt with hits, which the test of the rule has


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.id)
def test_a_drill_fits_somewhere_and_changes_the_record_where_it_does(kind: Drill) -> None:
    matrix = world()
    planted = 0
    for claim in matrix.claims.values():
        node = deepcopy(plain(claim.node))
        before = deepcopy(node)
        if kind.plant(node, Place(claim, matrix, random.Random(3))):
            planted += 1
            assert node != before, f"{kind.id} changed nothing in {claim.id}"
    assert planted or kind.id in UNFIT


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.id)
def test_a_drill_does_the_same_with_the_same_seed(kind: Drill) -> None:
    matrix = world()
    made = []
    for _ in range(2):
        chance = random.Random(5)
        nodes = [deepcopy(plain(claim.node)) for claim in matrix.claims.values()]
        for node, claim in zip(nodes, matrix.claims.values(), strict=True):
            kind.plant(node, Place(claim, matrix, chance))
        made.append(nodes)
    assert made[0] == made[1]


def test_kinds_have_names_of_their_own() -> None:
    ids = [kind.id for kind in KINDS]
    assert len(ids) == len(set(ids)) >= 25
    assert all(kind.title and kind.family for kind in KINDS)


@pytest.mark.parametrize("text", ["14.8B", "about 15T", "7", "no digit"])
def test_another_digit_is_another(text: str) -> None:
    for seed in range(20):
        spoiled = other_digit(text, random.Random(seed))
        if spoiled is None:
            assert not any(char.isdigit() for char in text)
        else:
            assert sum(a != b for a, b in zip(text, spoiled, strict=True)) == 1


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[Result]:
    folder = tmp_path_factory.mktemp("drill")
    root = lay_records(folder / "root")
    mirror = lay_mirror(folder / "mirror")
    verify(load(root, TODAY).matrix, mirror=mirror)

    def looked(matrix: Matrix) -> Any:
        return verify(matrix, mirror=mirror, cache=folder / "cache").findings

    return list(drill(root, folder / "copies", TODAY, 1, looked))


def test_what_is_counted_adds_up(results: list[Result]) -> None:
    assert [result.id for result in results] == [kind.id for kind in KINDS]
    for result in results:
        assert 0 <= result.escaped <= result.planted
        assert result.checked <= result.planted
        assert result.unmatched <= result.planted - result.checked
        left = result.planted - result.checked - result.unmatched
        assert (result.verified is None) == (left == 0), "verify is asked for what is left"
        assert result.escaped == left - (result.verified or 0)
    assert sum(result.planted for result in results) > 60


@pytest.mark.parametrize(
    "kind", ["wrong-digit", "wrong-unit", "confirmed-digit", "over-claimed-c", "swapped-source"]
)
def test_what_must_not_escape_does_not(results: list[Result], kind: str) -> None:
    (result,) = [result for result in results if result.id == kind]
    assert result.escaped == 0


def test_a_kind_that_no_program_can_see_keeps_its_zero(results: list[Result]) -> None:
    """The table would be worth nothing if what escapes were left out of it."""
    assert {"another-text", "sibling-claim"} <= {result.id for result in results}


def test_the_records_are_left_as_they_were(tmp_path: Path) -> None:
    root = lay_records(tmp_path / "root")
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    list(drill(root, tmp_path / "copies", TODAY, 1, only="wrong-digit"))
    assert before == {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    assert not list((tmp_path / "copies").iterdir())
