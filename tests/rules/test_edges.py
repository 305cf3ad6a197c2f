"""What the pages of the rules cannot show: base revisions, receipts, sizes and mirrors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.bytes_at_hand import FILES, File, lay_mirror, lay_records
from tests.conftest import TODAY

from evidence_matrix.checking import check
from evidence_matrix.findings import Finding
from evidence_matrix.rules import Scope, all_rules
from evidence_matrix.store import load
from evidence_matrix.verify import verify

World = Callable[[dict[str, str]], Path]
HERON = "claims/heron-lab/heron-1.yaml"
REPORT = "sources/receipts/heron-1-report.json"


def findings(root: Path, code: str) -> list[Finding]:
    return [finding for finding in check(load(root, TODAY)).findings if finding.code == code]


@pytest.fixture
def verified(tmp_path: Path) -> Path:
    """Records whose receipts were made from a mirror that holds their bytes."""
    root = lay_records(tmp_path / "root")
    verify(load(root, TODAY).matrix, mirror=lay_mirror(tmp_path / "mirror"))
    return root


def test_a_file_over_a_megabyte_is_refused_and_one_below_is_not(world: World) -> None:
    head = "subject: {name: Wren, kind: model}\n"
    for size, refused in ((999_000, False), (1_000_100, True)):
        root = world({"claims/acme/wren.yaml": head + "#" + "x" * size + "\n"})
        assert bool(findings(root, "EM002")) == refused


def test_receipts_that_verify_wrote_fit(verified: Path) -> None:
    assert not findings(verified, "EM211")
    assert not findings(verified, "EM212")


def edited(text: str, before: str, after: str) -> str:
    assert before in text
    return text.replace(before, after, 1)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: edited(text, '"matched"', '"failed"'),
        lambda text: edited(text, '"page": 1', '"page": 2'),
        lambda text: edited(text, '"pages": 7', '"pages": 8'),
        lambda text: edited(text, '"whole": "yes"', '"whole": "no"'),
        lambda text: edited(text, "official bytes", "byte copy"),
        lambda text: text + " ",
        lambda text: json.dumps(json.loads(text)),
        lambda text: "{}",
        lambda text: "",
        lambda text: "[1]",
        lambda text: edited(text, '"source": "heron-1-report"', '"source": "egret-2-card"'),
    ],
)
def test_a_receipt_that_was_edited_in_any_way_is_refused(
    verified: Path, spoil: Callable[[str], str]
) -> None:
    path = verified / REPORT
    path.write_text(spoil(path.read_text()))
    assert [f.file for f in findings(verified, "EM211")] == [REPORT]


def test_a_receipt_of_a_source_that_is_gone_is_refused(verified: Path) -> None:
    path = verified / REPORT
    (path.parent / "no-such-source.json").write_text(
        path.read_text().replace("heron-1-report", "no-such-source")
    )
    assert [f.file for f in findings(verified, "EM211")] == ["sources/receipts/no-such-source.json"]


def test_a_fragment_that_the_bytes_do_not_hold_stays_an_error_until_it_is_mended(
    tmp_path: Path,
) -> None:
    root = lay_records(tmp_path / "root")
    claims = root / HERON
    good = claims.read_text()
    claims.write_text(edited(good, "96B total", "69B total"))
    mirror = lay_mirror(tmp_path / "mirror")
    assert verify(load(root, TODAY).matrix, mirror=mirror).failed
    (failed,) = findings(root, "EM212")
    assert (failed.file, failed.line) == (HERON, 6)
    claims.write_text(good)
    assert not findings(root, "EM212"), "another fragment is not the one that failed"


def test_verify_tells_other_bytes_unreadable_bytes_and_nothing_at_all(tmp_path: Path) -> None:
    root = lay_records(tmp_path / "root")
    matrix = load(root, TODAY).matrix

    def told(name: str, files: dict[str, File]) -> set[str]:
        mirror = lay_mirror(tmp_path / name, files)
        return {finding.code for finding in verify(matrix, mirror=mirror, again=True).findings}

    card = FILES["egret-2-card"]
    other = File(card.name, card.data + b"\nMore.\n", card.media)
    assert "EM311" in told("other", {**FILES, "egret-2-card": other})
    broken = File("heron-1.pdf", b"<html>Please log in</html>", "application/pdf")
    assert {"EM311", "EM312"} & told("broken", {**FILES, "heron-1-report": broken})
    assert told("empty", {}) == {"EM413"}


def test_a_hit_that_nobody_judged_is_told_until_it_is(tmp_path: Path) -> None:
    unknown = """\
  tokens.pretrain:
    label: U
    looked_for: [parameters, tokens]
    looked_in: [heron-1-report]
    reason: not verifiable
    next: [heron-1-post]
    checked: 2026-07-19
"""
    root = lay_records(tmp_path / "root")
    path = root / HERON
    path.write_text(path.read_text().rstrip("\n") + "\n" + unknown)
    mirror = lay_mirror(tmp_path / "mirror")
    verify(load(root, TODAY).matrix, mirror=mirror)
    (told,) = findings(root, "EM125")
    assert "parameters" in told.message
    receipt = load(root, TODAY).matrix.receipts["heron-1-report"]
    count = sum(receipt.searches["parameters"].values())
    before = path.read_text()
    judged = "    hits: [{source: heron-1-report, term: parameters, count: 'N', judged: sizes}]\n"
    for number, fits in ((count, True), (count + 1, False)):
        path.write_text(before + judged.replace("N", str(number)))
        assert bool(findings(root, "EM125")) != fits


def test_ids_that_vanish_with_a_whole_file_are_told(world: World) -> None:
    base = load(world({}), TODAY).matrix
    root = world({})
    (root / "claims/acme/egret-2.yaml").unlink()
    gone = [f for f in check(load(root, TODAY, base)).findings if f.code == "EM403"]
    assert len(gone) == len(base.claims_of_subject["egret-2"])


def test_a_moved_id_must_lead_somewhere(world: World) -> None:
    base = load(world({}), TODAY).matrix
    root = world({"claims/moved.yaml": "egret-2/lineage.base: egret-2/no.such\n"})
    assert check(load(root, TODAY, base)).failed


LOADED_BY_VERIFY = {"EM311", "EM312", "EM413"}


def test_every_rule_is_told_by_somebody() -> None:
    """A rule without `check` is told by the loader, the runner or verify, under its code."""
    package = Path(__file__).parents[2] / "src/evidence_matrix"
    sources = [path for path in package.rglob("*.py") if path.parent.name != "rules"]
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    for rule in all_rules():
        if rule.scope is Scope.LOAD:
            assert f'"{rule.code}"' in text, rule.code
    assert {rule.code for rule in all_rules()} >= LOADED_BY_VERIFY


@pytest.mark.parametrize(
    ("address", "offer"),
    [
        ("https://arxiv.org/abs/2506.00001v3", "`version = {v3}`"),
        ("https://arxiv.org/pdf/2506.00001v12.pdf", "`version = {v12}`"),
        ("https://arxiv.org/abs/2506.00001", "the version to the address"),
    ],
)
def test_the_version_that_an_address_names_is_offered(
    world: World, address: str, offer: str
) -> None:
    entry = (
        "@report{wren-report, title = {W}, author = {Acme}, lab = {acme}, kind = {report},\n"
        f"  date = {{2025-06-03}}, url = {{{address}}}}}\n"
    )
    (found,) = findings(world({"sources/wren.bib": entry}), "EM305")
    assert offer in found.hint


@pytest.mark.parametrize("formula", ["active" * 900, "1 + " * 100 + "active", "(" * 90])
def test_a_long_formula_is_not_printed_whole(world: World, formula: str) -> None:
    claim = (
        "subject: {name: Wren, kind: model}\nclaims:\n  params.total:\n    label: I\n"
        "    premises: {active: heron-1/params.active}\n    value: 3B\n    assumes: [x]\n"
        f'    formula: "{formula}"\n    public: 2025-06\n    checked: 2026-07-19\n'
    )
    (found,) = findings(world({"claims/acme/wren.yaml": claim}), "EM118")
    assert len(found.message) < 300
