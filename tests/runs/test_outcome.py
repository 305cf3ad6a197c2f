from __future__ import annotations

import json
import sys

import pytest

from evidence_matrix.runs.outcome import command_line, spread, spreads, text, write


def test_spread_is_mean_lowest_and_highest():
    assert spread([3, 1, 2.0]) == {"mean": 2.0, "low": 1.0, "high": 3.0}
    assert spreads([{"a": 1.0, "b": 5.0}, {"a": 3.0, "b": 5.0}]) == {
        "a": {"mean": 2.0, "low": 1.0, "high": 3.0},
        "b": {"mean": 5.0, "low": 5.0, "high": 5.0},
    }


def test_the_mean_does_not_depend_on_the_order_of_the_seeds():
    values = [0.1, 1e16, -1e16, 0.3]
    assert spread(values) == spread(values[::-1])


def test_text_has_sorted_keys_and_five_digits_and_no_rounding_errors():
    got = text({"b": 1 / 3, "a": [123456.0, 1e-17, 2], "c": {"d": -0.000012345678}})
    assert json.loads(got) == {"a": [123460.0, 0.0, 2], "b": 0.33333, "c": {"d": -1.2346e-05}}
    assert got.index('"a"') < got.index('"b"')
    assert got.endswith("}\n")


def test_the_last_bits_of_a_number_do_not_reach_the_file():
    assert text({"x": 0.1 + 0.2}) == text({"x": 0.3})


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_result_that_is_no_number_is_refused(value):
    with pytest.raises(ValueError, match="not JSON compliant"):
        text({"x": value})


def test_write_makes_the_folder(tmp_path):
    path = write({"x": 1}, tmp_path / "new" / "folder")
    assert path.read_bytes() == b'{\n  "x": 1\n}\n'


def test_command_line_writes_where_it_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["program", "--out", str(tmp_path)])
    command_line(lambda: {"answer": 42.0}, "What it does.")
    assert json.loads((tmp_path / "result.json").read_bytes()) == {"answer": 42.0}
    assert capsys.readouterr().out == f"{tmp_path / 'result.json'}\n"


def test_without_a_folder_it_says_what_is_missing(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["program"])
    with pytest.raises(SystemExit) as stopped:
        command_line(dict, "What it does.")
    assert stopped.value.code == 2
    assert "--out" in capsys.readouterr().err
