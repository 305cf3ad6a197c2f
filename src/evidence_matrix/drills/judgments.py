"""Faults in what the record says of itself: label, premises, search, dates, protocol."""

from __future__ import annotations

from evidence_matrix.drills import Drill, Node, Place, first_fragment, other_digit
from evidence_matrix.labels import Label
from evidence_matrix.quantity import Quantity
from evidence_matrix.receipts import hits_of
from evidence_matrix.records import InferredClaim, UnknownClaim


def _claimed_confirmed(node: Node, place: Place) -> bool:
    if place.claim.label is not Label.D or first_fragment(node) is None:
        return False
    node["label"] = "C"
    return True


def _claimed_disclosed(node: Node, place: Place) -> bool:
    """An inference presented as a disclosure."""
    if place.claim.label is not Label.I:
        return False
    for key in ("premises", "formula", "assumes", "because"):
        node.pop(key, None)
    node["label"] = "D"
    return True


def _claimed_reproduced(node: Node, place: Place) -> bool:
    if place.claim.label is not Label.D or first_fragment(node) is None:
        return False
    node["label"] = "R"
    node.pop("evidence")
    return True


def _guess(node: Node, place: Place) -> bool:
    if place.claim.label is not Label.D:
        return False
    node["means"] = "probably, as we think"
    return True


def _inferred_digit(node: Node, place: Place) -> bool:
    if place.claim.label is not Label.I or not node.get("formula"):
        return False
    spoiled = other_digit(str(node["value"]), place.chance)
    if spoiled is None:
        return False
    node["value"] = spoiled
    return True


def _stale_premise(node: Node, place: Place) -> bool:
    """The formula rests on another claim than before, whose number is not the same."""
    record = place.claim.record
    if not isinstance(record, InferredClaim) or not record.formula or not record.premises:
        return False
    name, premise = next(iter(record.premises.items()))
    mine = place.matrix.claims.get(premise)
    others = [
        claim.id
        for claim in place.matrix.claims.values()
        if mine is not None
        and claim.aspect == mine.aspect
        and claim.label in (Label.D, Label.C)
        and isinstance(claim.parsed, Quantity)
        and isinstance(mine.parsed, Quantity)
        and not claim.parsed.meets(mine.parsed)
    ]
    if not others:
        return False
    node["premises"][name] = place.chance.choice(others)
    return True


def _lost_premise(node: Node, place: Place) -> bool:
    if not isinstance(place.claim.record, InferredClaim) or not node.get("premises"):
        return False
    name = next(iter(node["premises"]))
    node["premises"][name] += "s"
    return True


def _no_terms(node: Node, place: Place) -> bool:
    return place.claim.label is Label.U and node.pop("looked_for", None) is not None


def _claimed_absent(node: Node, place: Place) -> bool:
    if place.claim.label is not Label.U or node.get("reason") == "absent":
        return False
    node["reason"] = "absent"
    node.pop("next", None)
    return True


def _unjudged(node: Node, place: Place) -> bool:
    """A term that the texts do hold, with nobody's judgment of what it says there."""
    record = place.claim.record
    if not isinstance(record, UnknownClaim) or not node.pop("hits", None):
        return False
    return any(
        hits_of(key, term, place.matrix) for key in record.looked_in for term in record.looked_for
    )


def _unknown_with_value(node: Node, place: Place) -> bool:
    if place.claim.label is not Label.U:
        return False
    node["value"] = "42"
    return True


def _early(node: Node, place: Place) -> bool:
    public = place.claim.record.public
    if public is None or place.claim.record.checked is None:
        return False
    node["checked"] = f"{public.earliest.year - 1}-01-01"
    return True


def _late(node: Node, place: Place) -> bool:
    if place.claim.record.checked is None:
        return False
    node["checked"] = f"{place.matrix.today.year + 1}-01-01"
    return True


def _no_protocol(node: Node, place: Place) -> bool:
    return node.pop("protocol", None) is not None


def _two_labels(node: Node, place: Place) -> bool:
    if place.claim.label is not Label.D:
        return False
    node["label"] = "D/I"
    return True


DRILLS = (
    Drill(
        "over-claimed-c", "a sentence labelled as a confirmed artifact", "label", _claimed_confirmed
    ),
    Drill("over-claimed-d", "an inference labelled as disclosed", "label", _claimed_disclosed),
    Drill("over-claimed-r", "a sentence labelled as reproduced", "label", _claimed_reproduced),
    Drill("two-labels", "two labels at once", "label", _two_labels),
    Drill("hedge", "`probably` under label D", "label", _guess),
    Drill("inferred-digit", "a wrong digit in an inferred number", "inference", _inferred_digit),
    Drill("stale-formula", "a premise whose number has changed", "inference", _stale_premise),
    Drill("lost-premise", "a premise that is no claim", "inference", _lost_premise),
    Drill("no-terms", "unknown, and nothing was looked for", "search", _no_terms),
    Drill("claimed-absent", "absent, without the whole texts", "search", _claimed_absent),
    Drill("unjudged-hit", "unknown, though a text holds the term", "search", _unjudged),
    Drill("unknown-value", "unknown, with a value", "search", _unknown_with_value),
    Drill("checked-early", "read before it was public", "record", _early),
    Drill("checked-late", "read on a day to come", "record", _late),
    Drill("no-protocol", "a benchmark score without its protocol", "record", _no_protocol),
)
