"""The house: imports point down, spokes do not know each other, modules are small and named."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import TINY

PACKAGE = Path(__file__).parents[1] / "src" / "evidence_matrix"
MODULES = sorted(PACKAGE.rglob("*.py"))
MOST_LINES = 400
BANNED = {"utils", "util", "helpers", "common", "models", "base", "manager", "misc", "tools"}
SPOKES = ("rules", "views", "exports", "commands", "drills")


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def home_of(module: str) -> str:
    """The module itself, or the folder that holds it."""
    return module.partition(".")[0]


@cache
def imports_of(path: Path) -> frozenset[tuple[str, bool]]:
    """Our modules that a file imports, and whether it does so as soon as it is imported itself."""
    found = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    late = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test))
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
            for alias in node.names:
                inner = PACKAGE / Path(*node.module.split(".")[1:]) / f"{alias.name}.py"
                if node.module.startswith("evidence_matrix") and inner.is_file():
                    names = [name for name in names if name != node.module]
                    names.append(f"{node.module}.{alias.name}")
        found |= {(name, id(node) not in late) for name in names}
    return frozenset(found)


def ours(path: Path, *, at_once: bool = True) -> Iterator[str]:
    for name, early in sorted(imports_of(path)):
        if name.startswith("evidence_matrix.") and (early or not at_once):
            yield name.removeprefix("evidence_matrix.")


def homes() -> dict[str, set[str]]:
    """What each module or folder imports at once, of other modules and folders."""
    graph: dict[str, set[str]] = {}
    for path in MODULES:
        home = home_of(name_of(path))
        if home:
            graph.setdefault(home, set()).update(home_of(name) for name in ours(path))
            graph[home].discard(home)
    return graph


def test_imports_go_round_nowhere() -> None:
    graph = homes()
    done: list[str] = []
    while len(done) < len(graph):
        free = [home for home, needs in graph.items() if home not in done and needs <= set(done)]
        left = {home: needs - set(done) for home, needs in graph.items() if home not in done}
        assert free, f"these import each other: {left}"
        done += free


def below(home: str) -> set[str]:
    graph = homes()
    seen: set[str] = set()
    todo = [home]
    while todo:
        for need in graph.get(todo.pop(), ()):
            if need not in seen:
                seen.add(need)
                todo.append(need)
    return seen


ABOVE = {
    "syntax": ("yaml_lines", "quantity", "records", "matrix", "store"),
    "notation": ("quantity", "records", "matrix", "store"),
    "records": ("matrix", "store", "rules", "checking", "views", "render", "cli", "receipts"),
    "evidence": ("records", "matrix", "store", "rules", "checking", "views"),
    "matrix": ("store", "rules", "checking", "views", "exports", "render", "cli"),
    "store": ("rules", "checking", "views", "exports", "render", "verify", "cli"),
    "loading": ("store", "rules", "checking", "verification", "views", "render", "cli"),
    "verification": ("rules", "checking", "verify", "pages", "views", "render", "cli"),
    "rules": ("checking", "views", "exports", "render", "commands", "cli", "store"),
    "checking": ("views", "exports", "render", "commands", "cli", "verify"),
    "exports": ("views", "render", "site", "commands", "cli"),
    "pages": ("figures", "views", "exports", "render", "site", "commands", "cli"),
    "figures": ("views", "render", "site", "commands", "cli"),
    "views": ("render", "site", "commands", "cli"),
    "render": ("site", "commands", "cli"),
    "site": ("commands", "cli"),
    "commands": ("cli",),
}


@pytest.mark.parametrize("home", ABOVE)
def test_imports_point_down(home: str) -> None:
    assert not below(home) & set(ABOVE[home])


@pytest.mark.parametrize("home", sorted({home for above in ABOVE.values() for home in above}))
def test_what_the_order_names_is_there(home: str) -> None:
    assert home in homes()


@pytest.mark.parametrize(
    "ground", ["syntax/places", "syntax/spelling", "syntax/collector", "labels"]
)
def test_the_ground_imports_nothing_of_ours(ground: str) -> None:
    assert not list(ours(PACKAGE / f"{ground}.py", at_once=False))


@pytest.mark.parametrize("folder", SPOKES)
def test_spokes_do_not_import_each_other(folder: str) -> None:
    for path in (PACKAGE / folder).glob("*.py"):
        if path.stem == "__init__":
            continue
        siblings = [n for n in ours(path, at_once=False) if n.startswith(f"{folder}.")]
        assert not siblings, f"{path.name} imports {siblings}"


def test_objectives_import_nothing_of_ours_but_objectives() -> None:
    for path in (PACKAGE / "objectives").glob("*.py"):
        others = [n for n in ours(path, at_once=False) if home_of(n) != "objectives"]
        assert not others, f"{path.name} imports {others}"


def test_only_objectives_and_runs_import_torch() -> None:
    for path in MODULES:
        if home_of(name_of(path)) not in ("objectives", "runs"):
            assert not [n for n, _ in imports_of(path) if n.partition(".")[0] == "torch"], path


HEAVY = {
    "mkdocs",
    "material",
    "jinja2",
    "torch",
    "pypdfium2",
    "selectolax",
    "playwright",
    "numpy",
    "httpx",
}


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "--root", str(TINY), "--today", "2026-07-20"],
        ["why", "--root", str(TINY), "heron-1/params.total"],
        ["stats", "--root", str(TINY)],
        ["explain", "EM101"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_what_reads_records_loads_no_site_generator_and_no_parser_of_documents(
    arguments: list[str],
) -> None:
    program = (
        "import sys; from evidence_matrix.cli import main; code = main(sys.argv[1:]); "
        "print(*sorted(sys.modules), file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "evidence_matrix.store" in done.stderr.split() or arguments[0] == "explain"
    assert not HEAVY & set(done.stderr.split())


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_module_is_small_named_for_what_it_knows_and_says_so(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES
    assert not BANNED & set(path.relative_to(PACKAGE).with_suffix("").parts)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstring = ast.get_docstring(tree) or ""
    first = docstring.partition("\n\n")[0].replace("\n", " ")
    assert first, f"{path.name} has no docstring"
    assert first.rstrip(")").endswith((".", "!")), first


def test_tests_mirror_the_package() -> None:
    """A test module is named for a module of the package, or for one of the things in `whole`."""
    tests = Path(__file__).parent
    whole = {"architecture", "docs", "record", "cases", "benchmarks", "browser", "site"}
    whole |= {"reader", "chips", "interaction", "accessibility", "layout"}  # of the built site
    known = {name_of(path).rpartition(".")[2] for path in MODULES} | whole
    for path in tests.glob("test_*.py"):
        assert path.stem.removeprefix("test_") in known, path.name
    for folder in ("commands", "exports", "figures", "loading", "notation", "pages", "syntax"):
        names = {p.stem for p in (PACKAGE / folder).glob("*.py")}
        for path in (tests / folder).glob("test_*.py"):
            assert path.stem.removeprefix("test_") in names, path


@pytest.mark.parametrize(
    "command", sorted(p.stem for p in (PACKAGE / "commands").glob("[a-z]*.py"))
)
def test_every_command_has_tests(command: str) -> None:
    assert (Path(__file__).parent / "commands" / f"test_{command}.py").is_file()
