"""Faults in the value: a digit, the scale, the unit, a bound, another model's number."""

from __future__ import annotations

import re

from evidence_matrix.drills import Drill, Node, Place, first_fragment, other_digit
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim
from evidence_matrix.quantity import Quantity

_SCALES = {"T": "B", "B": "M", "M": "B", "K": "M"}
_SCALED = re.compile(r"(?<=\d)([TBMK])\b")
_WORDS = {"trillion": "billion", "billion": "million", "million": "billion", "thousand": "million"}
_BOUND = re.compile(
    r"^(>|<|≥|≤|over|more than|at least|up to|at most|under|less than|nearly|almost)\s*", re.I
)
_ABOUT = re.compile(r"^(about|~|approximately|around|roughly)\s*", re.I)


def _is_number(place: Place, label: Label = Label.D) -> bool:
    return place.claim.label is label and isinstance(place.claim.parsed, Quantity)


def _digit(node: Node, place: Place) -> bool:
    if not _is_number(place) or first_fragment(node) is None:
        return False
    spoiled = other_digit(str(node["value"]), place.chance)
    if spoiled is None:
        return False
    node["value"] = spoiled
    return True


def _digit_in_both(node: Node, place: Place) -> bool:
    piece = first_fragment(node)
    value = str(node.get("value"))
    match = re.search(r"\d[\d.,]*", value)
    if not _is_number(place) or piece is None or match is None or match[0] not in piece["quote"]:
        return False
    spoiled = other_digit(match[0], place.chance)
    if spoiled is None:
        return False
    node["value"] = value.replace(match[0], spoiled, 1)
    piece["quote"] = piece["quote"].replace(match[0], spoiled, 1)
    return True


def _scale(node: Node, place: Place) -> bool:
    if not _is_number(place) or first_fragment(node) is None:
        return False
    value = str(node["value"])
    spoiled = _SCALED.sub(lambda match: _SCALES[match[1]], value, count=1)
    for word, other in _WORDS.items():
        if spoiled == value and word in value:
            spoiled = value.replace(word, other, 1)
    node["value"] = spoiled
    return spoiled != value


def _unit(node: Node, place: Place) -> bool:
    if not _is_number(place) or first_fragment(node) is None:
        return False
    aspect = place.matrix.aspects[place.claim.aspect].record
    wrong = "furlongs" if aspect.unit != "furlongs" else "fathoms"
    number = re.match(r"[^A-Za-z]*\d[\d.,]*[TBMK]?", str(node["value"]))
    if number is None:
        return False
    node["value"] = f"{number[0].strip()} {wrong}"
    return True


def _drop(pattern: re.Pattern[str], node: Node, place: Place) -> bool:
    if not _is_number(place) or first_fragment(node) is None:
        return False
    value = str(node["value"])
    node["value"] = pattern.sub("", value)
    return bool(node["value"] != value)


def _drop_bound(node: Node, place: Place) -> bool:
    return _drop(_BOUND, node, place)


def _drop_about(node: Node, place: Place) -> bool:
    return _drop(_ABOUT, node, place)


def _add_bound(node: Node, place: Place) -> bool:
    value = str(node.get("value"))
    if not _is_number(place) or first_fragment(node) is None or not value[:1].isdigit():
        return False
    node["value"] = f"more than {value}"
    return True


def _sibling_value(node: Node, place: Place) -> bool:
    """The number of another subject of the same lab, the fragment left as it is."""
    if not _is_number(place) or first_fragment(node) is None:
        return False
    others = _siblings(place)
    if not others:
        return False
    node["value"] = place.chance.choice(others).value
    return True


def _sibling_all(node: Node, place: Place) -> bool:
    """Value and evidence of another subject of the same lab: all true, of the wrong model."""
    others = [claim for claim in _siblings(place) if claim.evidence and claim.label is Label.D]
    if not _is_number(place) or not others:
        return False
    other = place.chance.choice(others)
    node["value"] = other.value
    node["evidence"] = [piece.model_dump(exclude_none=True) for piece in other.evidence]
    return True


def _siblings(place: Place) -> list[Claim]:
    claim = place.claim
    return [
        other
        for other in place.matrix.claims.values()
        if other.aspect == claim.aspect
        and other.lab == claim.lab
        and other.subject != claim.subject
        and isinstance(other.parsed, Quantity)
        and isinstance(claim.parsed, Quantity)
        and not other.parsed.meets(claim.parsed)
    ]


def _text_value(node: Node, place: Place) -> bool:
    """Another claim's words under a text aspect: no program knows what a sentence means."""
    claim = place.claim
    aspect = place.matrix.aspects.get(claim.aspect)
    if claim.label is not Label.D or aspect is None or aspect.record.kind != "text":
        return False
    others = [
        other.value
        for other in place.matrix.claims.values()
        if other.aspect == claim.aspect and other.value and other.value != claim.value
    ]
    if not others:
        return False
    node["value"] = place.chance.choice(others)
    return True


def _day(node: Node, place: Place) -> bool:
    """The day of an event moved by one."""
    aspect = place.matrix.aspects.get(place.claim.aspect)
    value = str(node.get("value"))
    if (
        aspect is None
        or aspect.record.kind != "date"
        or not re.fullmatch(r"\d{4}-\d\d-\d\d", value)
    ):
        return False
    day = int(value[-2:])
    node["value"] = f"{value[:-2]}{day - 1 if day > 1 else day + 1:02d}"
    return True


def _confirmed(node: Node, place: Place) -> bool:
    if not _is_number(place, Label.C):
        return False
    spoiled = other_digit(str(node["value"]), place.chance)
    if spoiled is None:
        return False
    node["value"] = spoiled
    return True


def _reproduced(node: Node, place: Place) -> bool:
    if not _is_number(place, Label.R):
        return False
    spoiled = other_digit(str(node["value"]), place.chance)
    if spoiled is None:
        return False
    node["value"] = spoiled
    return True


DRILLS = (
    Drill("wrong-digit", "a wrong digit in the value", "value", _digit),
    Drill("digit-in-both", "the same wrong digit in value and fragment", "value", _digit_in_both),
    Drill("wrong-scale", "billions for millions, or the like", "value", _scale),
    Drill("wrong-unit", "another unit", "value", _unit),
    Drill("dropped-bound", "`over` or `up to` dropped", "value", _drop_bound),
    Drill("dropped-about", "`about` dropped", "value", _drop_about),
    Drill("added-bound", "`more than` that the source does not say", "value", _add_bound),
    Drill("sibling-number", "the number of another model of the lab", "value", _sibling_value),
    Drill("sibling-claim", "number and evidence of another model", "value", _sibling_all),
    Drill("another-text", "another claim's words as the value", "value", _text_value),
    Drill("wrong-day", "a day off in the date of an event", "value", _day),
    Drill("confirmed-digit", "a wrong digit in a confirmed value", "value", _confirmed),
    Drill("reproduced-digit", "a wrong digit in a reproduced value", "value", _reproduced),
)
