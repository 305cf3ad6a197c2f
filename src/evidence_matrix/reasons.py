"""The reasons for a label: each thing that was asked of a claim, and what the answer was."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix import formula
from evidence_matrix.evidence import Evidence, Fragment
from evidence_matrix.labels import State
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.pages.citation import short_title
from evidence_matrix.quantity import Quantity
from evidence_matrix.receipts import entry_for, hits_of, is_whole, state_of
from evidence_matrix.records import InferredClaim, ReproducedClaim, UnknownClaim
from evidence_matrix.standing import number_in


def reasons(claim: Claim, matrix: Matrix) -> Iterator[str]:
    """Lines of text, indented by depth; every label has its own questions."""
    record = claim.record
    subject = matrix.subjects[claim.subject]
    yield f"{claim.id}  ({claim.file}:{claim.place.line})"
    answer = record.in_words if isinstance(record, UnknownClaim) else claim.value
    yield f"  {subject.name}: {answer}"
    yield f"  label {claim.label} {claim.label.in_words}: {claim.label.meaning}"
    yield f"  earned by {claim.label.earned_by}"
    public = matrix.public_of(claim)
    yield f"  public since {public or 'nobody says'}, checked {record.checked or 'nobody says'}"
    if record.withdrawn:
        yield f"  withdrawn on {record.withdrawn.on}: {record.withdrawn.reason}"
    for number, piece in enumerate(claim.evidence, start=1):
        yield from _piece(number, piece, claim, matrix)
    if isinstance(record, InferredClaim):
        yield from _inference(claim, record, matrix)
    if isinstance(record, UnknownClaim):
        yield from _search(record, matrix)
    if isinstance(record, ReproducedClaim):
        yield f"  run {record.run}"
        if record.run and record.run in matrix.runs and record.read:
            run = matrix.runs[record.run].record
            yield f"    command {run.command}"
            yield f"    value read from {record.read.file} at {record.read.at}"
            yield f"    does not show: {run.does_not_show}"
    for dispute in matrix.disputes_of_claim.get(claim.id, ()):
        others = [other for other in dispute.record.claims if other != claim.id]
        yield f"  in dispute with {', '.join(others)} ({dispute.record.kind}, {dispute.record.on})"
        yield f"    {dispute.record.reason}"
    for before in record.earlier:
        was = before.in_words if isinstance(before, UnknownClaim) else before.value
        yield f"  before: {before.label} {was} until {before.until}"


def _piece(number: int, piece: Evidence, claim: Claim, matrix: Matrix) -> Iterator[str]:
    source = matrix.sources.get(piece.source)
    state = state_of(piece, claim, matrix)
    yield f"  evidence {number}: {short_title(source) if source else piece.source}"
    if source is None:
        yield "    no such source"
        return
    own = {claim.lab, *matrix.subjects[claim.subject].record.coauthors}
    labs = ", ".join(source.record.lab)
    primary = "primary" if own & set(source.record.lab) else "not primary"
    yield f"    by {labs}: {primary} about work of {', '.join(sorted(own))}"
    pin = source.record.version or (source.record.sha256 or "")[:16]
    yield f"    pinned at {pin}" if pin else "    not pinned"
    if piece.via:
        yield f"    read in {piece.via}, which is not the document itself"
    if isinstance(piece, Fragment):
        yield f"    at {piece.at or 'no place'}: {piece.words!r}, {len(piece.words.split())} words"
        if isinstance(claim.parsed, Quantity) and piece.quote:
            yield f"    the value in the fragment: {number_in(piece.quote, claim.parsed).how.value}"
    else:
        path = f" in {piece.path}" if piece.path else ""
        yield f"    expression {piece.read}{path}"
    seen = entry_for(piece, claim.value, matrix.receipts.get(piece.read_in))
    yield f"    state {state}: {state.meaning}"
    if seen is not None and state is not State.NOT_REACHED:
        where = seen.get("page") or seen.get("line")
        yield f"    receipt sources/receipts/{piece.read_in}.json" + (
            f", found at {where}" if where else ""
        )


def _inference(claim: Claim, record: InferredClaim, matrix: Matrix) -> Iterator[str]:
    values: dict[str, Quantity] = {}
    for name, premise in record.premises.items():
        other = matrix.claims.get(premise)
        if other is None:
            yield f"  premise {name}: {premise}, which is no claim"
            continue
        yield f"  premise {name}: {premise} = {other.value} ({other.label} {other.label.in_words})"
        if isinstance(other.parsed, Quantity):
            values[name] = other.parsed
    for assumption in record.assumes:
        yield f"  assumes {assumption}"
    if record.because:
        yield f"  because {record.because}"
    if record.formula:
        yield f"  formula {record.formula}"
        try:
            written = claim.parsed if isinstance(claim.parsed, Quantity) else None
            for step in formula.steps(record.formula, values, written):
                yield f"    {step}"
        except formula.FormulaError as error:
            yield f"    cannot be worked out: {error}"


def _search(record: UnknownClaim, matrix: Matrix) -> Iterator[str]:
    yield f"  reason {record.reason}"
    for key in record.looked_in:
        whole = "the whole text" if is_whole(key, matrix) else "not known to be the whole text"
        yield f"  looked in {key}: {whole}"
        for term in record.looked_for:
            found = hits_of(key, term, matrix)
            if found is None:
                yield f"    {term!r}: not searched by the program"
            else:
                places = ", ".join(f"{place} ({count})" for place, count in found.items())
                yield f"    {term!r}: {sum(found.values())} hits" + (
                    f" at {places}" if places else ""
                )
    for hit in record.hits:
        yield f"  judged: {hit.term!r} in {hit.source}, {hit.count} hits: {hit.judged}"
    if record.next:
        yield f"  read next: {', '.join(record.next)}"
