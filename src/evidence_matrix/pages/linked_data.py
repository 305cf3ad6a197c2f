"""Linked data: what search engines and scholars read of a page, in the words of schema.org."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix, Subject
from evidence_matrix.pages.citation import in_sentence, place_link, short_title
from evidence_matrix.pages.composer import Composer, aspect_title, iso, value_words

_LICENSE = "https://creativecommons.org/licenses/by/4.0/"
_FORMATS = {
    "json": "application/json",
    "csv": "text/csv",
    "sqlite": "application/vnd.sqlite3",
    "bib": "application/x-bibtex",
}


def last_checked(claims: Iterable[Claim], matrix: Matrix) -> str:
    """The newest day on which one of the claims was checked, else the record's day."""
    days = (claim.record.checked.latest for claim in claims if claim.record.checked)
    day: date = max(days, default=matrix.today)
    return min(day, matrix.today).isoformat()


def whole_record(composer: Composer) -> dict[str, Any]:
    """The record as a Dataset, with the files that can be downloaded."""
    matrix = composer.matrix
    claims = matrix.claims.values()
    data = _dataset(
        "Evidence Matrix",
        "Claims about how language models were trained, each with a label that is earned and its "
        "place in a primary source.",
        last_checked(claims, matrix),
        len(matrix.claims),
    )
    data["distribution"] = [
        {
            "@type": "DataDownload",
            "name": file.title,
            "encodingFormat": _FORMATS[ending],
            "contentUrl": composer.href(f"data:{file.file}"),
            "contentSize": f"{file.size} B",
            "sha256": file.sha256,
        }
        for file in composer.exported
        if "/" not in file.file and (ending := file.file.rpartition(".")[2]) in _FORMATS
    ]
    return data


def fact_sheet(composer: Composer, subject: Subject, claims: tuple[Claim, ...]) -> dict[str, Any]:
    """A fact sheet as a Dataset whose parts are claims, each with the source it appears in.

    Unknowns are left out: that a text does not say something is no claim of its author.
    """
    matrix = composer.matrix
    data = _dataset(
        f"{subject.name}: what is disclosed",
        f"Claims about {subject.name} with label, place in a source and dates.",
        last_checked(claims, matrix),
        len(claims),
    )
    data["keywords"] = [subject.name, *subject.record.aliases]
    keys = dict.fromkeys(piece.source for claim in claims for piece in claim.evidence)
    sources = [matrix.sources[key] for key in keys if key in matrix.sources]
    data["citation"] = [
        _told(
            {
                "@type": "CreativeWork",
                "@id": composer.href(f"source:{source.key}"),
                "name": short_title(source),
                "url": source.record.url,
                "datePublished": iso(source.record.date),
                "author": [{"@type": "Organization", "name": a} for a in source.record.author[:3]],
            }
        )
        for source in sources
    ]
    data["hasPart"] = [_claim(composer, claim) for claim in claims if claim.label is not Label.U]
    return data


def _claim(composer: Composer, claim: Claim) -> dict[str, Any]:
    matrix = composer.matrix
    subject = matrix.subjects[claim.subject].name
    title = in_sentence(aspect_title(claim, matrix))
    pieces = [piece for piece in claim.evidence[:1] if piece.source in matrix.sources]
    return _told(
        {
            "@type": "Claim",
            "@id": f"#{claim.key}",
            "identifier": claim.id,
            "text": f"{subject}, {title}: {value_words(claim, matrix)}",
            "creativeWorkStatus": claim.label.in_words,
            "datePublished": iso(matrix.public_of(claim)),
            "appearance": [
                _told(
                    {
                        "@type": "CreativeWork",
                        "isPartOf": {"@id": composer.href(f"source:{piece.source}")},
                        "url": place_link(piece, matrix) or matrix.sources[piece.source].record.url,
                    }
                )
                for piece in pieces
            ],
        }
    )


def _dataset(name: str, description: str, modified: str, claims: int) -> dict[str, Any]:
    return {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "name": name,
        "description": description,
        "license": _LICENSE,
        "isAccessibleForFree": True,
        "creator": {"@type": "Organization", "name": "Evidence Matrix"},
        "dateModified": modified,
        "size": f"{claims} claims",
    }


def _told(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value}
