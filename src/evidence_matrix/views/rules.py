"""A page for each rule, made from the rule itself, and the list of them all."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.matrix import Matrix
from evidence_matrix.pages.composer import Composer
from evidence_matrix.pages.page import Content, Find, Page
from evidence_matrix.pages.tables import column, row, table, table_page, text_cell
from evidence_matrix.rules import Rule, all_rules

_FAMILIES = {
    "0": "Files",
    "1": "Claims",
    "2": "Evidence",
    "3": "Sources",
    "4": "The whole matrix",
    "5": "Prose",
    "6": "Runs",
}


def pages(matrix: Matrix) -> Iterator[Page]:
    """The list, and one page a rule."""
    yield Page(
        url="rules/",
        template="table",
        title="Rules",
        description="What the check refuses, rule by rule.",
        content=_list,
        shows={"page:rules": ""},
        tab="Method",
        nav="Rules",
        order=40,
    )
    for rule in all_rules():
        yield Page(
            url=f"rules/{rule.code}/",
            template="chapter",
            title=f"{rule.code} {rule.name}",
            description=rule.summary,
            content=lambda _, rule=rule: _rule(rule),  # type: ignore[misc]
            shows={f"rule:{rule.code}": ""},
            tab="Method",
            crumbs=(("Rules", "page:rules"),),
            finds=(Find(f"{rule.code} {rule.name}", "Rule", id=rule.code, text=rule.summary),),
        )


def _rule(rule: Rule) -> Content:
    body = rule.docstring.replace("\n## ", "\n\n## ")
    facts = f"Severity: {rule.severity.value}. Judges: {rule.scope.value}."
    return {"chapter": {"body": f"{body}\n\n{facts}\n", "notes": []}}


def _list(composer: Composer) -> Content:
    tables = []
    for digit, family in _FAMILIES.items():
        rules = [rule for rule in all_rules() if rule.code[2] == digit]
        if not rules:
            continue
        rows = [
            row(
                rule.code,
                [text_cell(rule.name), text_cell(rule.summary), text_cell(rule.severity.value)],
                composer.href(f"rule:{rule.code}"),
            )
            for rule in rules
        ]
        columns = [column("Code"), column("Name"), column("What it refuses"), column("Severity")]
        tables.append(table(family, columns, rows, section=family, linked=True))
    lede = (
        f"{len(all_rules())} rules. Each is one fault, with the reason, an example that has it and "
        "one that does not; both examples are run as tests."
    )
    return table_page(composer, lede, tables)
