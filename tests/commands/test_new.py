from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from evidence_matrix.checking import check
from evidence_matrix.store import load
from tests.commands.conftest import Run
from tests.conftest import TODAY

World = Callable[[dict[str, str]], Path]
EVIDENCE = "{source: egret-2-card, at: line 3, quote: has 14.8B parameters}"
FILLED = (
    ("value: …", "value: 14.8B"),
    ("public: …", "public: 2025-06"),
    ('{source: …, at: "p. …", quote: "…"}', EVIDENCE),
)
HEADS = {
    "a block": "subject: {name: Wren, kind: model}\nclaims:\n",
    "an empty mapping": "subject: {name: Wren, kind: model}\nclaims: {}\n",
    "nothing": "subject: {name: Wren, kind: model}\nclaims:",
    "no claims": "subject: {name: Wren, kind: model}",
    "blank lines at the end": "subject: {name: Wren, kind: model}\nclaims:\n\n\n",
}


def fill(path: Path) -> None:
    text = path.read_text()
    for before, after in FILLED:
        assert before in text
        text = text.replace(before, after)
    path.write_text(text)


def test_a_new_file_loads_and_waits_to_be_filled_in(run: Run, world: World) -> None:
    root = world({})
    ran = run("new", "acme/wren", root=root)
    assert ran.code == 0
    assert ran.out.startswith("claims/acme/wren.yaml: ")
    loaded = load(root, TODAY)
    assert loaded.matrix.subjects["wren"].lab == "acme"
    assert loaded.matrix.is_unread("wren/event.release")
    assert {f.code for f in loaded.findings} == {"EM013"}, "nobody can forget to fill it in"


def test_what_is_not_filled_in_yet_is_not_made_twice(run: Run, world: World) -> None:
    root = world({})
    run("new", "acme/wren", root=root)
    before = (root / "claims/acme/wren.yaml").read_bytes()
    for again in ("acme/wren", "wren/event.release"):
        ran = run("new", again, root=root)
        assert ran.code == 2
        assert "is there already" in ran.err
    assert (root / "claims/acme/wren.yaml").read_bytes() == before


def test_a_subject_that_cannot_be_read_is_not_said_to_be_none(run: Run, world: World) -> None:
    root = world({"claims/acme/wren.yaml": "subject: [\n"})
    ran = run("new", "wren/params.total", root=root)
    assert ran.code == 2
    assert "wren cannot be read; run `evidence-matrix check` first" in ran.err


@pytest.mark.parametrize("head", HEADS)
def test_a_new_claim_is_clean_once_it_is_filled_in(run: Run, world: World, head: str) -> None:
    root = world({"claims/acme/wren.yaml": HEADS[head]})
    assert run("new", "wren/params.total@card", root=root).code == 0
    fill(root / "claims/acme/wren.yaml")
    loaded = load(root, TODAY)
    assert not check(loaded).failed
    assert loaded.matrix.claims["wren/params.total@card"].value == "14.8B"


def test_the_claims_that_were_there_stay(run: Run, world: World) -> None:
    root = world({})
    before = load(root, TODAY).matrix.claims
    run("new", "heron-1/tokens.pretrain", root=root)
    after = load(root, TODAY).matrix
    assert after.unread == {"heron-1/tokens.pretrain"}
    assert {claim.id: claim.record for claim in after.claims.values()} == {
        claim.id: claim.record for claim in before.values()
    }


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("heron-1", "lab/subject"),
        ("heron-1/params.total", "is there already"),
        ("heron-1/params.totl", "did you mean params.total?"),
        ("heron-1/Params", "no claim key"),
        ("heron-1/params.total@a@b", "no claim key"),
        ("heron-1/params.total/with\nvision", "no claim key"),
        ("acme/egret-2", "is there already"),
        ("acme/heron-1", "is there already"),
        ("acme/Wren", "no subject id"),
        ("acme/../../wren", "no subject id"),
        ("acme/..", "no subject id"),
        ("herron-lab/wren", "did you mean heron-lab?"),
    ],
)
def test_what_cannot_be_made_is_a_message_and_changes_nothing(
    run: Run, world: World, name: str, says: str
) -> None:
    root = world({})
    before = {path: path.read_bytes() for path in root.parent.rglob("*.yaml")}
    ran = run("new", name, root=root)
    assert ran.code == 2
    assert says in ran.err
    assert before == {path: path.read_bytes() for path in root.parent.rglob("*.yaml")}


def test_a_file_whose_claims_do_not_stand_last_is_left_alone(run: Run, world: World) -> None:
    text = "claims: {}\nsubject: {name: Wren, kind: model}\n"
    root = world({"claims/acme/wren.yaml": text})
    assert run("new", "wren/params.total", root=root).code == 2
    assert (root / "claims/acme/wren.yaml").read_text() == text


def test_what_is_still_to_be_filled_in_is_not_taken_for_one_fragment(
    run: Run, world: World
) -> None:
    root = world({"claims/acme/wren.yaml": HEADS["a block"]})
    for new in ("wren/params.total", "wren/params.active"):
        assert run("new", new, root=root).code == 0
    path = root / "claims/acme/wren.yaml"
    path.write_text(path.read_text().replace("public: …", "public: 2025-06"))
    found = {finding.code for finding in check(load(root, TODAY)).findings}
    assert {"EM105", "EM205"} <= found
    assert "EM214" not in found
