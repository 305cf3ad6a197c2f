"""The chapters: prose whose facts are chips, with the counts of what it is about on top."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.pages.composer import Composer
from evidence_matrix.pages.page import Content, Page
from evidence_matrix.pages.tables import column, row, table, table_page, text_cell
from evidence_matrix.prose import Chapter, Citation, chapter, citations, replace_citations

_LINK = re.compile(r"\]\((?P<path>[^():\s]+?)\.md(?P<anchor>#[^)\s]+)?\)")

_CHIP = r'<button type="button" class="em-chip(?:(?!</button>).)*</button>'
_HELD = re.compile(rf"\({_CHIP}[.,;:)]*|{_CHIP}[.,;:)]+")  # a line never starts with a full stop
# Notes with a citation each; a chapter with more leaves the citation to the claim's own place.
_CITED = 120


def pages(matrix: Matrix) -> Iterator[Page]:
    """One page a chapter, and a contents page; as-of builds have none."""
    chapters = [chapter(file, text) for file, text in matrix.chapters.items()]
    if not chapters:
        return
    yield Page(
        url="chapters/",
        template="table",
        title="Chapters",
        description="How each lab trains its models, and what they have in common, told in prose.",
        content=lambda composer: _list(composer, chapters),
        shows={"page:chapters": ""},
        tab="Chapters",
        nav="All chapters",
        order=0,
    )
    for one in chapters:
        yield Page(
            url=f"chapters/{one.id}/",
            template="chapter",
            title=one.title,
            description=str(one.head.get("summary") or f"{one.title}, drawn from claims."),
            content=lambda composer, one=one: _content(composer, one),  # type: ignore[misc]
            shows={f"chapter:{one.id}": ""},
            tab="Method" if one.head.get("tab") == "Method" else "Chapters",
            nav=one.title,
            order=int(str(one.head.get("order") or 50)),
            crumbs=(("Chapters", "page:chapters"),),
            kind="Chapter",
            math="$" in one.body,
            share_type="article",
            drawn=matrix.today.isoformat(),
            citation={"citation_title": one.title, "citation_author": ["Evidence Matrix"]},
        )


def _list(composer: Composer, chapters: list[Chapter]) -> Content:
    rows = []
    told = [one for one in chapters if one.head.get("tab") != "Method"]
    for one in sorted(told, key=lambda one: int(str(one.head.get("order") or 50))):
        count = len({cited.id for cited in citations(one.body)})
        cells = [
            text_cell(str(one.head.get("summary") or "")),
            text_cell(f"{count:,}", sort=f"{count:05d}"),
        ]
        rows.append(row(one.title, cells, composer.href(f"chapter:{one.id}")))
    columns = [column("Chapter"), column("What it tells"), column("Claims cited", numeric=True)]
    lede = "Every number in a chapter is a claim: its chip opens the words it rests on."
    return table_page(composer, lede, [table(f"{len(rows)} chapters", columns, rows)])


def _content(composer: Composer, one: Chapter) -> Content:
    matrix = composer.matrix
    few = len({cited.id for cited in citations(one.body)}) <= _CITED

    def show(cited: Citation) -> str:
        moved = matrix.moved.get(cited.id)
        claim = matrix.claims[moved.record if moved else cited.id]
        macro = "value" if cited.part == "value" else "chip"
        return composer.macro("chip.html.j2", macro, composer.noted(claim, cite=few))

    body = _LINK.sub(lambda match: _link(composer, match), replace_citations(one.body, show))
    body = _HELD.sub(r'<span class="em-held">\g<0></span>', body)
    opening = ""
    about = _claims(matrix, one)
    if about:
        labs = _labs(one)
        whose = " and ".join(matrix.labs[lab].record.name for lab in labs if lab in matrix.labs)
        query = "".join(f"lab={lab}&" for lab in labs) or None
        counts = composer.macro("parts.html.j2", "counts", composer.counts(about, query))
        said = f"All claims on {whose}:" if whose else "The claims that this chapter is about:"
        opening = f'<div data-search-exclude><p class="em-said">{said}</p>{counts}</div>\n\n'
    return {"chapter": {"body": opening + body + _tooltips(matrix, one), "notes": composer.notes}}


def _link(composer: Composer, match: re.Match[str]) -> str:
    """A link to another Markdown file of docs/, as one to the file that its page is made from."""
    path = posixpath.normpath(posixpath.join("chapters", match["path"]))
    url = path.removesuffix("index" if path.endswith("/index") else "").rstrip("/") + "/"
    url = "" if url in ("/", "./", "index/") else url
    href, sign, anchor = composer.addresses.page(
        url + (match["anchor"] or ""), composer.here
    ).partition("#")
    return f"]({href or './'}index.md{sign}{anchor})"  # the generator checks links between files


def _claims(matrix: Matrix, one: Chapter) -> list[Claim]:
    """The claims a chapter is about: those of its lab or subjects, else those it cites."""
    labs = _labs(one)
    if labs:
        return [claim for claim in matrix.claims.values() if claim.lab in labs]
    subjects = one.head.get("subjects")
    if isinstance(subjects, list):
        return [claim for claim in matrix.claims.values() if claim.subject in subjects]
    cited = {cited.id for cited in citations(one.body)}
    return [claim for claim in matrix.claims.values() if claim.id in cited]


def _labs(one: Chapter) -> list[str]:
    lab = one.head.get("lab")
    return [lab] if isinstance(lab, str) else list(lab or ())


def _tooltips(matrix: Matrix, one: Chapter) -> str:
    """Abbreviations of the chapter with what they stand for, as the `abbr` extension reads them."""
    lines = []
    for term in matrix.terms.values():
        record = term.record
        if not record.expansion:
            continue
        names = [name for name in (record.name, *record.aliases) if _is_abbreviation(name)]
        lines += [
            f"*[{name}]: {record.expansion}"
            for name in dict.fromkeys(names)
            if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", one.body)
        ]
    return "\n\n" + "\n".join(lines) + "\n" if lines else ""


def _is_abbreviation(name: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z0-9.+-]*[A-Z][A-Za-z0-9.+-]*", name)) and len(name) <= 12
