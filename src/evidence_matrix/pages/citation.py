"""Citations of claims and sources, to copy, and links to the very place in a source."""

from __future__ import annotations

import re
from urllib.parse import quote

from evidence_matrix.evidence import Evidence, Fragment
from evidence_matrix.matrix import Claim, Matrix, Source
from evidence_matrix.records import UnknownClaim
from evidence_matrix.verification import locators

_ARXIV_ABS = re.compile(r"^(https?://arxiv\.org)/abs/(.+)$")
_RENDERED = re.compile(r"^https://github\.com/[^?#]+\.md$", re.IGNORECASE)  # lines need the source
_OPENED_AS_READ = ("application/pdf", "text/markdown")
_HAS_LINES = re.compile(r"/(blob|src)/")
_LATEX = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "{": r"\lbrace{}",
        "}": r"\rbrace{}",
    }
)


def short_title(source: Source) -> str:
    """The title, with the version where it is one that people write."""
    record = source.record
    version = record.version or ""
    if re.fullmatch(r"v[0-9]+", version) or record.kind == "package":
        return f"{record.title}, {version}"
    if re.fullmatch(r"[0-9a-f]{40}", version):
        return f"{record.title} @{version[:7]}"
    return record.title


def deep_link(piece: Evidence, source: Source) -> str:
    """An address that opens the place itself: PDF page, line at a commit or words of a page."""
    url = source.record.url or ""
    if not url:
        return ""
    place = locators.parse(piece.at)
    if place.pages:
        match = _ARXIV_ABS.match(url)
        url = f"{match[1]}/pdf/{match[2]}" if match else url
        is_pdf = match or "pdf" in (source.record.media or "") or url.endswith(".pdf")
        return f"{url}#page={place.pages[0]}" if is_pdf and "#" not in url else url
    if _HAS_LINES.search(url):
        if place.lines:
            first, last = place.lines
            plain = "?plain=1" if _RENDERED.match(url) else ""
            return f"{url}{plain}#L{first}" + (f"-L{last}" if last != first else "")
        return url
    if isinstance(piece, Fragment) and piece.quote and source.record.media in (None, "text/html"):
        words = quote(piece.quote, safe="").replace("-", "%2D")  # a dash has a meaning there
        return f"{url}#:~:text={words}"
    return url


def place_link(piece: Evidence, matrix: Matrix) -> str:
    """An address that opens the place that was read: in the source, or in the copy that was read.

    The lines of a copy that was itself read as extracted text are not those of its address.
    """
    read = matrix.sources.get(piece.via or piece.source)
    if read is None or (piece.via and read.record.media not in _OPENED_AS_READ):
        return ""
    return deep_link(piece, read)


def source_bibtex(source: Source) -> str:
    """The source as a BibTeX entry that a paper can take as it is."""
    record = source.record
    fields = {
        "title": _latex(record.title),
        "author": " and ".join(f"{{{_latex(name)}}}" for name in record.author),
        "year": f"{record.date.year:04d}" if record.date else "",
        "date": record.date.format() if record.date else "",
        "url": record.url or "",
        "version": record.version or "",
        "urldate": record.retrieved.format() if record.retrieved else "",
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return f"@{record.entry}{{{source.key},\n" + "\n".join(lines) + "\n}"


def _latex(text: str) -> str:
    return text.translate(_LATEX)


def in_sentence(title: str) -> str:
    """A title as it is written inside a sentence: `Active parameters` small, `RL algorithm` not."""
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]


def claim_markdown(claim: Claim, matrix: Matrix) -> str:
    """The claim in one line of Markdown: what, how sure, where it says so."""
    subject = matrix.subjects[claim.subject].name
    aspect = matrix.aspects.get(claim.aspect)
    title = aspect.record.title if aspect else claim.aspect
    record = claim.record
    value = record.in_words if isinstance(record, UnknownClaim) else claim.value
    places = []
    for piece in claim.evidence[:1]:
        source = matrix.sources.get(piece.source)
        if source is not None:
            link = place_link(piece, matrix) or source.record.url
            text = f"{short_title(source)}, {piece.locator()}"
            places.append(f"[{text}]({link})" if link else text)
    where = f", {places[0]}" if places else ""
    checked = f", checked {claim.record.checked}" if claim.record.checked else ""
    return (
        f"{subject}, {in_sentence(title)}: {value} "
        f"({claim.label}, {claim.label.in_words}){where}; Evidence Matrix `{claim.id}`{checked}"
    )
