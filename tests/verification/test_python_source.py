from __future__ import annotations

import pytest

from evidence_matrix.verification.python_source import NoValueError, prose_at, value_of

SOURCE = '''"""Heron has 14.8B parameters."""
import os  # read for its side effects

os.abort()
VOCAB = 129_280
RATE: float = 1e-5
LOW = -0.5
NAMES = ("a", "b")
DERIVED = VOCAB * 2


@dataclass
class Config(Base):
    """The 61-layer Heron.

    layers (`int`, defaults to 61)
    """

    # 99 layers in an older version
    layers: int = 61
    heads: int = field(default=128, repr=False)
    ratios: list = field(default_factory=list)
    name = "heron"
    tied = True
    rope = None
    table = {"type": "yarn", "factor": 40}
    twice = 1
    twice = 2
    bare: int

    def __init__(self, hidden=7168, *, window=4096, **rest):
        self.unseen = 3
'''


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("VOCAB", "129280"),
        ("RATE", "1e-5"),
        ("LOW", "-0.5"),
        ("NAMES", "[a, b]"),
        ("Config.layers", "61"),
        ("Config.heads", "128"),
        ("Config.name", "heron"),
        ("Config.tied", "true"),
        ("Config.rope", "null"),
        ("Config.table", "{type: yarn, factor: 40}"),
        ("Config.hidden", "7168"),
        ("Config.window", "4096"),
    ],
)
def test_a_literal_is_read_without_running_the_file(name: str, value: str) -> None:
    assert value_of(name, SOURCE) == value


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("Confg.layers", "the file has no class `Confg`", "did you mean `Config`?"),
        ("Config.layer", "the file sets no `Config.layer`", "did you mean `layers`?"),
        ("Config.windw", "the file sets no `Config.windw`", "did you mean `window`?"),
        ("VOCABS", "the file sets no `VOCABS`", "did you mean `VOCAB`?"),
        ("Config.docstring", "the file sets no `Config.docstring`", ""),
        ("Config.unseen", "the file sets no `Config.unseen`", ""),
        ("Config.bare", "the file sets no `Config.bare`", ""),
        ("Config.twice", "`Config.twice` is set more than once: 1, 2", ""),
    ],
)
def test_a_name_without_one_value_says_why(name: str, message: str, hint: str) -> None:
    with pytest.raises(NoValueError) as caught:
        value_of(name, SOURCE)
    assert (caught.value.message, caught.value.hint) == (message, hint)


@pytest.mark.parametrize("name", ["DERIVED", "Config.ratios"])
def test_a_computed_value_is_no_literal(name: str) -> None:
    with pytest.raises(NoValueError, match="is computed"):
        value_of(name, SOURCE)


def test_source_that_is_no_python_is_told() -> None:
    with pytest.raises(NoValueError, match="cannot be read as Python source"):
        value_of("A", "def (")


@pytest.mark.parametrize(
    ("first", "last", "prose"),
    [
        (1, 1, "a docstring"),
        (16, 16, "a docstring"),
        (19, 19, "a comment"),
        (18, 19, "a comment"),
        (20, 20, None),
        (2, 2, None),
        (19, 20, None),
        (4, 4, None),
    ],
)
def test_lines_of_prose_are_told_from_lines_of_code(
    first: int, last: int, prose: str | None
) -> None:
    assert prose_at(SOURCE, first, last) == prose
