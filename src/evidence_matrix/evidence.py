"""The link from a claim to a place in a source: a fragment of text, or an expression on a file."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag


class Record(BaseModel):
    """A record as a contributor writes it: every field known, every scalar text, never changed."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)


Texts = Annotated[tuple[str, ...], Field(strict=False)]


class Fragment(Record):
    """Words that stand at a place in a source.

    Attributes:
        source: key of the primary source.
        at: the place: page, section, table or line.
        quote: the shortest run of words that carries the fact, as a reader reads it.
        row: words of the table row, or of the sentence, that say what a bare number is of.
        head: words of the column head that say what a bare number is of.
        via: key of the transcription, excerpt or copy by others in which it was read.
    """

    kind: ClassVar[str] = "fragment"
    source: str
    at: str | None = None
    quote: str | None = None
    row: str | None = None
    head: str | None = None
    via: str | None = None

    @property
    def words(self) -> str:
        """Everything quoted, as one text."""
        return " ".join(part for part in (self.head, self.row, self.quote) if part)

    @property
    def read_in(self) -> str:
        """Key of the text that was read: the transcription if there is one, else the source."""
        return self.via or self.source

    def locator(self) -> str:
        """The place, as a reader sees it."""
        return self.at or "no place given"


class Artifact(Record):
    """An expression that is run on a pinned file and gives a value.

    Attributes:
        source: key of the file or package.
        path: the file inside a package.
        read: JSONPath, `Class.field`, `CONSTANT` or `lines a-b`.
        at: where a reader finds it, for people.
        via: key of the copy by others in which it was read.
    """

    kind: ClassVar[str] = "artifact"
    source: str
    read: str | None = None
    path: str | None = None
    at: str | None = None
    via: str | None = None

    @property
    def read_in(self) -> str:
        """Key of the bytes the expression runs on."""
        return self.via or self.source

    def locator(self) -> str:
        """The place, as a reader sees it."""
        return " · ".join(part for part in (self.path, self.read, self.at) if part)


def _kind(value: Any) -> str:
    if isinstance(value, dict):
        return "artifact" if "read" in value or "path" in value else "fragment"
    return str(getattr(value, "kind", "fragment"))


Evidence = Annotated[
    Annotated[Fragment, Tag("fragment")] | Annotated[Artifact, Tag("artifact")],
    Discriminator(_kind),
]
