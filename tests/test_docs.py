"""What is written about the project is true of it, and what may not be in it is not."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from evidence_matrix.cli import all_commands
from evidence_matrix.labels import Label
from evidence_matrix.rules import all_rules

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
DECISIONS = sorted((ROOT / "docs/decisions").glob("[0-9]*.md"))
COMMAND = re.compile(r"evidence-matrix ([a-z]+)")
PACKAGE = ROOT / "src/evidence_matrix"
MODULES = {path.stem for path in PACKAGE.rglob("*.py")} | {
    path.name for path in PACKAGE.iterdir() if path.is_dir()
}
NAMED = {  # the names that the design gives, used from outside
    "labels", "quantity", "dates", "evidence", "records", "bibtex", "yaml_lines", "store", "matrix",
    "findings", "rules", "checking", "text", "receipts", "verify", "views", "prose", "render",
    "exports", "diff", "objectives", "site", "cli",
}  # fmt: skip


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, text=True, check=False
    )
    names = [name for name in listed.stdout.split("\0") if name]
    if not names:  # an archive without git
        paths = [path for folder in ("src", "tests", "docs") for path in (ROOT / folder).rglob("*")]
        names = [str(path.relative_to(ROOT)) for path in paths]
    return [ROOT / name for name in names if (ROOT / name).is_file()]


@pytest.mark.parametrize("file", ["README.md", "CONTRIBUTING.md"])
def test_every_command_that_is_named_exists(file: str) -> None:
    named = set(COMMAND.findall((ROOT / file).read_text(encoding="utf-8")))
    assert named
    assert named <= set(all_commands())


def test_every_command_is_in_the_readme() -> None:
    named = set(COMMAND.findall(README)) | set(re.findall(r"`([a-z]+)`", README))
    missing = set(all_commands()) - named
    assert not missing


def test_every_label_is_in_the_readme_under_its_name() -> None:
    for label in Label:
        assert f"| {label} {label.in_words} |" in README


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_every_rule_says_why_and_shows_bad_and_good(rule: object) -> None:
    for heading in ("Why", "Bad", "Good"):
        assert len(rule.section(heading)) > 15


def test_the_names_of_the_design_exist() -> None:
    assert NAMED <= MODULES


def test_the_names_in_the_readme_exist() -> None:
    tree = README.partition("src/evidence_matrix/\n")[2].partition("tests/")[0]
    names = re.findall(r"^ {4}((?:[a-z_]+/? )+) ", tree, re.MULTILINE)
    for name in " ".join(names).replace("/", "").split():
        assert name in MODULES | {"templates"}, name


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.stem)
def test_a_decision_is_numbered_titled_and_linked(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("# ")
    assert len([line for line in lines[1:] if line]) >= 1
    listed = (ROOT / "docs/decisions/README.md").read_text(encoding="utf-8")
    assert f"[{lines[0][2:]}]({path.name})" in listed


def test_decisions_count_up_without_a_gap() -> None:
    assert [int(path.name[:4]) for path in DECISIONS] == list(range(1, len(DECISIONS) + 1))


@pytest.mark.parametrize("file", ["README.md", "CONTRIBUTING.md", "docs/decisions/README.md"])
def test_links_between_the_files_lead_somewhere(file: str) -> None:
    path = ROOT / file
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target


# The words are put together here, so that this file does not hold what it forbids.
FORBIDDEN = {
    "a path of one machine": r"/(?:work|home|root|Users)" + r"/(?:main|scratch|shared|brief|\.)",
    "a folder beside the project": r"\.\./" + "shared",
    "a list of another place": r"(?:/|`|\s)\." + r"library\b",
    "a host of a registry": "|".join(
        [r"pypi\." + "org", "files" + r"\.pythonhosted", r"registry\." + "npmjs"]
    ),
    "how the work was done": "|".join(
        [
            r"\b(?:by|in) an agent" + " session",
            "Claude" + " wrote",
            r"written by an? " + "(?:LLM|AI)",
            "as an? AI" + " model",
        ]
    ),
    "what is left to do": r"\b(?:TO" + "DO|FIX" + r"ME)\b",
    "a test that is not run": r"pytest\.mark\." + r"(?:skip|xfail)|pytest\." + r"skip\(",
    "code that is not counted": "pragma:" + " no cover",
    "a stub": "NotImplemented" + "Error",
    "a secret": r"(?:ghp|gho|sk|AKIA)" + r"[-_]?[A-Za-z0-9]{30,}|BEGIN " + "[A-Z ]*PRIVATE KEY",
}
# A source may name a registry in an address, and a package is fetched from one.
NETWORK = {"network.py", "packages.py", "requirements.lock", "Makefile"}
SUFFIXES = {".py", ".md", ".yaml", ".yml", ".toml", ".bib", ".j2", ".js", ".css", ".json", ".lock",
            ".cff", ""}  # fmt: skip


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_tracked_file_holds(what: str) -> None:
    pattern = re.compile(FORBIDDEN[what])
    found = []
    for path in tracked():
        is_data = path.suffix in (".bib", ".json") or "vendor" in path.parts
        if path.suffix not in SUFFIXES or path.name in NETWORK or "vendor" in path.parts:
            continue
        if what == "a host of a registry" and is_data:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if pattern.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}")
    assert not found


def test_the_guide_shows_a_claim_that_would_pass() -> None:
    assert "claims/acme/wren.yaml" in GUIDE
    for field in ("label: D", "value: ", "source: ", "at: ", "quote: ", "public: ", "checked: "):
        assert field in GUIDE
