"""Every rule's page is run: its bad example has the fault, its good example has none at all."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.conftest import TODAY

from evidence_matrix.checking import check
from evidence_matrix.findings import Finding, Severity
from evidence_matrix.rules import Rule, Scope, all_rules
from evidence_matrix.store import load

_BLOCK = re.compile(r"^```[a-z]+\n# (?P<file>[^\n]+)\n(?P<text>.*?)^```$", re.M | re.S)
RULES = [rule for rule in all_rules() if _BLOCK.search(rule.section("Bad"))]


def example(markdown: str) -> tuple[dict[str, str], dict[str, str]]:
    """The files of an example, and those of its base revision."""
    files: dict[str, str] = {}
    base: dict[str, str] = {}
    for match in _BLOCK.finditer(markdown):
        name = match["file"]
        if name.startswith("base: "):
            base[name.removeprefix("base: ")] = match["text"]
        else:
            files[name] = match["text"]
    return files, base


def judged(world: Callable[[dict[str, str]], Path], markdown: str) -> list[Finding]:
    files, base = example(markdown)
    before = load(world(base), TODAY).matrix if base else None
    return list(check(load(world(files), TODAY, before)).findings)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.code}-{rule.name}")
def test_bad_example_has_the_fault(world: Callable[[dict[str, str]], Path], rule: Rule) -> None:
    found = judged(world, rule.section("Bad"))
    mine = [finding for finding in found if finding.code == rule.code]
    assert mine, f"found only {[f'{f.code} {f.message}' for f in found]}"
    for finding in mine:
        assert finding.hint
        assert finding.message
        assert finding.severity is rule.severity


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.code}-{rule.name}")
def test_good_example_is_clean(world: Callable[[dict[str, str]], Path], rule: Rule) -> None:
    found = judged(world, rule.section("Good"))
    errors = [finding for finding in found if finding.severity is Severity.ERROR]
    assert not [f"{f.file}:{f.line} {f.code} {f.message}" for f in errors]
    assert not [finding for finding in found if finding.code == rule.code]


def test_codes_are_unique() -> None:
    codes = [rule.code for rule in all_rules()]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_rule_page_is_complete(rule: Rule) -> None:
    assert re.fullmatch(r"EM[0-6][0-9]{2}", rule.code)
    assert rule.summary.endswith(".")
    for heading in ("Why", "Bad", "Good"):
        assert rule.section(heading), f"{rule.name} has no section {heading}"
    assert (rule.check is None) == (rule.scope is Scope.LOAD)
