"""What every objective's file must hold, whichever objective it is."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from reference import all_cases

from evidence_matrix.objectives import FOLDER, catalog, discover, load

HERE = Path(__file__).parent
OPTIONAL = {"denominator", "nll_denominator", "likelihood_denominator", "final_values"}
"""Arguments that may have a default: all others are choices that the caller must make."""

every_objective = pytest.mark.parametrize("module", discover())


@every_objective
def test_first_line_names_the_objective_and_says_what_it_is(module):
    entry = catalog.entry(module)
    assert entry.name
    assert entry.summary.endswith(".")
    assert entry.summary.count(". ") == 0, "one sentence"


@every_objective
def test_parts_are_present_and_none_is_a_stump(module):
    entry = catalog.entry(module)
    for part in (entry.idea, entry.equation, entry.choices, entry.tested):
        assert len(part.split()) >= 15


@every_objective
def test_equation_is_latex_with_its_source(module):
    entry = catalog.entry(module)
    assert len(re.findall(r"^\$\$$", entry.equation, re.MULTILINE)) % 2 == 0
    assert "$$" in entry.equation
    assert entry.source
    for line in entry.source:
        assert re.search(r"arXiv \d{4}\.\d{5}|Eqs?\. \d|not confirmed|no equation number", line)
        if "arXiv" in line and "Eq" not in line:
            assert "not confirmed" in line or "no equation number" in line
        if "arXiv" in line and not re.search(r"arXiv \d{4}\.\d{5}v\d+", line):
            assert "version" in line
            assert "not confirmed" in line


@every_objective
def test_every_argument_is_in_the_symbol_table_and_nothing_else_is(module):
    entry = catalog.entry(module)
    arguments = [name for function in entry.code for name in function.arguments]
    table = [symbol.argument for symbol in entry.symbols]
    assert set(table) == set(arguments)
    assert len(table) == len(set(table))


@every_objective
def test_symbols_are_tied_to_lines_of_the_code(module):
    entry = catalog.entry(module)
    source = (FOLDER / f"{module}.py").read_text(encoding="utf-8").splitlines()
    for symbol in entry.symbols:
        assert len(symbol.lines) >= 2, f"{symbol.argument} is taken and not used"
        for line in symbol.lines:
            assert re.search(rf"\b{symbol.argument}\b", source[line - 1])


@every_objective
def test_no_contested_choice_has_a_default(module):
    for function in catalog.entry(module).code:
        assert set(function.defaults) <= OPTIONAL


@every_objective
def test_hyper_parameters_are_keyword_only(module):
    tree = ast.parse((FOLDER / f"{module}.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            for argument in node.args.args:
                kind = ast.unparse(argument.annotation)
                assert kind in ("Tensor", "Tensor | None"), f"{node.name}({argument.arg}: {kind})"


@every_objective
def test_public_functions_say_what_they_give(module):
    tree = ast.parse((FOLDER / f"{module}.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node)
            assert node.returns is not None


@every_objective
def test_file_stands_alone_but_for_the_shared_pieces(module):
    """Objectives do not import each other; `kl` is a piece that others may use."""
    spokes = set(discover()) - {"kl"}
    for imported in _imports(FOLDER / f"{module}.py"):
        if imported.startswith("evidence_matrix"):
            piece = imported.removeprefix("evidence_matrix.objectives").lstrip(".")
            assert imported.startswith("evidence_matrix.objectives")
            assert piece not in spokes
        else:
            assert imported.split(".")[0] in {"torch", *sys.stdlib_module_names}


@every_objective
def test_file_fits_on_a_few_screens(module):
    assert len((FOLDER / f"{module}.py").read_text(encoding="utf-8").splitlines()) <= 250


@every_objective
def test_it_can_be_called_by_its_name(module):
    assert load(module).__name__ == module


@every_objective
def test_it_has_a_test_file_of_its_own(module):
    assert (HERE / f"test_{module}.py").is_file()


def test_no_two_objectives_claim_the_same_place():
    orders = [entry.order for entry in catalog.entries()]
    assert len(orders) == len(set(orders))


def test_an_unknown_objective_is_an_error_that_lists_the_known_ones():
    with pytest.raises(KeyError, match=r"no objective 'gpro'; there are .*grpo"):
        load("gpro")


def test_the_catalog_is_read_without_torch():
    program = (
        "import sys; sys.modules['torch'] = None\n"
        "from evidence_matrix.objectives import catalog\n"
        "print(len(catalog.entries()))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == str(len(discover())), done.stderr


def test_only_runs_import_torch_or_an_objective():
    """Reproductions run the objectives; the rest of the package reads them as text."""
    need_torch = {path.stem for path in FOLDER.glob("*.py")} - {"__init__", "catalog"}
    for path in FOLDER.parent.rglob("*.py"):
        if {FOLDER, FOLDER.parent / "runs"} & set(path.parents):
            continue
        for imported in _imports(path):
            package, _, rest = imported.partition("evidence_matrix.objectives.")
            assert package.split(".")[0] != "torch", path
            assert rest.split(".")[0] not in need_torch, path


def test_every_reference_case_is_used_by_a_test():
    used = set()
    for path in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Name(id="vector"), args=[ast.Constant(value=str() as case), *_]
                ):
                    used.add(case)
    assert set(all_cases()) - used == set()
    assert used - set(all_cases()) == set()


def _imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            # `from evidence_matrix.objectives import shapes` imports a module too.
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found
