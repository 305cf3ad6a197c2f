"""A fact sheet for each subject: every claim by group, and what is unknown or not looked for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from evidence_matrix.matrix import Claim, Matrix, Subject
from evidence_matrix.pages.composer import Composer, View, aspect_title, value_words, weakest_state
from evidence_matrix.pages.linked_data import fact_sheet, last_checked
from evidence_matrix.pages.page import Content, Find, Page

_KINDS = {"dataset": "data set"}


def pages(matrix: Matrix) -> Iterator[Page]:
    """One page a subject; a member of a family shows the family's claims too."""
    for subject in matrix.subjects.values():
        yield _page(matrix, subject)


def _page(matrix: Matrix, subject: Subject) -> Page:
    own = matrix.claims_of_subject[subject.id]
    lab = matrix.labs[subject.lab].record.name if subject.lab in matrix.labs else subject.lab
    shows = {f"subject:{subject.id}": ""} | {f"claim:{claim.id}": claim.key for claim in own}
    names = [subject.name, *subject.record.aliases]
    return Page(
        url=f"claims/{subject.id}/",
        template="subject",
        title=subject.name,
        description=f"What {lab} has disclosed about {subject.name}: {len(own)} claims, each with "
        "its place in a source.",
        content=lambda composer: {"subject": _content(composer, subject)},
        shows=shows,
        tab="Labs",
        crumbs=(("Labs", "page:labs"), (lab, f"lab:{subject.lab}")),
        finds=(_found(subject, lab), *(_found_claim(matrix, claim) for claim in own)),
        citation={
            "citation_title": f"{subject.name}: what is disclosed",
            "citation_author": ["Evidence Matrix"],
            "citation_publication_date": last_checked(own, matrix).replace("-", "/"),
            "citation_keywords": ", ".join(names),
        },
        jsonld=lambda composer: fact_sheet(composer, subject, own),
    )


def _found(subject: Subject, lab: str) -> Find:
    record = subject.record
    kind = _KINDS.get(record.kind, record.kind)
    return Find(
        subject.name,
        kind[:1].upper() + kind[1:],
        id=subject.id,
        names=(subject.name, *record.aliases),
        text=f"{lab}. {record.summary or ''}",
    )


def _found_claim(matrix: Matrix, claim: Claim) -> Find:
    record = matrix.subjects[claim.subject].record
    title = f"{record.name}: {aspect_title(claim, matrix)}"
    if claim.scope:
        title += f", {record.scopes.get(claim.scope, claim.scope)}"
    if claim.reading:
        title += f", as read in {claim.reading}"
    value = value_words(claim, matrix)
    state = weakest_state(claim, matrix)
    terms = [matrix.terms[term].record for term in _terms(matrix, claim)]
    also = [name for term in terms for name in (term.expansion, *term.aliases) if name]
    return Find(
        title,
        "Claim",
        anchor=claim.key,
        id=claim.id,
        text=". ".join(part for part in (value, ", ".join([*record.aliases, *also])) if part),
        answer={
            "label": claim.label.value,
            "word": claim.label.in_words,
            "value": value if len(value) <= 60 else value[:59] + "…",
            "state": state.value if state else "",
        },
    )


def _terms(matrix: Matrix, claim: Claim) -> list[str]:
    """The controlled terms that are the claim's value."""
    names = claim.parsed if isinstance(claim.parsed, tuple) else ()
    return [t for name in names if (t := matrix.term_names.get(name.casefold()))]


def _content(composer: Composer, subject: Subject) -> Content:
    matrix = composer.matrix
    own = matrix.claims_of_subject[subject.id]
    groups = _groups(composer, subject, own)
    family = subject.record.part_of
    while family and family in matrix.subjects:
        inherited = matrix.claims_of_subject[family]
        if inherited:
            name = matrix.subjects[family].name
            groups.append(
                {
                    "id": f"family-{family}",
                    "title": f"Said of the family {name}",
                    "claims": [_inherited(composer, claim) for claim in inherited],
                    "unasked": [],
                    "absent": [],
                }
            )
        family = matrix.subjects[family].record.part_of
    return {
        "summary": subject.record.summary or "",
        "facts": _facts(composer, subject, own),
        "counts": composer.counts(own, f"subject={subject.id}&"),
        "groups": groups,
    }


def _inherited(composer: Composer, claim: Claim) -> View:
    view = composer.claim(claim, cite=False)
    return view | {"anchor": f"{claim.subject}.{claim.key}"}


def _groups(composer: Composer, subject: Subject, own: tuple[Claim, ...]) -> list[View]:
    """Claims by the aspect's group, in the vocabulary's order, with what is missing named."""
    matrix = composer.matrix
    by_aspect: dict[str, list[Claim]] = {}
    for claim in own:
        by_aspect.setdefault(claim.aspect, []).append(claim)
    groups: dict[str, View] = {}
    for aspect_id, aspect in matrix.aspects.items():
        title = aspect.record.group
        group = groups.setdefault(
            title,
            {"id": _slug(title), "title": title, "claims": [], "unasked": [], "absent": []},
        )
        if aspect_id in by_aspect:
            for claim in by_aspect.pop(aspect_id):
                group["claims"].append(composer.claim(claim, cite=len(own) <= 120))
        elif aspect_id in subject.record.not_applicable:
            group["absent"].append(aspect.record.title)
        elif aspect.record.core == "yes" and subject.record.kind in ("model", "family"):
            group["unasked"].append(aspect.record.title)
    rest = [composer.claim(claim) for claims in by_aspect.values() for claim in claims]
    if rest:
        groups["Other"] = {
            "id": "other",
            "title": "Other",
            "claims": rest,
            "unasked": [],
            "absent": [],
        }
    filled = [group for group in groups.values() if group["claims"] or group["absent"]]
    unasked = [
        title for group in groups.values() if group not in filled for title in group["unasked"]
    ]
    if unasked:
        filled.append(
            {
                "id": "not-looked",
                "title": "Not looked for yet",
                "claims": [],
                "unasked": unasked,
                "absent": [],
            }
        )
    return filled


def _facts(composer: Composer, subject: Subject, own: tuple[Claim, ...]) -> list[View]:
    matrix = composer.matrix
    record = subject.record
    lab = matrix.labs.get(subject.lab)
    facts: list[View] = [
        {
            "title": "Lab",
            "text": lab.record.name if lab else subject.lab,
            "href": composer.href(f"lab:{subject.lab}"),
        },
        {"title": "Kind", "text": _KINDS.get(record.kind, record.kind), "href": ""},
    ]
    if record.aliases:
        facts.append({"title": "Also called", "text": ", ".join(record.aliases), "href": ""})
    if record.part_of:
        facts.append(_link(composer, "Part of", record.part_of))
    bases = (record.base,) if isinstance(record.base, str) else record.base or ()
    facts += [_link(composer, "Starts from", base) for base in bases]
    facts += [_link(composer, "Member", member.id) for member in matrix.members.get(subject.id, ())]
    checked = sorted(c.record.checked.latest for c in own if c.record.checked is not None)
    if checked:
        span = checked[0].isoformat()
        if checked[-1] != checked[0]:
            span += f" to {checked[-1].isoformat()}"
        facts.append({"title": "Sources read", "text": span, "href": ""})
    wanted = [key for key, w in matrix.wanted.items() if subject.id in w.record.subjects]
    facts += [
        {
            "title": "Wanted",
            "text": matrix.wanted[key].record.title,
            "href": composer.href(f"wanted:{key}"),
        }
        for key in wanted
    ]
    return facts


def _link(composer: Composer, title: str, subject_id: str) -> View:
    return {
        "title": title,
        "text": composer.matrix.subjects[subject_id].name,
        "href": composer.href(f"subject:{subject_id}"),
    }


@lru_cache(maxsize=1024)
def _slug(title: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in title.lower()).split())
