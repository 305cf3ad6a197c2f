from __future__ import annotations

import pytest

from evidence_matrix.cli import main
from evidence_matrix.rules import all_rules


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_a_rule_is_explained_by_code_and_by_name(
    rule: object, capsys: pytest.CaptureFixture[str]
) -> None:
    code, name, docstring = (getattr(rule, field) for field in ("code", "name", "docstring"))
    assert main(["explain", code.lower()]) == 0
    by_code = capsys.readouterr().out
    assert main(["explain", name]) == 0
    assert by_code == capsys.readouterr().out
    assert by_code.startswith(f"{code} {name} (")
    assert docstring in by_code


@pytest.mark.parametrize(("code", "near"), [("EM1011", "EM101"), ("EM999", ""), ("", "")])
def test_an_unknown_code_gets_the_nearest(
    code: str, near: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", code]) == 2
    err = capsys.readouterr().err
    assert repr(code) in err
    assert near in err
