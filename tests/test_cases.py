"""Real-world bad inputs with their right outcome, carried over to this project's field names."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import markdown
import pytest
from selectolax.lexbor import LexborHTMLParser

from evidence_matrix.checking import check
from evidence_matrix.cli import main
from evidence_matrix.exports import export
from evidence_matrix.findings import Finding, Severity
from evidence_matrix.render import render
from evidence_matrix.store import load
from tests.conftest import TODAY

FILE = "claims/acme/wren.yaml"
WREN = """\
subject: {name: Wren, kind: model}
claims:
  params.total:
    statement: The card gives 14.8 billion parameters in total.
    label: D
    value: 14.8B
    evidence:
      - source: egret-2-card
        at: line 3
        quote: Wren has 14.8B parameters
    public: 2025-06-03
    checked: 2026-07-19
"""
ACTIVE = """\
  params.active:
    label: D
    value: 120B
    evidence:
      - {source: egret-2-card, at: line 4, quote: 120B parameters activated per token}
    public: 2025-06-03
    checked: 2026-07-19
"""


@dataclass(frozen=True)
class Case:
    """An input, and what must be said of it.

    Attributes:
        line: the line of the finding; 0 where any will do.
        says: words of message or hint, all of which must be there.
    """

    name: str
    text: str
    code: str
    line: int
    says: tuple[str, ...] = ()


def wren(*changes: tuple[str, str]) -> str:
    text = WREN
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return text


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)

REJECTED = [
    Case(
        "a second label",
        wren(("    label: D\n", "    label: D\n    label: C\n")),
        "EM004",
        6,
        ("5",),
    ),
    Case("a tab that indents", wren(("    label: D", "\tlabel: D")), "EM003", 5, ("tab",)),
    Case("an empty file", "", "EM008", 0),
    Case("a second document", WREN + "---\n" + WREN, "EM006", 13),
    Case(
        "a tag that runs a command",
        wren(
            ("14.8B\n    evidence", "!!python/object/apply:os.system [touch PWNED]\n    evidence")
        ),
        "EM005",
        6,
    ),
    Case("an alias bomb", BOMB, "EM005", 0),
    Case(
        "an impossible date", wren(("2025-06-03", "2025-02-30")), "EM013", 11, ("30 February 2025",)
    ),
    Case(
        "a direction override",
        wren(("The card gives 14.8", "The card gives ‮8.41‬")),
        "EM009",
        4,
        ("U+202E", "column"),
    ),
    Case(
        "a letter of another script in an id",
        WREN + WREN.partition("claims:\n")[2].replace("params", "pаrams"),
        "EM009",
        13,
        ("U+0430", "params.total"),
    ),
    Case(
        "a source one letter off",
        wren(("egret-2-card", "egret-2-cards")),
        "EM205",
        8,
        ("egret-2-cards", "egret-2-card"),
    ),
    Case(
        "D with an empty list",
        WREN.partition("    evidence")[0] + "    evidence: []\n    checked: 2026-07-19\n",
        "EM201",
        5,
        ("primary source",),
    ),
    Case(
        "a label that is none",
        wren(("label: D", "label: V")),
        "EM100",
        5,
        ("disclosed", "confirmed artifact", "reproduced", "inference", "unknown"),
    ),
    Case("a label in lower case", wren(("label: D", "label: d")), "EM100", 5, ("write D",)),
    Case(
        "U with a value",
        wren(
            ("label: D", "label: U"),
            (
                "    evidence",
                "    looked_for: [parameters]\n    looked_in: [egret-2-card]\n"
                "    reason: not verifiable\n    next: [heron-1-cost-note]\n    evidence",
            ),
        ),
        "EM110",
        6,
        ("no value", "premises"),
    ),
    Case(
        "more active than there are",
        WREN + ACTIVE,
        "EM404",
        15,
        ("wren/params.active", "wren/params.total", "120B", "14.8B"),
    ),
    Case(
        "read before it was public",
        wren(("checked: 2026-07-19", "checked: 2024-02-11")),
        "EM107",
        12,
        ("2024-02-11", "2025-06-03"),
    ),
    Case(
        "C without a file and an expression",
        wren(("label: D", "label: C")),
        "EM209",
        8,
        ("expression",),
    ),
    Case(
        "a path that climbs out",
        wren(
            ("label: D", "label: C"),
            (
                "        at: line 3\n        quote: Wren has 14.8B parameters\n",
                "        path: ../../../../etc/hostname\n        read: $.n\n",
            ),
        ),
        "EM213",
        9,
        ("../../../../etc/hostname",),
    ),
]


def findings(root: Path) -> list[Finding]:
    return list(check(load(root, TODAY)).findings)


@pytest.mark.parametrize("case", REJECTED, ids=lambda case: case.name)
def test_bad_input_is_refused_at_its_line_and_the_rest_is_still_judged(
    world: Callable[[dict[str, str]], Path], case: Case, capfd: pytest.CaptureFixture[str]
) -> None:
    other = WREN.replace("Wren", "Stork").replace("checked: 2026-07-19", "checked: 2126-01-01")
    started = time.process_time()
    root = world({FILE: case.text, "claims/acme/stork.yaml": other})
    found = findings(root)
    assert time.process_time() - started < 2 or case.name != "an alias bomb"
    mine = [f for f in found if f.code == case.code and f.file == FILE]
    assert mine, [f"{f.code}:{f.line} {f.message}" for f in found]
    assert case.line in (0, *(f.line for f in mine)), [(f.line, f.message) for f in mine]
    said = " ".join(f"{f.message} {f.hint}" for f in mine)
    for words in case.says:
        assert words in said
    assert all(f.hint for f in mine)
    assert len(said) < 2000
    assert [f for f in found if f.code == "EM108" and f.file == "claims/acme/stork.yaml"]
    assert main(["check", "--root", str(root), "--today", str(TODAY)]) == 1
    assert "Traceback" not in "".join(capfd.readouterr())
    assert not list(Path().glob("PWNED"))


def test_premises_that_go_round_are_told_in_order_with_their_lines(
    world: Callable[[dict[str, str]], Path],
) -> None:
    text = """\
subject: {name: Wren, kind: model}
claims:
  tokens.pretrain:
    label: I
    premises: {steps: wren/env.tasks}
    formula: steps * 1
    value: about 4M
  env.tasks:
    label: I
    premises: {tokens: wren/tokens.pretrain}
    formula: tokens * 1
    value: about 4M
"""
    found = [f for f in findings(world({FILE: text})) if f.code == "EM116"]
    assert len(found) == 1
    assert "wren/tokens.pretrain -> wren/env.tasks -> wren/tokens.pretrain" in found[0].message
    assert f"{FILE}:3" in found[0].message
    assert f"{FILE}:8" in found[0].message


ACCEPTED = {
    "NO stays NO": ("data.sources", "NO", "the largest site (NO)"),
    "no stays no": ("data.sources", "no", "gated: no"),
    "a time of day stays one": ("data.sources", "12:30:00", "the longest run took 12:30:00"),
    "2.10 stays 2.10": ("data.sources", "2.10", "built with version 2.10"),
    "15e12 is fifteen trillion": ("tokens.pretrain", "15e12", "trained on 15T tokens"),
    "a value with a suffix": ("params.total", "96B", "96B parameters"),
    "more than ten thousand": ("env.tasks", ">10,000", "over 10K executable environments"),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_text_is_the_same_in_the_record_the_page_and_the_exports(
    world: Callable[[dict[str, str]], Path], tmp_path: Path, name: str
) -> None:
    aspect, value, quote = ACCEPTED[name]
    text = (
        WREN.replace("params.total", aspect)
        .replace("value: 14.8B", f"value: {value}" if value[0] != ">" else f'value: "{value}"')
        .replace("quote: Wren has 14.8B parameters", f"quote: '{quote}'")
    )
    root = world({FILE: text, "mkdocs.yml": "site_name: Tiny\n"})
    assert not [f.message for f in findings(root) if f.severity is Severity.ERROR]
    matrix = load(root, TODAY).matrix
    export(matrix, tmp_path / "data")
    (row,) = [
        claim
        for claim in json.loads((tmp_path / "data/claims.json").read_text())["claims"]
        if claim["subject"] == "wren"
    ]
    assert row["value"] == value
    numbers = {
        "15e12": ("15000000000000", "15000000000000"),
        "96B": ("96000000000", "96000000000"),
        ">10,000": ("10000", None),
    }
    if value in numbers:
        assert (row["low"], row["high"]) == numbers[value]
    render(matrix, root / "build")
    page = (root / "build/docs/claims/wren/index.md").read_text()
    assert value.replace(">", "&gt;") in page
    for wrong in ("False", "false<", "45000", ">2.1<"):
        assert wrong not in page


EXTENSIONS = ["abbr", "attr_list", "tables", "toc", "pymdownx.superfences"]
EXTENSIONS += ["evidence_matrix.pages.finished_html"]
HOSTILE = {
    "markup": '</td></table><script>window.__em=1</script><img src=x onerror="window.__em=2">',
    "templates": "The prompt was {{ 7*7 }}, then {{ config.__class__ }}, then {% if",
    "tables": "Loss is | mean | over `a | b` tokens.\\n|---|---|\\n| second | row |",
    "links": "[here](javascript:alert(1)) <javascript:alert(1)> ![x](http://evil.example/x.png)",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_shown_as_text_on_every_page_and_runs_nothing(
    world: Callable[[dict[str, str]], Path], name: str
) -> None:
    written = HOSTILE[name].replace("\\n", " ")
    quoted = json.dumps(written)
    text = WREN.replace(
        "statement: The card gives 14.8 billion parameters in total.",
        f"statement: {quoted}\n    means: {quoted}\n    note: {quoted}",
    )
    root = world({FILE: text, "mkdocs.yml": "site_name: Tiny\n"})
    assert not [f.message for f in findings(root) if f.severity is Severity.ERROR]
    render(load(root, TODAY).matrix, root / "build")
    for path in (root / "build/docs").rglob("*.md"):
        body = path.read_text().split("---\n", 2)[-1]
        shown = LexborHTMLParser(markdown.markdown(body, extensions=EXTENSIONS))
        assert not [node for node in shown.css("script") if "__em" in node.text()]
        assert not shown.css("img[src=x], img[src*='evil.example']")
        links = [node.attributes.get("href") or "" for node in shown.css("a")]
        assert not [link for link in links if link.startswith("javascript:")]
        assert "49, then" not in shown.text()
        if path.parent.name == "wren":
            assert written.partition("`")[0] in shown.text()


def test_a_check_of_nothing_is_a_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "claims").mkdir()
    assert main(["check", "--root", str(tmp_path), "--today", str(TODAY)]) == 1
    assert "EM410" in capsys.readouterr().out


def test_a_folder_without_records_cannot_be_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--root", str(tmp_path)]) == 2
    assert "claims/" in capsys.readouterr().err
