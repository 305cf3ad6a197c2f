"""Documents: the folded text of a source, and where in it a fragment or a term stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from evidence_matrix.text import Folded, fold, fold_pages, plain
from evidence_matrix.verification import locators
from evidence_matrix.verification.extraction import HTML, PDF, extract
from evidence_matrix.verification.locators import Locator
from evidence_matrix.verification.passages import (
    Compact,
    compact,
    loose_occurrences,
    occurrences,
    without_raising,
    word_starts,
)

NEAR_LINES = {"row": 3, "head": 40}
"""How far, in lines, a row or head may stand from the fragment that it is of."""
SHOWN_WORDS = 12
"""Most words of a source that a message shows."""
SHOWN_PLACES = 5
LEAST_LIKENESS = 60.0

_SIGNS = frozenset("<>~≈≤≥±")
_MARKS = re.compile(r"[<>*|`\[\]]")

MEDIA_BY_SUFFIX = {
    ".csv": "text/csv",
    ".htm": HTML,
    ".html": HTML,
    ".json": "application/json",
    ".md": "text/markdown",
    ".pdf": PDF,
    ".py": "text/x-python",
    ".toml": "application/toml",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
}


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a fragment stands: page and line, and the other pages or lines where it stands too."""

    page: int
    line: int
    others: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Miss:
    """Why a fragment was not found, the nearest passage, and the places where it does stand.

    Attributes:
        inside: the longer word or number at the place in which alone the fragment stands.
    """

    reason: str
    nearest: str | None = None
    nearest_at: str | None = None
    elsewhere: tuple[str, ...] = ()
    inside: str | None = None


@dataclass(frozen=True)
class Document:
    """The text of a source, folded, with its pages and lines.

    Attributes:
        media: media type of the bytes.
        folded: the text as a reader reads it.
        markup: where that differs from the bytes, the text with its marks: link targets stand
            only there.
    """

    media: str
    folded: Folded
    markup: Folded | None = None
    _compacts: dict[tuple[int, int], Compact] = field(default_factory=dict, compare=False)

    @property
    def pages(self) -> tuple[str, ...]:
        """The folded text by page; a single one where the medium has none."""
        folded = self.folded
        spans = (folded.span_of_pages(page, page) for page in range(1, len(folded.pages) + 1))
        return tuple(folded.text[start:end] for start, end in spans)

    @property
    def has_pages(self) -> bool:
        """Whether places in it are pages; if not, they are lines."""
        return self.media == PDF

    def find(
        self, quote: str, at: str | None, row: str | None = None, head: str | None = None
    ) -> Hit | Miss:
        """Where a quote stands whole at a place, with its row and head near; or why it does not.

        Page and line of the locator are enforced, its other words are not. The quote begins on the
        page or line named and may run on to the next. The row stands at most 3 lines from it, the
        head at most 40 lines above it, both on the same page.
        """
        locator = locators.parse(at)
        fragment = self._fold(quote)
        if not fragment:
            return Miss("the fragment has no words")
        span = self._span(locator)
        if isinstance(span, str):
            return self._miss(fragment, span)
        apart: str | None = None
        for start in self._starts(fragment, *span):
            apart = self._apart(start, row, head)
            if apart is None:
                return self._hit(start, fragment)
        if apart is not None:
            return Miss(apart)
        if self.markup and not _MARKS.search(fragment):
            hit = Document("text/plain", self.markup).find(quote, at, row, head)
            if isinstance(hit, Hit):
                return hit
        inside = self._inside(fragment, *span)
        if inside:
            where = f"{locator} " if locator.pages or locator.lines else ""
            return Miss(f"the fragment stands {where}only inside “{inside}”", inside=inside)
        return self._miss(fragment, f"the fragment does not stand {locator}")

    def places(self, quote: str, name: str) -> list[str]:
        """Where a quote stands in this text, each as `name, p. 4`; empty if it does not."""
        fragment = self._fold(quote)
        text = self.folded.text
        found = {self._place(start) for start, _ in occurrences(text, fragment, 0, len(text))}
        return [f"{name}, {self._name(place)}" for place in sorted(found)[:1]]

    def count(self, term: str) -> dict[str, int]:
        """The hits of a term by page or line: any letter case, any spacing, from a word's start.

        A term also hits longer words, `expert` those with `experts`: for a search that is to find
        nothing, a hit too many is judged and one too few is not seen.
        """
        counts: dict[str, int] = {}
        wanted = compact(fold(term).replace("İ", "I").lower()).text
        for start in word_starts(self._lowered, self._compact_of_all, wanted):
            place = str(self._place(start))
            counts[place] = counts.get(place, 0) + 1
        if self.markup:
            for place, count in Document("text/plain", self.markup).count(term).items():
                counts[place] = max(count, counts.get(place, 0))
        return counts

    @cached_property
    def _lowered(self) -> str:
        # Only İ changes its length in lower case, and would shift every place after it.
        return self.folded.text.replace("İ", "I").lower()

    @cached_property
    def _compact_of_all(self) -> Compact:
        return compact(self._lowered)

    def _fold(self, fragment: str) -> str:
        return fold(plain(fragment, self.media))

    def _place(self, offset: int) -> int:
        return self.folded.page_of(offset) if self.has_pages else self.folded.line_of(offset)

    def _name(self, place: int) -> str:
        return f"p. {place}" if self.has_pages else f"line {place}"

    def _span(self, locator: Locator) -> tuple[int, int] | str:
        """The offsets that a locator names, or what is wrong with it."""
        if locator.pages:
            if not self.has_pages:
                return f"the text has lines and no pages, so nothing stands {locator}"
            count = len(self.folded.pages)
            if locator.pages[0] > count:
                return f"the file has {count} pages, so nothing stands {locator}"
            return self.folded.span_of_pages(*locator.pages)
        if locator.lines:
            if self.has_pages:
                return f"a PDF is read by page, so nothing stands {locator}"
            count = len(self.folded.lines)
            if locator.lines[0] > count:
                return f"the file has {count} lines, so nothing stands {locator}"
            return self.folded.span_of_lines(*locator.lines)
        return 0, len(self.folded.text)

    def _starts(self, fragment: str, start: int, end: int) -> Iterator[int]:
        """Where a folded fragment begins, strictly first, then by letters, digits and signs."""
        text = self.folded.text
        found = False
        for begin, _ in occurrences(text, fragment, start, end):
            found = True
            yield begin
        if found:
            return
        # A fragment may run over the end of its page or line.
        stretch = self._compact(start, min(len(text), end + 2 * len(fragment)))
        for begin, _ in loose_occurrences(text, stretch, fragment, end):
            found = True
            yield begin
        lowered = without_raising(fragment) if self.has_pages and not found else fragment
        if lowered != fragment:
            yield from self._starts(lowered, start, end)

    def _compact(self, start: int, end: int) -> Compact:
        key = (start, end)
        if key not in self._compacts:
            self._compacts[key] = compact(self.folded.text, start, end)
        return self._compacts[key]

    def _apart(self, start: int, row: str | None, head: str | None) -> str | None:
        """Why row or head do not belong to a fragment, or None where they do."""
        folded = self.folded
        line = folded.line_of(start)
        first, last = folded.span_of_pages(folded.page_of(start), folded.page_of(start))
        for name, words in (("row", row), ("head", head)):
            if not words:
                continue
            begins = list(self._starts(self._fold(words), first, last))
            if name == "head":
                begins = [begin for begin in begins if begin <= start]
            if not any(abs(folded.line_of(begin) - line) <= NEAR_LINES[name] for begin in begins):
                return f"the fragment stands there, but its {name} “{words}” not near it"
        return None

    def _hit(self, start: int, fragment: str) -> Hit:
        text = self.folded.text
        here = self._place(start)
        places = {self._place(begin) for begin, _ in occurrences(text, fragment, 0, len(text))}
        page, line = self.folded.page_of(start), self.folded.line_of(start)
        return Hit(page, line, tuple(sorted(places - {here})))

    def _inside(self, fragment: str, start: int, end: int) -> str | None:
        """The longer number or word in which alone a fragment stands, with the sign before it."""
        text = self.folded.text
        at = text.find(fragment, start, end)
        if at < 0:
            return None
        begin = text.rfind(" ", 0, at) + 1
        if at == begin and text[max(0, at - 2) : at - 1] in _SIGNS:
            begin = text.rfind(" ", 0, at - 1) + 1
        after = text.find(" ", at + len(fragment))
        return _shown(text[begin : after if after >= 0 else len(text)])

    def _miss(self, fragment: str, reason: str) -> Miss:
        starts = self._starts(fragment, 0, len(self.folded.text))
        places = sorted({self._place(start) for start in starts})
        if places:
            return Miss(reason, elsewhere=tuple(map(self._name, places[:SHOWN_PLACES])))
        if not self.folded.text:
            return Miss(f"{reason}; no text could be read in it")
        return Miss(reason, *self._nearest(fragment))

    def _nearest(self, fragment: str) -> tuple[str, str] | tuple[None, None]:
        from rapidfuzz import fuzz

        text = self.folded.text
        likely = fuzz.partial_ratio_alignment(fragment, text, score_cutoff=LEAST_LIKENESS)
        if likely is None:
            return None, None
        start = text.rfind(" ", 0, likely.dest_start + 1) + 1
        end = text.find(" ", likely.dest_end)
        words = text[start : end if end >= 0 else len(text)]
        return _shown(words), self._name(self._place(start))


def _shown(passage: str) -> str:
    return " ".join(passage.split()[:SHOWN_WORDS])


def document_of(pages: list[str], media: str) -> Document:
    """The document of pages of text, with the markup of its medium stripped."""
    read = [plain(page, media) for page in pages]
    return Document(media, fold_pages(read), fold_pages(pages) if read != pages else None)


def open_document(source: Path | bytes, media: str | None = None) -> Document:
    """The text of a file or of bytes, read in this process.

    Raises:
        ExtractionError: the bytes are not what `media` or the file's suffix says.
    """
    if isinstance(source, Path):
        media = media or MEDIA_BY_SUFFIX.get(source.suffix.lower())
        source = source.read_bytes()
    media = media or "text/plain"
    return document_of(extract(source, media), media)
