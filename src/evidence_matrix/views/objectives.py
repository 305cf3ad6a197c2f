"""The source-level lab: a page for each objective, read from its file, and the reference table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from evidence_matrix.composer import Composer
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.objectives.catalog import Entry, Function, entries
from evidence_matrix.pages import Content, Page
from evidence_matrix.tables import column, row, table, table_page, text_cell

_TRAINED = ("rl.", "sft.", "pref.", "distill.", "optimizer.", "post.")


def pages(matrix: Matrix) -> Iterator[Page]:
    """The reference, and one page an objective; the site is built without torch."""
    found = entries()
    users = _users(matrix)
    yield Page(
        url="objectives/",
        template="table",
        title="Objective reference",
        description="Losses and estimators of post-training as code that runs, with their papers.",
        content=lambda composer: _reference(composer, found, users),
        shows={"page:objectives": ""},
        tab="Chapters",
        nav="Objective reference",
        order=300,
        wide=True,
    )
    for entry in found:
        yield Page(
            url=f"objectives/{entry.id}/",
            template="chapter",
            title=entry.name,
            description=f"{entry.name}: {entry.summary}",
            content=partial(_objective, entry=entry, users=users.get(entry.id, ())),
            shows={f"objective:{entry.id}": ""},
            tab="Chapters",
            crumbs=(("Objective reference", "page:objectives"),),
            kind="Objective",
            math=True,
        )


def _reference(composer: Composer, found: tuple[Entry, ...], users: Users) -> Content:
    rows = []
    for entry in found:
        arguments = {name for function in entry.code for name in function.arguments}
        named = (composer.matrix.subjects[c.subject].name for c in users.get(entry.id, ()))
        subjects = dict.fromkeys(named)
        cells = [
            text_cell(entry.summary),
            text_cell(_needs(arguments, ("old_log_prob", "behavior", "rollout", "proximal"))),
            text_cell(_needs(arguments, ("value", "returns"))),
            text_cell(_needs(arguments, ("ref_log_prob", "reference", "ref_"))),
            text_cell(_needs(arguments, ("teacher",))),
            text_cell("; ".join(source.partition(",")[0] for source in entry.source)),
            text_cell(", ".join(subjects)),
        ]
        rows.append(row(entry.name, cells, composer.href(f"objective:{entry.id}")))
    titles = (
        "Objective",
        "What it is",
        "Sampling policy",
        "Critic",
        "Reference",
        "Teacher",
        "Paper",
        "Named in claims about",
    )
    lede = (
        "Each row is a file of code that runs and is tested against hand-worked numbers, finite "
        "differences and values of other implementations. What a function needs is read off its "
        "arguments."
    )
    return table_page(
        composer,
        lede,
        [table("Objectives", [column(title) for title in titles], rows, wide=True, linked=True)],
    )


def _needs(arguments: set[str], words: tuple[str, ...]) -> str:
    return "yes" if any(word in name for name in arguments for word in words) else "no"


Users = Mapping[str, Sequence[Claim]]
"""Claims that name a term of an objective, by the id of the objective."""


def _users(matrix: Matrix) -> Users:
    """Claims whose value is a term that an objective implements."""
    names: dict[str, set[str]] = {}
    for name, term in matrix.term_names.items():
        if objective := matrix.terms[term].record.objective:
            names.setdefault(name, set()).add(objective)
    users: dict[str, list[Claim]] = {}
    for claim in matrix.claims.values():
        if claim.label is Label.U or claim.value is None or not claim.aspect.startswith(_TRAINED):
            continue
        named = {objective for word in _words(claim.value) for objective in names.get(word, ())}
        for objective in named:
            users.setdefault(objective, []).append(claim)
    return users


def _words(value: str) -> set[str]:
    """The words of a value, and the value as a whole."""
    folded = value.casefold()
    return {folded, *(word.strip(".,;:()") for word in folded.replace("-", " ").split())}


def _objective(composer: Composer, entry: Entry, users: Sequence[Claim]) -> Content:
    parts = [entry.summary[:1].upper() + entry.summary[1:]]
    parts.append(f"## Idea\n\n{entry.idea}")
    parts.append(f"## Equation\n\n{entry.equation}")
    parts.append(_symbols(entry))
    parts.append("## Code")
    parts += [_code(function) for function in entry.code]
    if entry.pieces:
        parts.append("### Shared pieces\n\nThe parts that several objectives are made of.")
        parts += [_code(function) for function in entry.pieces]
    parts.append(f"## What the paper leaves open\n\n{entry.choices}")
    parts.append(f"## What the tests prove\n\n{entry.tested}")
    parts.append("## Who discloses using it")
    if users:
        for claim in users:
            chip = composer.macro("chip.html.j2", "chip", composer.noted(claim))
            parts.append(f"- {composer.title_of(claim)}: {chip}")
    else:
        parts.append("No claim of the record names it yet.")
    body = "\n\n".join(parts)
    return {"chapter": {"body": body, "notes": composer.notes}}


def _symbols(entry: Entry) -> str:
    lines = [
        "## Symbols",
        "",
        "| symbol | argument | shape | meaning | lines |",
        "|---|---|---|---|---|",
    ]
    for symbol in entry.symbols:
        places = ", ".join(str(line) for line in symbol.lines)
        cells = (symbol.symbol, symbol.argument, symbol.shape, symbol.meaning, places)
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _code(function: Function) -> str:
    source = "\n".join(function.lines)
    title = f"{function.module}.py"
    return f'```python linenums="{function.first_line}" title="{title}"\n{source}\n```'
