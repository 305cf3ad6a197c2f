from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from evidence_matrix.rules import all_rules
from tests.bytes_at_hand import lay_mirror, lay_records
from tests.commands.conftest import Repository, Run

HERON = "claims/heron-lab/heron-1.yaml"
World = Callable[[dict[str, str]], Path]
BAD = """\
subject: {name: Wren, kind: model}
claims:
  params.total:
    label: D
    value: 14.8B
    public: 2025-06
    checked: 2026-07-19
"""


def test_a_clean_check_counts_what_it_checked(run: Run) -> None:
    ran = run("check")
    assert ran.code == 0
    assert ran.out.startswith("checked 17 claims of 3 subjects (12 D · 2 C · 1 R · 1 I · 1 U), ")
    assert f"with {len(all_rules())} rules" in ran.out
    assert "evidence: 15 pieces: " in ran.out
    assert ran.err == ""


def test_text_names_the_place_the_fault_and_the_cure(run: Run, world: World) -> None:
    ran = run("check", root=world({"claims/acme/wren.yaml": BAD}))
    assert ran.code == 1
    assert ran.out.startswith("claims/acme/wren.yaml:4:5: EM201 ")
    assert ran.out.split("\n")[1].startswith("  hint: ")
    assert ran.out.rstrip().endswith("1 error")


def test_json_has_the_fields_of_a_finding_and_nothing_else_on_standard_output(
    run: Run, world: World
) -> None:
    ran = run("check", "--format", "json", root=world({"claims/acme/wren.yaml": BAD}))
    assert ran.code == 1
    (finding,) = json.loads(ran.out)
    assert set(finding) == {"code", "severity", "file", "line", "column", "message", "hint"}
    assert (finding["code"], finding["severity"], finding["line"]) == ("EM201", "error", 4)
    assert "checked" in ran.err


def test_github_annotates_the_line(run: Run, world: World) -> None:
    ran = run("check", "--format", "github", root=world({"claims/acme/wren.yaml": BAD}))
    assert ran.code == 1
    assert "\n::error file=claims/acme/wren.yaml,title=EM201,line=4,col=5::" in ran.out


def test_a_warning_alone_is_no_failure(run: Run, world: World) -> None:
    text = (
        "@misc{wren-blog, title = {W}, lab = {acme}, kind = {blog}, url = {https://w.example.org},\n"
        "  date = {2025-06-01}, retrieved = {2026-07-01}}\n"
    )
    ran = run("check", root=world({"sources/more.bib": text}))
    assert "EM306 warning" in ran.out
    assert ran.code == 0


def test_the_day_is_that_of_the_last_commit(run: Run, repository: Repository) -> None:
    assert run("check", root=repository.root, today=False).code == 0
    repository.edit(HERON, "checked: 2025-02-01", "checked: 2025-02-02")
    repository.edit("claims/acme/egret-2.yaml", "checked: 2026-07-19", "checked: 2026-07-21")
    ran = run("check", root=repository.root, today=False)
    assert ran.code == 1
    assert "EM108" in ran.out


def test_against_its_own_revision_nothing_differs(run: Run, repository: Repository) -> None:
    assert run("check", "--base", "HEAD", root=repository.root).code == 0


def test_an_id_that_vanished_since_the_base_is_told(run: Run, repository: Repository) -> None:
    repository.edit(HERON, "  data.sources:", "  data.sources@report:")
    ran = run("check", "--base", "HEAD", root=repository.root)
    assert ran.code == 1
    assert "EM403 heron-1/data.sources was published and is gone" in ran.out
    assert run("check", root=repository.root).code == 0, "without a base nobody can know"


def test_an_id_that_moved_or_was_withdrawn_is_not_gone(run: Run, repository: Repository) -> None:
    repository.edit(HERON, "  data.sources:", "  data.sources@report:")
    repository.edit(
        "claims/moved.yaml",
        "heron-1/params:",
        "heron-1/data.sources: heron-1/data.sources@report\nheron-1/params:",
    )
    repository.edit(
        HERON, "    means: per token\n", "    withdrawn: {on: 2026-07-19, reason: misread}\n"
    )
    ran = run("check", "--base", "HEAD", root=repository.root)
    assert "EM403" not in ran.out


def test_a_ruling_expires_when_its_claim_changes(run: Run, repository: Repository) -> None:
    repository.edit(HERON, "96.3B", "96.4B")
    ran = run("check", "--base", "HEAD", root=repository.root)
    assert ran.code == 1
    assert "EM402" in ran.out
    repository.edit("claims/disputes.yaml", "Table 1.", "Table 2.")
    repository.commit()
    assert "EM402" not in run("check", "--base", "HEAD", root=repository.root).out


def test_a_receipt_that_the_base_has_not_is_pending(
    run: Run, repository: Repository, tmp_path: Path
) -> None:
    shutil.rmtree(repository.root)
    lay_records(repository.root)
    repository.commit()
    mirror = lay_mirror(tmp_path / "mirror")
    assert run("verify", "--mirror", str(mirror), root=repository.root).code == 0
    assert " matched" in run("check", root=repository.root).out
    pending = run("check", "--base", "HEAD", root=repository.root).out
    assert " pending" in pending
    assert " matched" not in pending
    repository.commit()
    again = run("check", "--base", "HEAD", root=repository.root).out
    assert " pending" not in again
    assert " matched" in again


@pytest.mark.parametrize("name", ["no-such-branch", "--output=x", "HEAD:claims", ""])
def test_a_base_that_git_does_not_know_is_a_message(
    run: Run, repository: Repository, name: str
) -> None:
    ran = run("check", f"--base={name}", root=repository.root)
    assert ran.code == 2 if name else ran.code == 0
    assert not list(repository.root.rglob("x"))


def test_a_base_without_a_repository_is_a_message(run: Run, world: World) -> None:
    ran = run("check", "--base", "HEAD", root=world({}))
    assert ran.code == 2
    assert "HEAD" in ran.err
