from __future__ import annotations

import json
from pathlib import Path

import pytest

from evidence_matrix.cli import main
from tests.bytes_at_hand import lay_mirror, lay_records


@pytest.fixture
def asked(tmp_path: Path) -> list[str]:
    lay_records(tmp_path / "root")
    lay_mirror(tmp_path / "mirror")
    return ["verify", "--root", str(tmp_path / "root"), "--mirror", str(tmp_path / "mirror")]


def test_a_clean_verification_prints_its_counts(
    asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(asked) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0].startswith("9 matched · ")
    assert out.splitlines()[1] == "3 sources read, 0 unchanged, 1 not reached"
    assert out.splitlines()[-1] == "  not reached, 1: the mirror does not have it"
    assert err == "", "a progress bar is for terminals"


def test_a_fragment_that_is_not_there_is_a_finding(
    asked: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claims = tmp_path / "root/claims/heron-lab/heron-1.yaml"
    claims.write_text(claims.read_text().replace("96B total", "69B total"))
    assert main([*asked, "--format", "json"]) == 1
    out, err = capsys.readouterr()
    (finding,) = json.loads(out)
    assert (finding["code"], finding["line"]) == ("EM212", 6)
    assert "1 failed" in err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--source", "heron-9"], "there is no source 'heron-9'"),
        (["--source", "egret-2-crad"], "did you mean egret-2-card?"),
        (["--mirror", "nowhere"], "nowhere has no index.jsonl"),
        (["--root", "nowhere"], "nowhere has no folder claims/"),
    ],
)
def test_what_cannot_run_says_why(
    asked: list[str], capsys: pytest.CaptureFixture[str], more: list[str], said: str
) -> None:
    assert main([*asked, *more]) == 2
    assert said in capsys.readouterr().err
