"""Checking: exceptions with an end, counts by state, and never green on nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from evidence_matrix.checking import check, evidence_states
from evidence_matrix.findings import Severity
from evidence_matrix.labels import Label, State
from evidence_matrix.matrix import Matrix
from evidence_matrix.store import Loaded, load
from tests.bytes_at_hand import lay_mirror, lay_records
from tests.conftest import TINY, TODAY

Load = Callable[[dict[str, str]], Loaded]
SOURCE = (
    "@misc{wren-blog, title = {W}, lab = {acme}, kind = {blog}, url = {https://w.example.org},\n"
    "  date = {2025-06-01}, retrieved = {2026-07-01}}\n"
)
WREN = """\
subject: {name: Wren, kind: model}
claims:
  params.total:
    label: D
    value: 14.8B
    public: 2025-06
    checked: 2026-07-19
  params.active:
    label: D
    value: 8B
    public: 2025-06
    checked: 2026-07-19
"""
FILE = "claims/acme/wren.yaml"


def codes(loaded: Loaded) -> list[str]:
    return [finding.code for finding in check(loaded).findings]


def exception(code: str, where: str, until: str = "2026-12-31") -> str:
    return f"- {{code: {code}, where: {where}, reason: for now, until: {until}}}\n"


def test_the_counts_are_those_of_the_matrix(tiny_matrix: Matrix) -> None:
    report = check(load(TINY, TODAY))
    assert report.claims == sum(report.labels.values()) == len(tiny_matrix.claims)
    assert sum(report.states.values()) == len(list(evidence_states(tiny_matrix)))
    assert not report.failed
    summary = report.summary()
    for label in Label:
        assert f"{report.labels[label]} {label}" in summary
    for state in State:
        assert (f"{report.states[state]} {state}" in summary) == bool(report.states[state])


@pytest.mark.parametrize("where", ["wren/params.total", FILE])
def test_an_exception_lets_a_finding_stand_and_is_counted(loaded: Load, where: str) -> None:
    text = exception("EM201", where)
    report = check(loaded({FILE: WREN, "claims/exceptions.yaml": text}))
    assert {f.line for f in report.excepted} == ({4} if "/p" in where else {4, 9})
    assert len(report.findings) == 2 - len(report.excepted)
    assert "stand by an exception" in report.summary()


def test_an_exception_for_a_source_covers_that_source_alone(loaded: Load) -> None:
    other = SOURCE.replace("wren-blog", "wren-card")
    files = {"sources/more.bib": SOURCE + other}
    files["claims/exceptions.yaml"] = exception("EM306", "wren-blog")
    report = check(loaded(files))
    assert [(f.code, f.line) for f in report.findings] == [("EM306", 3)]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (exception("EM201", "wren/params.total", "2026-07-19"), "ended on 2026-07-19"),
        (exception("EM202", "wren/params.total"), "lets nothing stand"),
        (exception("EM201", "heron-1/params.total"), "lets nothing stand"),
        (exception("EM201", "wren"), "lets nothing stand"),
        (exception("EM201", "no-such-thing"), "lets nothing stand"),
    ],
)
def test_an_exception_that_has_ended_or_fires_no_more_is_an_error(
    loaded: Load, text: str, says: str
) -> None:
    report = check(loaded({FILE: WREN, "claims/exceptions.yaml": text}))
    (stale,) = [f for f in report.findings if f.code == "EM412"]
    assert says in stale.message
    assert stale.severity is Severity.ERROR
    assert codes(loaded({FILE: WREN})).count("EM201") == 2
    assert [f.code for f in report.findings].count("EM201") == 2


def test_an_exception_holds_on_its_last_day(loaded: Load) -> None:
    text = exception("EM201", FILE, TODAY.isoformat())
    assert not check(loaded({FILE: WREN, "claims/exceptions.yaml": text})).findings


@pytest.mark.parametrize("allowed", ["", exception("EM410", "claims")])
def test_a_check_of_nothing_is_never_green(tmp_path: Path, allowed: str) -> None:
    """Not even an exception makes a check that looked at nothing pass."""
    (tmp_path / "claims").mkdir()
    if allowed:
        (tmp_path / "claims/exceptions.yaml").write_text(allowed)
    report = check(load(tmp_path, TODAY))
    assert report.failed
    assert "EM410" in [finding.code for finding in report.findings]


def test_a_check_whose_every_claim_is_unreadable_is_not_green(world: Callable[..., Path]) -> None:
    root = world({})
    for path in root.glob("claims/*/*.yaml"):
        path.write_text("subject: [\n")
    assert "EM410" in codes(load(root, TODAY))


def test_a_withdrawn_claim_is_judged_no_more(loaded: Load) -> None:
    text = WREN.replace(
        "    value: 14.8B\n", "    value: 14.8B\n    withdrawn: {on: 2026-07-01, reason: misread}\n"
    )
    assert codes(loaded({FILE: text})) == ["EM201"]


def test_states_are_those_that_the_receipts_give(tmp_path: Path) -> None:
    from evidence_matrix.verify import verify

    root = lay_records(tmp_path / "root")
    before = check(load(root, TODAY)).states
    assert State.MATCHED not in before
    verify(load(root, TODAY).matrix, mirror=lay_mirror(tmp_path / "mirror"))
    after = check(load(root, TODAY)).states
    assert after[State.MATCHED] > 0
    assert sum(after.values()) == sum(before.values())


def test_findings_do_not_depend_on_the_order_of_rules(loaded: Load) -> None:
    world = loaded({FILE: WREN})
    assert check(world).findings == check(world).findings


def broken(name: str, before: str, after: str) -> dict[str, str]:
    """A file of the tiny matrix with one text in it replaced, or added at its end."""
    text = (TINY / name).read_text()
    assert before in text
    return {name: text.replace(before, after, 1) if before else text + after}


HERON = "claims/heron-lab/heron-1.yaml"


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        (HERON, "", "x: [\n"),
        (HERON, "kind: model", "kind: modell"),
        (HERON, "  params.total:\n    label: D\n", "  params.total:\n    label: D\n    vaule: 1\n"),
        ("claims/aspects.yaml", "", "x: [\n"),
        ("claims/aspects.yaml", "kind: quantity", "kind: quantitty"),
        ("claims/labs.yaml", "", "x: [\n"),
        ("claims/labs.yaml", "country:", "contry:"),
        ("sources/acme.bib", "version ", "verison "),
        ("sources/acme.bib", "{Egret 2 model card},", "{Egret 2 model card,"),
        ("sources/heron-lab.bib", "@report{heron-1-report,", "@report{heron-1-report"),
        ("sources/heron-lab.bib", "{heron-lab},\n", "{heron-lab},\n  colour = {blue},\n"),
        ("sources/runs/acme-ratio/run.yaml", "title:", "titel:"),
        ("sources/runs/acme-ratio/run.yaml", "", "x: [\n"),
    ],
)
def test_what_refers_to_a_record_that_cannot_be_read_is_not_at_fault(
    loaded: Load, name: str, before: str, after: str
) -> None:
    found = check(loaded(broken(name, before, after))).findings
    assert found
    assert {finding.file for finding in found} == {name}, [str(finding) for finding in found]


def test_an_id_of_a_record_that_cannot_be_read_has_not_vanished(
    loaded: Load, tiny_matrix: Matrix, world: Callable[[dict[str, str]], Path]
) -> None:
    root = world(broken(HERON, "kind: model", "kind: modell"))
    codes_found = {finding.code for finding in check(load(root, TODAY, tiny_matrix)).findings}
    assert codes_found == {"EM012"}
