"""The five labels: what kind of knowledge each names, what earns it and what it does not mean."""

from __future__ import annotations

from enum import StrEnum


class Label(StrEnum):
    """The kind of knowledge a claim is. Kinds, not grades: none is better than another."""

    D = "D"
    C = "C"
    R = "R"
    I = "I"  # noqa: E741  # the letter is the field's name for an inference
    U = "U"

    @property
    def in_words(self) -> str:
        """The label in one or two words, as the legend prints it."""
        return _TITLES[self]

    @property
    def meaning(self) -> str:
        """The kind of knowledge, in one clause."""
        return _MEANINGS[self]

    @property
    def earned_by(self) -> str:
        """What a record must hold before the program lets it carry the label."""
        return _EARNED_BY[self]

    @property
    def caution(self) -> str:
        """What a reader must not take the label to say."""
        return _CAUTIONS[self]


_TITLES = {
    Label.D: "disclosed",
    Label.C: "confirmed artifact",
    Label.R: "reproduced",
    Label.I: "inference",
    Label.U: "unknown",
}
_MEANINGS = {
    Label.D: "a primary source says it",
    Label.C: "visible in released weights, configuration or code",
    Label.R: "this repository ran it again",
    Label.I: "follows from other claims and stated assumptions",
    Label.U: "looked for and not found",
}
_EARNED_BY = {
    Label.D: "a primary source, a place in it, and a fragment found at that place with the value "
    "inside",
    Label.C: "a pinned file, and an expression that is run on it and gives the value",
    Label.R: "a run record with command, seed, environment and hashed outputs, from which the "
    "value is read",
    Label.I: "named premises, stated assumptions and, for a number, a formula that the program "
    "evaluates",
    Label.U: "the terms, the texts searched, the date, and why the answer is not there",
}
_CAUTIONS = {
    Label.D: "The lab says so. Nobody here checked that it is true.",
    Label.C: "The file holds this. It does not say how a production system is run.",
    Label.R: "A program of this repository gave this. It says nothing about a lab's own run.",
    Label.I: "Our own step from the premises. It falls when a premise or an assumption falls.",
    Label.U: "Not found in the texts that were searched. It does not say that nobody knows.",
}


class State(StrEnum):
    """How far a piece of evidence could be checked against bytes. Only matched is green."""

    MATCHED = "matched"
    OTHER_BYTES = "matched, other bytes"
    SECONDHAND = "secondhand"
    UNPINNED = "unpinned"
    PENDING = "pending"
    NOT_REACHED = "not reached"
    FAILED = "failed"

    @property
    def meaning(self) -> str:
        """The state, as the legend and the chip explain it."""
        return _STATES[self]

    @property
    def is_checked(self) -> bool:
        """Whether the fragment was found in the bytes of the document itself."""
        return self in (State.MATCHED, State.OTHER_BYTES)


_STATES = {
    State.MATCHED: "found at its place in official bytes or a byte copy, whose hash is recorded",
    State.OTHER_BYTES: "the words stand at the address, but the bytes are not the pinned ones",
    State.SECONDHAND: "read in a transcription, an excerpt or a copy by others",
    State.UNPINNED: "a page without version or hash, cited with the day it was read",
    State.PENDING: "the receipt is new or changed and has not been made again",
    State.NOT_REACHED: "the bytes were not at hand, so nothing was compared",
    State.FAILED: "the bytes were at hand and the fragment was not found at its place",
}

UNKNOWN_IN_WORDS = {
    "absent": "not disclosed",
    "ambiguous": "unclear",
    "contradictory": "contradictory",
    "not verifiable": "not found",
}
"""What stands in place of the value of a U, by its reason."""
