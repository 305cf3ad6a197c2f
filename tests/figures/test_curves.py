"""What is read off recorded curves: where they are still, where they turn, how great they get."""

from __future__ import annotations

import json
from pathlib import Path

from evidence_matrix.figures.curves import Curve, is_edge, read, settings, shared


def curve(gradient: list[float], setting: dict[str, float | str] | None = None) -> Curve:
    places = tuple(float(i) for i in range(len(gradient)))
    return Curve("toy", setting or {}, 1, places, places, tuple(gradient))


def test_a_stretch_without_gradient_has_two_places_at_least() -> None:
    assert curve([0, 0, 1, 0, 2, 0, 0, 0]).still == [(0, 1), (5, 7)]
    assert curve([1, 0, -1]).still == []
    assert curve([0, 0]).still == [(0, 1)]


def test_a_gradient_turns_where_its_sign_has_changed_even_across_zero() -> None:
    assert curve([2, 1, 0, -1, -2, 3]).turns == [(2, 2), (4, 5)]
    assert curve([0, 1, 0, 1]).turns == []


def test_the_greatest_gradient_is_that_of_greatest_size_where_it_first_is() -> None:
    assert curve([1, -3, 3, 2]).greatest == (-3, 1)


def test_a_gradient_is_known_where_it_was_read() -> None:
    assert curve([4, 5]).gradient_at(1) == 5
    assert curve([4, 5]).gradient_at(0.5) is None


def test_settings_come_once_and_what_they_share_is_told_apart() -> None:
    curves = [curve([1], {"a": 1, "b": x}) for x in (1, 1, 2)]
    assert settings(curves) == [{"a": 1, "b": 1}, {"a": 1, "b": 2}]
    assert shared(settings(curves)) == {"a": 1}
    assert shared([{"a": 1}]) == {}


def test_two_places_close_to_each_other_are_an_edge() -> None:
    assert is_edge(1.1999, 1.2001)
    assert not is_edge(1.2, 1.25)


def test_curves_are_read_in_the_order_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "shapes.jsonl"
    lists = {"x": [1.0], "term": [2.0], "gradient": [3.0]}
    lines = [
        {"figure": name, "setting": {"a": 1.0}, "sign": sign, **lists}
        for name, sign in (("b", 1), ("a", 1), ("b", -1))
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    found = read(file)
    assert list(found) == ["b", "a"]
    assert [c.sign for c in found["b"]] == [1, -1]
    assert found["a"][0] == Curve("a", {"a": 1.0}, 1, (1.0,), (2.0,), (3.0,))
