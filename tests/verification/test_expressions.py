from __future__ import annotations

import pytest

from evidence_matrix.verification.expressions import CLASS_DEFAULT, ExpressionError, Reading, read

JSON, YAML, TOML = "application/json", "application/yaml", "application/toml"
PYTHON, TEXT = "text/x-python", "text/plain"
CONFIG = (
    b'{"layers": 61, "rate": 1e-5, "rope": {"factor": 40, "on": true}, "x": null, "l": [1, "a"]}'
)


@pytest.mark.parametrize(
    ("expression", "data", "media", "value"),
    [
        ("$.layers", CONFIG, JSON, "61"),
        ("$.rate", CONFIG, JSON, "1e-5"),
        ("$.rope.factor", CONFIG, JSON, "40"),
        ("$['rope']['on']", CONFIG, JSON, "true"),
        ("$.x", CONFIG, JSON, "null"),
        ("$.l", CONFIG, JSON, "[1, a]"),
        ("$.l[1]", CONFIG, JSON, "a"),
        ("$.rope", CONFIG, JSON, "{factor: 40, on: true}"),
        ("$.a.b[0].c", b"a: {b: [{c: 1_0}]}", YAML, "1_0"),
        ("$.a", b"a: no\n", YAML, "no"),
        ("$.a", b"a: 2.10\n", YAML, "2.10"),
        ("$.model.lr", b"[model]\nlr = 3e-4\nsteps = 1_000\n", TOML, "3e-4"),
        ("$.model.steps", b"[model]\nlr = 3e-4\nsteps = 1_000\n", TOML, "1000"),
        ("lines 2-3", b"one\r\ntwo\r\nthree\n", TEXT, "two\nthree"),
        ("line 1", b"one\ntwo\n", TEXT, "one"),
        ("SIZE", b"SIZE = 7\n", PYTHON, "7"),
    ],
)
def test_an_expression_gives_the_value_as_the_file_writes_it(
    expression: str, data: bytes, media: str, value: str
) -> None:
    assert read(expression, data, media) == Reading(value)


def test_a_value_of_a_class_says_that_it_is_a_class_default() -> None:
    source = b"class Config:\n    layers: int = 61\n"
    assert read("Config.layers", source, PYTHON) == Reading("61", CLASS_DEFAULT)


@pytest.mark.parametrize(
    ("expression", "data", "media", "message", "hint"),
    [
        ("$.layer", CONFIG, JSON, "the file has nothing at `$.layer`", "did you mean `layers`?"),
        ("$.l[*]", CONFIG, JSON, "`$.l[*]` gives 2 values", "write a path that leads to one"),
        ("$.[", CONFIG, JSON, "`$.[` is no JSONPath", ""),
        ("$.a", b"{", JSON, "the file cannot be read as application/json", ""),
        ("$.a", b"a: [", YAML, "the file cannot be read as application/yaml", ""),
        ("$.a", b"a = ", TOML, "the file cannot be read as application/toml", ""),
        ("$.a", b'{"a": 1, "a": 2}', JSON, "the file has the key `a` twice", ""),
        ("$.a", b"a: 1\na: 2\n", YAML, "the file has the key `a` twice", ""),
        ("$.b", b"a: &x 1\nb: *x\n", YAML, "the file uses YAML aliases", ""),
        ("$.a", b"[" * 100_000, JSON, "the file is nested too deeply", ""),
        ("$.a", b"text", TEXT, "a JSONPath reads JSON, YAML and TOML", "write `lines 3-9`"),
        ("layers", CONFIG, JSON, "`layers` is a name in Python source", "write a JSONPath"),
        ("Config.a", b"class Config: pass\n", PYTHON, "the file sets no `Config.a`", ""),
        ("lines 2-9", b"one\n", TEXT, "the file has 2 lines, not lines 2-9", ""),
        ("lines 3-2", b"1\n2\n3\n", TEXT, "the file has 4 lines, not lines 3-2", ""),
        ("__import__('os')", b"", PYTHON, "`__import__('os')` is no expression", "write `$.a.b`"),
        ("line 1", b"def (", PYTHON, "the file cannot be read as Python source", ""),
        ("$.a", b"\xff", JSON, "the file is not UTF-8 at byte 0", ""),
    ],
)
def test_an_expression_that_gives_no_value_says_why(
    expression: str, data: bytes, media: str, message: str, hint: str
) -> None:
    with pytest.raises(ExpressionError) as caught:
        read(expression, data, media)
    assert caught.value.message.startswith(message)
    assert caught.value.hint.startswith(hint)


@pytest.mark.parametrize("lines", ["lines 2-2", "line 3"])
def test_prose_in_python_source_confirms_nothing(lines: str) -> None:
    source = (
        b'class Config:\n    """Heron has 14.8B parameters."""\n    # 14.8B in all\n    a = 1\n'
    )
    with pytest.raises(ExpressionError, match="prose about the code, which confirms nothing"):
        read(lines, source, PYTHON)
    assert read("lines 4-4", source, PYTHON).value == "    a = 1"


def test_yaml_tags_make_no_objects() -> None:
    assert read("$", b"!!python/object/apply:os.abort []", YAML).value == "[]"
