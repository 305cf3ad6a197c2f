"""Faults in the evidence: words, place, row, source."""

from __future__ import annotations

import re

from evidence_matrix.drills import Drill, Node, Place, first_fragment


def _shuffled(node: Node, place: Place) -> bool:
    piece = first_fragment(node)
    words = piece["quote"].split() if piece else []
    if piece is None or len(words) < 3:
        return False
    mixed = words[1:] + words[:1]
    piece["quote"] = " ".join(mixed)
    return mixed != words


def _one_word(node: Node, place: Place) -> bool:
    piece = first_fragment(node)
    words = piece["quote"].split() if piece else []
    spots = [i for i, word in enumerate(words) if re.fullmatch(r"[a-z]{4,}", word)]
    if piece is None or not spots:
        return False
    words[place.chance.choice(spots)] = "seldom"
    piece["quote"] = " ".join(words)
    return True


def _moved(node: Node, place: Place) -> bool:
    piece = first_fragment(node)
    at = str(piece.get("at", "")) if piece else ""
    match = re.match(r"(pp?\.|lines?) (\d+)", at)
    if piece is None or match is None:
        return False
    step = 1 if match[1].startswith("p") else 40
    piece["at"] = f"{match[1]} {int(match[2]) + step}{at[match.end() :]}"
    return True


def _no_place(node: Node, place: Place) -> bool:
    piece = first_fragment(node)
    return piece is not None and piece.pop("at", None) is not None


def _swapped_source(node: Node, place: Place) -> bool:
    """Another source of the same lab, the words and the place left as they are."""
    piece = first_fragment(node)
    if piece is None:
        return False
    mine = place.matrix.sources.get(piece["source"])
    others = [
        key
        for key, source in place.matrix.sources.items()
        if mine is not None
        and key != piece["source"]
        and source.record.lab == mine.record.lab
        and source.record.kind not in ("package", "transcription")
    ]
    if not others:
        return False
    piece["source"] = place.chance.choice(others)
    piece.pop("via", None)
    return True


def _foreign_source(node: Node, place: Place) -> bool:
    piece = first_fragment(node)
    if piece is None:
        return False
    own = {place.claim.lab, *place.matrix.subjects[place.claim.subject].record.coauthors}
    others = [
        key for key, source in place.matrix.sources.items() if own.isdisjoint(source.record.lab)
    ]
    if not others:
        return False
    piece["source"] = place.chance.choice(others)
    piece.pop("via", None)
    return True


def _unknown_source(node: Node, place: Place) -> bool:
    piece = first_fragment(node)
    if piece is None:
        return False
    piece["source"] += "s"
    return piece["source"] not in place.matrix.sources


def _no_via(node: Node, place: Place) -> bool:
    """What was read in a transcription passed off as read in the document."""
    piece = first_fragment(node)
    return piece is not None and piece.pop("via", None) is not None


def _too_long(node: Node, place: Place) -> bool:
    piece = first_fragment(node)
    if piece is None:
        return False
    piece["quote"] += " and it goes on for a good many words more than it should"
    return True


def _bare(node: Node, place: Place) -> bool:
    piece = first_fragment(node)
    match = re.search(r"\d[\d.,]*[TBMK]?", piece["quote"]) if piece else None
    if piece is None or match is None:
        return False
    piece["quote"] = match[0].rstrip(".,")
    piece.pop("row", None)
    piece.pop("head", None)
    return True


def _another_row(node: Node, place: Place) -> bool:
    piece = first_fragment(node)
    if piece is None or "row" not in piece:
        return False
    piece["row"] = "a row that is not there"
    return True


def _no_evidence(node: Node, place: Place) -> bool:
    if first_fragment(node) is None:
        return False
    node["evidence"] = []
    return True


def _expression(node: Node, place: Place) -> bool:
    pieces = node.get("evidence") or []
    if not pieces or not str(pieces[0].get("read", "")).startswith("$."):
        return False
    pieces[0]["read"] = "$.no_such_key"
    return True


DRILLS = (
    Drill("shuffled-words", "the words of the fragment in another order", "fragment", _shuffled),
    Drill("one-word", "one word of the fragment changed", "fragment", _one_word),
    Drill("moved-place", "the next page, or a line further down", "place", _moved),
    Drill("no-place", "a source without a place in it", "place", _no_place),
    Drill("swapped-source", "another source of the same lab", "source", _swapped_source),
    Drill("foreign-source", "a source of another lab", "source", _foreign_source),
    Drill("unknown-source", "a source key that is one letter off", "source", _unknown_source),
    Drill("hidden-copy", "a transcription passed off as the document", "source", _no_via),
    Drill("long-fragment", "a fragment of more than twelve words", "fragment", _too_long),
    Drill("bare-number", "a bare number as fragment", "fragment", _bare),
    Drill("another-row", "a row that is not there", "fragment", _another_row),
    Drill("no-evidence", "no evidence at all", "source", _no_evidence),
    Drill("wrong-expression", "an expression on a key that is not there", "source", _expression),
)
