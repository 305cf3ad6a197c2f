"""Loading: what can be read is read, what cannot is told at its line, and nothing is dropped."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from evidence_matrix.matrix import Matrix
from evidence_matrix.store import Loaded, load
from tests.conftest import TINY, TODAY

Load = Callable[[dict[str, str]], Loaded]
WREN = "claims/acme/wren.yaml"
HEAD = "subject: {name: Wren, kind: model}\n"
CLAIM = """\
claims:
  params.total:
    label: D
    value: 14.8B
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "Wren has 14.8B parameters"}
    public: 2025-06
    checked: 2026-07-19
"""
SHARED = ("aspects", "terms", "questions", "labs", "disputes", "moved", "wanted", "exceptions")


def said(loaded: Loaded) -> list[tuple[str, str, int]]:
    return [(f.code, f.file, f.line) for f in loaded.findings]


def test_the_tiny_matrix_is_read_without_a_finding(tiny_matrix: Matrix) -> None:
    loaded = load(TINY, TODAY)
    assert not loaded.findings
    assert set(tiny_matrix.subjects) == {"acme-ratio", "egret-2", "heron-1"}
    assert tiny_matrix.subjects["egret-2"].lab == "acme"
    assert set(tiny_matrix.runs) == {"acme-ratio"}
    assert tiny_matrix.moved["heron-1/params"].record == "heron-1/params.total"
    assert set(tiny_matrix.chapters) == {"docs/chapters/herons.md"}
    assert loaded.files == sum(
        len(list(TINY.glob(pattern)))
        for pattern in (
            "claims/**/*.yaml",
            "sources/*.bib",
            "sources/runs/*/run.yaml",
            "docs/**/*.md",
        )
    )


def test_a_claim_knows_what_its_key_says(tiny_matrix: Matrix) -> None:
    claim = tiny_matrix.claims["heron-1/params.total/with-vision"]
    assert (claim.subject, claim.aspect, claim.scope, claim.reading) == (
        "heron-1",
        "params.total",
        "with-vision",
        None,
    )
    reading = tiny_matrix.claims["heron-1/params.total@table-1"]
    assert (reading.scope, reading.reading, reading.topic) == (
        None,
        "table-1",
        "heron-1/params.total",
    )


def test_every_claim_stands_at_the_line_of_its_key(tiny_matrix: Matrix) -> None:
    for claim in tiny_matrix.claims.values():
        line = (TINY / claim.file).read_text().split("\n")[claim.place.line - 1]
        assert line.strip() == f"{claim.key}:"


@pytest.mark.parametrize("name", SHARED)
@pytest.mark.parametrize("text", ["just words\n", "- {a: [b]}\n", "a: [b]\n", "- - a\n"])
def test_a_shared_file_of_another_shape_is_told(loaded: Load, name: str, text: str) -> None:
    """Whatever stands in the file, either a record of it is read or a finding names the file."""
    file = f"claims/{name}.yaml"
    result = loaded({file: text})
    assert [f for f in result.findings if f.file == file and f.line and f.hint]


@pytest.mark.parametrize("name", SHARED)
def test_a_shared_file_that_is_missing_is_no_fault(world: Callable[..., Path], name: str) -> None:
    root = world({})
    (root / f"claims/{name}.yaml").unlink(missing_ok=True)
    assert not load(root, TODAY).findings


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("just words\n", "EM003", 1),
        ("- a\n", "EM012", 1),
        (CLAIM, "EM011", 1),
        (HEAD + "extra: 1\n" + CLAIM, "EM010", 2),
        (HEAD + "claims: words\n", "EM012", 2),
        (HEAD + "claims: [a]\n", "EM012", 2),
        (HEAD + CLAIM.replace("params.total", "Params.Total"), "EM123", 3),
        (HEAD + CLAIM.replace("params.total", "params.total@"), "EM123", 3),
        (HEAD + CLAIM.replace("14.8B", "a lot"), "EM105", 5),
        (HEAD + CLAIM.replace("14.8B", "14.8B furlongs"), "EM106", 5),
        (HEAD + CLAIM.replace("14.8B", "[14.8B, 15B]"), "EM105", 5),
        (HEAD + "claims:\n  params.total: words\n", "EM012", 3),
        ("subject: words\n" + CLAIM, "EM012", 1),
        ("subject: {name: Wren, kind: bird}\n" + CLAIM, "EM012", 1),
    ],
)
def test_a_subject_file_with_a_fault_is_told_at_its_line(
    loaded: Load, text: str, code: str, line: int
) -> None:
    assert (code, WREN, line) in said(loaded({WREN: text}))


def test_a_file_name_that_is_no_id_is_told(loaded: Load) -> None:
    assert said(loaded({"claims/acme/Wren.yaml": HEAD})) == [("EM123", "claims/acme/Wren.yaml", 1)]


@pytest.mark.parametrize("name", [WREN, "claims/labs.yaml", "sources/acme.bib"])
@pytest.mark.parametrize("kind", ["folder", "dangling link", "link to itself", "pipe"])
def test_what_bears_the_name_of_a_file_and_is_none_is_told(
    world: Callable[..., Path], name: str, kind: str
) -> None:
    root = world({})
    path = root / name
    path.unlink(missing_ok=True)
    make: dict[str, Callable[[], object]] = {
        "folder": path.mkdir,
        "dangling link": lambda: path.symlink_to("nowhere"),
        "link to itself": lambda: path.symlink_to(path.name),
        "pipe": lambda: os.mkfifo(path),
    }
    make[kind]()
    assert ("EM008", name, 1) in said(load(root, TODAY))


@pytest.mark.parametrize("folder", ["claims/acme", "sources", "sources/runs", "docs/chapters"])
def test_a_folder_that_cannot_be_looked_into_is_no_empty_one(
    world: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    root = world({})
    look = os.scandir

    def scandir(path: str | os.PathLike[str]) -> object:
        if Path(path) == root / folder:
            raise PermissionError(13, "Permission denied", str(path))
        return look(path)

    monkeypatch.setattr(os, "scandir", scandir)
    with pytest.raises(PermissionError, match=folder):
        load(root, TODAY)


def test_one_bad_claim_leaves_the_others(loaded: Load) -> None:
    text = HEAD + CLAIM + "  params.active: {label: D}\n"
    result = loaded({WREN: text})
    assert "wren/params.total" in result.matrix.claims
    assert "wren/params.active" not in result.matrix.claims
    assert said(result) == [("EM011", WREN, 10)]


def test_an_earlier_value_is_read_and_judged_too(loaded: Load) -> None:
    """What a place answered before is as much a claim as what it answers now."""
    earlier = "    earlier:\n      - {label: D, value: VALUE, public: 2025-01, until: 2025-05}\n"
    bad = loaded({WREN: HEAD + CLAIM + earlier.replace("VALUE", "plenty")})
    assert said(bad) == [("EM105", WREN, 11)]
    good = loaded({WREN: HEAD + CLAIM + earlier.replace("VALUE", "12B")})
    assert not good.findings
    claim = good.matrix.claims["wren/params.total"]
    then = good.matrix.then(claim, claim.record.earlier[0])
    assert then.value == "12B"
    assert getattr(then.parsed, "low", None) == Fraction(12 * 10**9)


def test_a_source_that_stands_twice_keeps_its_first_entry(loaded: Load) -> None:
    text = "@misc{egret-2-card, title = {Another}, lab = {acme}, kind = {blog}}\n"
    result = loaded({"sources/more.bib": text})
    assert ("EM302", "sources/more.bib", 1) in said(result)
    assert result.matrix.sources["egret-2-card"].record.title == "Egret 2 model card"


def test_a_chapter_that_is_not_utf8_is_told(world: Callable[..., Path]) -> None:
    root = world({})
    (root / "docs/chapters/wrens.md").write_bytes(b"# Wr\xffens\n")
    result = load(root, TODAY)
    assert said(result) == [("EM001", "docs/chapters/wrens.md", 1)]
    assert "docs/chapters/wrens.md" not in result.matrix.chapters


def test_loading_leaves_the_collector_as_it_was() -> None:
    assert gc.isenabled()
    load(TINY, TODAY)
    assert gc.isenabled()


def test_loading_twice_gives_the_same(tiny_matrix: Matrix) -> None:
    again = load(TINY, TODAY).matrix
    assert again.claims == tiny_matrix.claims
    assert again.sources == tiny_matrix.sources
