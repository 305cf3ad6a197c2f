"""The chapters: prose whose facts are chips, with the counts of what it is about on top."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from evidence_matrix.composer import Composer
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.pages import Content, Page
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
            kind="Chapter",
            math="$" in one.body,
            share_type="article",
            drawn=matrix.today.isoformat(),
            citation={"citation_title": one.title, "citation_author": ["Evidence Matrix"]},
        )


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
        lab = one.head.get("lab")
        target = f"lab:{lab}" if isinstance(lab, str) else f"chapter:{one.id}"
        counts = composer.macro("parts.html.j2", "counts", composer.counts(about, target))
        opening = f"<div data-search-exclude>{counts}</div>\n\n"
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
    lab = one.head.get("lab")
    labs = [lab] if isinstance(lab, str) else list(lab or ())
    if labs:
        return [claim for claim in matrix.claims.values() if claim.lab in labs]
    subjects = one.head.get("subjects")
    if isinstance(subjects, list):
        return [claim for claim in matrix.claims.values() if claim.subject in subjects]
    cited = {cited.id for cited in citations(one.body)}
    return [claim for claim in matrix.claims.values() if claim.id in cited]


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
