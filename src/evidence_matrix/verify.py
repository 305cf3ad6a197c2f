"""Verification: what the claims say, compared with the bytes of their sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from evidence_matrix.evidence import Artifact, Fragment
from evidence_matrix.findings import Finding, Severity
from evidence_matrix.labels import State
from evidence_matrix.matrix import Claim, Matrix, Source
from evidence_matrix.receipts import (
    TEXT_VERSION,
    Receipt,
    digest_of,
    entry_for,
    sealed,
    state_from,
    write_receipt,
)
from evidence_matrix.records import UnknownClaim
from evidence_matrix.verification.extraction import ExtractionError
from evidence_matrix.verification.library import CACHE, Library
from evidence_matrix.verification.mirror import Absent, Held, Mirror, Place
from evidence_matrix.verification.packages import Pip
from evidence_matrix.verification.sighting import Sighting, see

FAILED = "EM212"
OTHER_BYTES = "EM311"
UNREADABLE = "EM312"
NOTHING_VERIFIED = "EM413"


@dataclass(frozen=True, slots=True)
class Want:
    """A piece of evidence and the claim that gives it; `path` leads to it inside the record."""

    claim: Claim
    piece: Fragment | Artifact
    path: tuple[str | int, ...]


@dataclass
class Wants:
    """All that the claims want to know of one source."""

    pieces: list[Want] = field(default_factory=list)
    terms: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Verification:
    """What a verification found.

    Attributes:
        states: number of pieces of evidence by state.
        read: number of sources whose bytes were read.
        unchanged: number of sources whose receipt covers all that is asked.
        absent: by key of a source, why its bytes were not read.
        repeated: number of fragments that stand on several pages or lines.
    """

    findings: tuple[Finding, ...]
    states: Mapping[State, int]
    read: int
    unchanged: int
    absent: Mapping[str, str]
    repeated: int

    @property
    def failed(self) -> bool:
        """Whether anything found is an error."""
        return any(finding.severity is Severity.ERROR for finding in self.findings)

    def summary(self) -> str:
        """The counts, none left out, and why sources were not reached."""
        lines = [" · ".join(f"{self.states.get(state, 0)} {state}" for state in State)]
        sources = f"{self.read} sources read, {self.unchanged} unchanged"
        lines.append(f"{sources}, {len(self.absent)} not reached")
        if self.repeated:
            lines.append(f"{self.repeated} fragments stand on several pages or lines")
        reasons = Counter(self.absent.values())
        lines += [f"  not reached, {count}: {reason}" for reason, count in reasons.most_common()]
        return "\n".join(lines)


def verify(
    matrix: Matrix,
    mirror: Path | None = None,
    source: str | None = None,
    again: bool = False,
    place: Place | None = None,
    cache: Path | None = None,
) -> Verification:
    """Compares evidence with bytes and writes receipts below the matrix's root.

    Args:
        matrix: the records.
        mirror: a folder of bytes; without it they are fetched.
        source: the key of the only source to look at.
        again: whether to look where a receipt says already that all is matched.
        place: where the bytes are had instead, for tests and other stores.
        cache: folder of kept text and packages; `.cache/evidence-matrix` below the root.

    Raises:
        MirrorError: the folder is no mirror.
    """
    folder = cache or matrix.root / CACHE
    asked = {key: wants for key, wants in wants_of(matrix).items() if source in (None, key)}
    run = _Run(matrix, Pip(folder / "packages", place or _place(mirror)), again)
    with Library(folder) as library:
        for key in _shown_progress(sorted(asked)):
            run.look_at(matrix.sources[key], asked[key], library)
        run.tell_elsewhere(library)
    return run.result(asked)


def _place(mirror: Path | None) -> Place:
    if mirror is not None:
        return Mirror.open(mirror)
    from evidence_matrix.verification.network import Network

    return Network()


def _shown_progress(keys: list[str]) -> Iterable[str]:
    from tqdm import tqdm

    bar: Iterable[str] = tqdm(keys, unit="source", leave=False, disable=None)
    return bar


def wants_of(matrix: Matrix) -> dict[str, Wants]:
    """What the claims, and the answers they gave earlier, want to know, by key of the source."""
    asked: dict[str, Wants] = {}
    for claim in matrix.claims.values():
        for answer, path in _answers(claim, matrix, ()):
            for index, piece in enumerate(answer.evidence):
                if piece.read_in in matrix.sources and _asks(piece):
                    want = Want(answer, piece, (*path, "evidence", index))
                    asked.setdefault(piece.read_in, Wants()).pieces.append(want)
            if isinstance(answer.record, UnknownClaim):
                for key in answer.record.looked_in:
                    if key in matrix.sources:
                        asked.setdefault(key, Wants()).terms.update(answer.record.looked_for)
    return asked


def _asks(piece: Fragment | Artifact) -> bool:
    return bool(piece.read if isinstance(piece, Artifact) else piece.quote)


def _answers(
    claim: Claim, matrix: Matrix, path: tuple[str | int, ...]
) -> Iterator[tuple[Claim, tuple[str | int, ...]]]:
    yield claim, path
    for index, before in enumerate(claim.record.earlier):
        yield from _answers(matrix.then(claim, before), matrix, (*path, "earlier", index))


class _Run:
    """One verification: the receipts it makes and what it found."""

    def __init__(self, matrix: Matrix, place: Place, again: bool) -> None:
        self._matrix = matrix
        self._place = place
        self._again = again
        self._receipts = dict(matrix.receipts)
        self._read: dict[str, Held] = {}
        self._unchanged = 0
        self._absent: dict[str, str] = {}
        self._missed: list[tuple[Want, Sighting]] = []
        self._findings: list[Finding] = []
        self._repeated = 0
        self._states: Counter[State] = Counter()
        self._counted: set[str] = set()

    def look_at(self, source: Source, wants: Wants, library: Library) -> None:
        before = self._matrix.receipts.get(source.key)
        if not self._again and before is not None and _covers(before, source, wants):
            self._unchanged += 1
            return
        held = self._place.get(source)
        if isinstance(held, Absent):
            self._absent[source.key] = held.reason
            return
        try:
            seen = see(
                source, held, [(w.piece, w.claim) for w in wants.pieces], wants.terms, library
            )
        except ExtractionError as error:
            self._tell(source, UNREADABLE, f"the file of '{source.key}' {error}", "get it again")
            return
        self._read[source.key] = held
        self._repeated += sum(bool(sighting.entry.get("also")) for sighting in seen.sightings)
        self._missed += [
            (want, sighting)
            for want, sighting in zip(wants.pieces, seen.sightings, strict=True)
            if sighting.entry["state"] == State.FAILED
        ]
        if seen.has_other_bytes:
            pinned = source.record.sha256 or ""
            message = f"pinned are bytes {pinned[:12]}…, at hand are {seen.receipt.sha256[:12]}…"
            hint = "get the pinned version; or read the new one, and pin it with `sha256`"
            # A version cannot change; a page can, and its words are looked at all the same.
            severity = Severity.ERROR if source.record.version else Severity.WARNING
            self._tell(source, OTHER_BYTES, message, hint, severity)
            if before is not None and before.sha256 == pinned:
                return  # what was matched in the pinned bytes stays matched
        self._receipts[source.key] = seen.receipt
        write_receipt(self._matrix.root, seen.receipt)
        for want, sighting in zip(wants.pieces, seen.sightings, strict=True):
            self._states[state_from(sighting.entry, want.piece, source, seen.receipt)] += 1
        self._counted.add(source.key)

    def _tell(
        self,
        source: Source,
        code: str,
        message: str,
        hint: str,
        severity: Severity = Severity.ERROR,
    ) -> None:
        self._findings.append(source.finding(code, message, hint, "sha256", severity=severity))

    def tell_elsewhere(self, library: Library) -> None:
        """Turns what was missed into findings, with the other sources where it stands."""
        stands: list[list[str]] = [[] for _ in self._missed]
        if self._missed:
            for key, held in self._read.items():
                media = self._receipts[key].media if key in self._receipts else held.media or ""
                document = library.kept(held.sha256, media)
                for (want, _), places in zip(self._missed, stands, strict=True):
                    if document and key != want.piece.read_in and isinstance(want.piece, Fragment):
                        places += document.places(want.piece.quote or "", key)
        for (want, sighting), places in zip(self._missed, stands, strict=True):
            hint = sighting.hint
            if places:
                hint = f"it stands in {', '.join(places[:3])}; {hint}"
            message = f"not found in '{want.piece.read_in}': {sighting.entry['why']}"
            self._findings.append(want.claim.finding(FAILED, message, hint, *want.path))

    def result(self, asked: Mapping[str, Wants]) -> Verification:
        for key in asked.keys() - self._counted:
            source, receipt = self._matrix.sources[key], self._receipts.get(key)
            for want in asked[key].pieces:
                entry = entry_for(want.piece, want.claim.value, receipt)
                self._states[state_from(entry, want.piece, source, receipt)] += 1
        if not self._read and not self._unchanged:
            self._findings.append(
                Finding(
                    NOTHING_VERIFIED,
                    Severity.ERROR,
                    "sources",
                    0,
                    0,
                    f"no source was read; {len(asked)} are asked for",
                    "give --mirror a folder with their bytes, or --source a key that is cited",
                )
            )
        return Verification(
            tuple(self._findings),
            self._states,
            len(self._read),
            self._unchanged,
            self._absent,
            self._repeated,
        )


def _covers(receipt: Receipt, source: Source, wants: Wants) -> bool:
    """Whether a receipt of the pinned bytes says that all that is asked was matched."""
    pinned = source.record.sha256
    if pinned is None or receipt.sha256 != pinned:
        return False
    if receipt.text != TEXT_VERSION or receipt != sealed(receipt):
        return False
    if receipt.whole != (source.record.whole == "yes" and receipt.is_bytes):
        return False
    if set(receipt.searches) != wants.terms:
        return False
    asked = set()
    for want in wants.pieces:
        seen = entry_for(want.piece, want.claim.value, receipt)
        if seen is None or seen.get("state") != State.MATCHED:
            return False
        asked.add(digest_of(want.piece, want.claim.value, receipt.sha256))
    return asked == receipt.evidence.keys() | receipt.expressions.keys()
