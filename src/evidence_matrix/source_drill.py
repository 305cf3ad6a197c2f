"""Drills on sources and receipts: pins that are dead, receipts that were edited or made by hand."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

from evidence_matrix.checking import check
from evidence_matrix.drill import Result
from evidence_matrix.matrix import Matrix, Source
from evidence_matrix.receipts import FOLDER
from evidence_matrix.store import load

Spoil = Callable[[Path, Source, random.Random], bool]


def source_drill(root: Path, folder: Path, today: date, seed: int) -> Iterator[Result]:
    """Spoils each source, or its receipt, in a copy below `folder` and counts what `check` refuses.

    A fault counts as caught where a finding stands in the receipt or the entry of the source.
    """
    clean = load(root, today)
    base = {(f.code, f.file, f.message) for f in check(clean).findings}
    for drill_id, title, spoil in _KINDS:
        chance = random.Random(f"{seed} {drill_id}")
        copy = folder / drill_id
        copy.mkdir(parents=True)
        for name in ("claims", "sources"):
            shutil.copytree(root / name, copy / name)
        planted = {
            source.key for source in clean.matrix.sources.values() if spoil(copy, source, chance)
        }
        spoiled = load(copy, today)
        found = [f for f in check(spoiled).findings if (f.code, f.file, f.message) not in base]
        caught = planted & {key for f in found for key in _keys(f.file, f.message, spoiled.matrix)}
        shutil.rmtree(copy)
        yield Result(
            id=drill_id,
            title=title,
            family="source",
            planted=len(planted),
            checked=len(caught),
            unmatched=0,
            verified=None,
            escaped=len(planted - caught),
        )


def _keys(file: str, message: str, matrix: Matrix) -> Iterator[str]:
    if file.startswith(FOLDER):
        yield Path(file).stem
    for word in re.findall(r"'([^']+)'", message):
        if word in matrix.sources:
            yield word


def _entry(copy: Path, source: Source, change: Callable[[str], str]) -> bool:
    """Changes the text of an entry of the bibliography; False where it stays the same."""
    path = copy / source.file
    text = path.read_text(encoding="utf-8")
    match = re.search(rf"@\w+\{{{re.escape(source.key)},.*?\n\}}", text, re.DOTALL)
    if match is None:
        return False
    spoiled = change(match[0])
    path.write_text(text[: match.start()] + spoiled + text[match.end() :], encoding="utf-8")
    return spoiled != match[0]


def _dead_hash(copy: Path, source: Source, chance: random.Random) -> bool:
    pinned = source.record.sha256
    if pinned is None or not (copy / FOLDER / f"{source.key}.json").is_file():
        return False
    other = ("0" if pinned[0] != "0" else "1") + pinned[1:]
    return _entry(copy, source, lambda entry: entry.replace(pinned, other))


def _dead_commit(copy: Path, source: Source, chance: random.Random) -> bool:
    version = source.record.version or ""
    if not re.fullmatch(r"[0-9a-f]{40}", version) or version not in (source.record.url or ""):
        return False
    other = ("0" if version[0] != "0" else "1") + version[1:]
    return _entry(
        copy,
        source,
        lambda entry: re.sub(r"(version\s*=\s*\{)[0-9a-f]{40}", rf"\g<1>{other}", entry),
    )


def _no_version(copy: Path, source: Source, chance: random.Random) -> bool:
    url = source.record.url or ""
    if not source.record.version or not re.search(r"arxiv\.org|github\.com/.+/blob/", url):
        return False
    return _entry(copy, source, lambda entry: re.sub(r"\n\s*version\s*=\s*\{[^}]*\},?", "", entry))


def _edited_receipt(copy: Path, source: Source, chance: random.Random) -> bool:
    """A place, a state or a count typed over in a receipt."""
    path = copy / FOLDER / f"{source.key}.json"
    if not path.is_file():
        return False
    content = json.loads(path.read_text(encoding="utf-8"))
    entries = [entry for entry in content["evidence"].values() if entry.get("state") == "matched"]
    if not entries:
        return False
    entry = chance.choice(entries)
    place = "page" if "page" in entry else "line"
    entry[place] = int(entry.get(place) or 0) + 1
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    return True


def _hand_made_receipt(copy: Path, source: Source, chance: random.Random) -> bool:
    """A receipt that says matched of a document nobody had, without the program's seals."""
    path = copy / FOLDER / f"{source.key}.json"
    if path.is_file() or source.record.sha256 is not None:
        return False
    digest = f"{chance.getrandbits(80):020x}"
    content = {
        "evidence": {digest: {"page": 1, "seal": "00000000", "state": "matched"}},
        "expressions": {},
        "media": "application/pdf",
        "pages": 1,
        "provenance": "official bytes",
        "seal": "00000000",
        "searches": {},
        "sha256": f"{chance.getrandbits(256):064x}",
        "source": source.key,
        "text": 1,
        "whole": "yes",
    }
    path.parent.mkdir(exist_ok=True)  # a record that was never verified has no receipts yet
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    return True


_KINDS: tuple[tuple[str, str, Spoil], ...] = (
    ("dead-hash", "a hash that is not that of the bytes", _dead_hash),
    ("dead-commit", "a commit that is not the one of the address", _dead_commit),
    ("lost-version", "a paper or file without its version", _no_version),
    ("edited-receipt", "a receipt that was typed over", _edited_receipt),
    ("hand-made-receipt", "a receipt made by hand", _hand_made_receipt),
)
