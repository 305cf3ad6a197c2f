"""The source-level lab: a page for each objective, read from its file, and the reference table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from evidence_matrix.figures.curves import Curve
from evidence_matrix.figures.panels import number
from evidence_matrix.figures.shape_figures import recorded, shapes
from evidence_matrix.figures.shape_words import FIGURES
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.objectives.catalog import Entry, Symbol, entries
from evidence_matrix.pages import peers
from evidence_matrix.pages.composer import Composer
from evidence_matrix.pages.finished_html import fence
from evidence_matrix.pages.listings import line_id, listing, row_id, uses_id
from evidence_matrix.pages.page import Content, Page
from evidence_matrix.pages.tables import column, row, table, table_page, text_cell

_INTRODUCED = (
    "Code of others was run on the inputs of the reference cases, whose answers the tests hold the "
    "functions of this page to. Difference and size are of the number that differs most."
)
_SOURCE = re.compile(r"^Source: .+\n?", re.MULTILINE)
_USED = (
    "rl.algorithm",
    "rl.advantage",
    "rl.stages",
    "post.pipeline",
    "post.stages",
    "distill.kind",
    "distill.loss",
    "optimizer.name",
)
"""Aspects that say what was used; others may name an objective to compare with it."""
_OWN = ("rl.algorithm", "used.in")
"""Aspects of the subject that is the method itself: what it is, and what uses it."""


def pages(matrix: Matrix) -> Iterator[Page]:
    """The reference, and one page an objective; the site is built without torch."""
    found = entries()
    users = _users(matrix)
    curves = recorded(matrix)
    answers = peers.read(matrix.root)
    yield Page(
        url="objectives/",
        template="objectives",
        title="Objective reference",
        description="Losses and estimators of post-training as code that runs, with their papers.",
        content=lambda composer: _reference(composer, found, users, curves),
        shows={"page:objectives": "", "page:compared": "compared"},
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
            content=partial(
                _objective,
                entry=entry,
                users=users.get(entry.id, ()),
                curves=curves,
                answers=answers.get(entry.id, ()),
            ),
            shows={f"objective:{entry.id}": ""},
            tab="Chapters",
            crumbs=(("Objective reference", "page:objectives"),),
            kind="Objective",
            math=True,
        )


def _reference(
    composer: Composer, found: tuple[Entry, ...], users: Users, curves: Curves
) -> Content:
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
        "Disclosed for",
    )
    lede = (
        "Each row is a file of code that runs and is tested against hand-worked numbers, finite "
        "differences and values of other implementations. What a function needs is read off its "
        "arguments."
    )
    tables = [
        table("Objectives", [column(title) for title in titles], rows, wide=True, linked=True)
    ]
    page = table_page(composer, lede, tables)
    return page | {"figure": _figures(composer, "", (), curves)}


def _needs(arguments: set[str], words: tuple[str, ...]) -> str:
    return "yes" if any(word in name for name in arguments for word in words) else "no"


Curves = Mapping[str, tuple[Curve, ...]]
"""What was recorded, by the name of the figure."""

Users = Mapping[str, Sequence[Claim]]
"""Claims that name a term of an objective, by the id of the objective."""


def _users(matrix: Matrix) -> Users:
    """Claims on what was used whose value has the name of a term that an objective implements."""
    names = {
        re.compile(rf"(?<!\w){re.escape(name)}(?!\w)"): objective
        for name, term in matrix.term_names.items()
        if (objective := matrix.terms[term].record.objective)
    }
    users: dict[str, list[Claim]] = {}
    for claim in matrix.claims.values():
        if claim.label is Label.U or claim.value is None:
            continue
        named = set()
        if claim.aspect in _USED:
            value = claim.value.casefold()
            named = {objective for name, objective in names.items() if name.search(value)}
        if claim.aspect in _OWN and claim.subject in names.values():
            named.add(claim.subject)
        for objective in named:
            users.setdefault(objective, []).append(claim)
    return users


def _objective(
    composer: Composer,
    entry: Entry,
    users: Sequence[Claim],
    curves: Curves,
    answers: Sequence[peers.Answer],
) -> Content:
    parts = [entry.summary[:1].upper() + entry.summary[1:]]
    parts.append(f"## Idea\n\n{entry.idea}")
    parts.append(f"## Equation\n\n{_SOURCE.sub('', entry.equation).strip()}")
    parts.append("Where it is printed:\n\n" + "\n".join(f"- {one}" for one in entry.source))
    if figures := _figures(composer, entry.id, users, curves):
        parts.append(f"## Shape\n\n{figures}")
    parts.append(_symbols(entry))
    parts.append("## Code\n\nA symbol of the table marks the lines that use it.")
    parts += [fence(listing(function, entry.symbols)) for function in entry.code]
    if entry.pieces:
        parts.append("### Shared pieces\n\nThe parts that several objectives are made of.")
        parts += [fence(listing(function)) for function in entry.pieces]
    parts.append(f"## What the paper leaves open\n\n{entry.choices}")
    parts.append(f"## What the tests prove\n\n{entry.tested}")
    if answers:
        parts.append(f"## The same inputs in other code\n\n{_answers(composer, answers)}")
    parts.append("## Who discloses using it")
    if users:
        for claim in users:
            chip = composer.macro("chip.html.j2", "chip", composer.noted(claim))
            parts.append(f"- {composer.title_of(claim)}: {chip}")
    else:
        parts.append("No claim of the record names it yet.")
    body = "\n\n".join(parts)
    return {"chapter": {"body": body, "notes": composer.notes}}


def _figures(composer: Composer, objective: str, users: Sequence[Claim], curves: Curves) -> str:
    """The figures of an objective that were recorded, as finished HTML."""
    subjects = [claim.subject for claim in users]
    return "".join(
        fence(
            composer.macro(
                "shapes.html.j2", "shapes", shapes(composer, words, curves[words.figure], subjects)
            )
        )
        for words in FIGURES
        if words.objective == objective and words.figure in curves
    )


def _answers(composer: Composer, answers: Sequence[peers.Answer]) -> str:
    """Who differs and by how much, a row each; then who agrees, a row for each implementation."""
    rows = [
        row(
            answer.who or "Written out",
            [
                text_cell(answer.what),
                text_cell(_off(answer.value, answer.value_size)),
                text_cell(_off(answer.gradient, answer.gradient_size)),
            ],
        )
        for answer in answers
        if not answer.agrees
    ]
    for who in dict.fromkeys(answer.who for answer in answers if answer.agrees):
        same = [answer for answer in answers if answer.agrees and answer.who == who]
        ran = "; ".join(dict.fromkeys(answer.what for answer in same))
        rows.append(row(who, [text_cell(ran), text_cell("the same"), text_cell("the same")]))
    columns = ["Implementation", "What was run", "Value off by", "Gradient off by"]
    caption = "Greatest difference, measured on the reference cases of the tests"
    made = table(caption, [column(title) for title in columns], rows, sort=False)
    return _INTRODUCED + fence(composer.macro("table.html.j2", "table", made))


def _off(difference: float | None, size: float) -> str:
    if difference is None:
        return "not compared"
    return f"{number(difference)} of {number(size)}" if difference > peers.ROUNDING else "the same"


def _symbols(entry: Entry) -> str:
    lines = [
        "## Symbols",
        "",
        "| symbol | argument | shape | meaning | lines |",
        "|---|---|---|---|---|",
    ]
    for place, symbol in enumerate(entry.symbols, 1):
        name = f"<code>{symbol.argument}</code>"
        argument = f'<a id="{row_id(place)}" href="#{uses_id(place)}">{name}</a>'
        cells = (symbol.symbol, argument, symbol.shape, symbol.meaning, _lines(entry, symbol))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _lines(entry: Entry, symbol: Symbol) -> str:
    module = entry.code[0].module
    # Written as HTML: the generator does not know the anchors of finished HTML.
    return ", ".join(f'<a href="#{line_id(module, line)}">{line}</a>' for line in symbol.lines)
