"""Writes a matrix of invented claims, the same for the same seed, to measure the program on.

    python benchmarks/claims_generator.py FOLDER --claims 10000

The folder is what `evidence-matrix check --root FOLDER` takes, and nothing is wrong with it. Each
subject has 50 claims of about 850 bytes. With `--receipts` every piece of evidence is matched by a
receipt, as after `verify`, though no bytes were ever seen.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path

from vocabulary import (
    ALGORITHMS,
    BIRDS,
    CONFIRMED,
    DISCLOSED,
    EPITHETS,
    INFERRED,
    PROSE,
    REPRODUCED,
    TEXTS,
    TREES,
    UNKNOWN,
    Aspect,
)

CLAIMS_A_SUBJECT = 50
SUBJECTS_A_LAB = 10
_DATES = "    public: 2025-06-01\n    checked: 2026-07-19\n"
_SIZES = {"T": (20, 360), "B": (100, 990), "B9": (5, 90), "B100": (100, 990), "M": (10, 990)}
_SIZES |= {"K": (10, 990), "K9": (4, 64), "K100": (128, 990)}
_COUNTS = {"n": (17, 990), "n9": (2, 16), "n100": (32, 512)}


def write_matrix(root: Path, claims: int, seed: int) -> None:
    """Writes claims/ and sources/ below `root`; the number of claims is rounded up to 50."""
    chance = random.Random(seed)
    subjects = -(-claims // CLAIMS_A_SUBJECT)
    names = [" ".join(words) for words in itertools.islice(_names(), subjects)]
    labs = [f"{tree} Lab{suffix}" for suffix in ("", " North", " South") for tree in TREES]
    labs += [f"{tree} {bird} Lab" for tree in TREES for bird in BIRDS]
    used = labs[: -(-subjects // SUBJECTS_A_LAB)]
    for number, lab in enumerate(used):
        members = names[number * SUBJECTS_A_LAB : (number + 1) * SUBJECTS_A_LAB]
        _write_lab(root, lab, members, chance)
    _write_vocabulary(root, used, names)


def _write_lab(root: Path, lab: str, members: list[str], chance: random.Random) -> None:
    sources = []
    for number, name in enumerate(members):
        base = members[number - 1] if number else name
        is_method = number % 4 == 3
        records = list(_claims(name, base, is_method, chance))
        assert len(records) == CLAIMS_A_SUBJECT
        kind = "method" if is_method else "model"
        head = f"subject:\n  name: {name}\n  kind: {kind}\n  aliases: [{name.replace(' ', '-')}]\n"
        head += "  scopes: {with-vision: the encoder for images is counted as well}\n"
        _write(
            root / "claims" / _id(lab) / f"{_id(name)}.yaml", f"{head}claims:\n{''.join(records)}"
        )
        sources += [_source(name, lab, kind, chance) for kind in ("report", "model_card", "config")]
        if is_method:
            _write_run(root, name, chance)
    _write(root / "sources" / f"{_id(lab)}.bib", "\n".join(sources))


def _claims(name: str, base: str, is_method: bool, chance: random.Random) -> Iterator[str]:
    """The 50 claims of a subject: D, two more readings and a scope, C, I, U and, for methods, R."""
    values = {aspect.id: _value(aspect.form, base, chance) for aspect in DISCLOSED + CONFIRMED}
    disclosed = DISCLOSED[: 27 if is_method else 30] + DISCLOSED[-6:]
    for aspect in disclosed:
        yield _disclosed(aspect.id, aspect, values[aspect.id], name, chance)
        if aspect.id in ("params.total", "tokens.pretrain"):
            key = f"{aspect.id}@table-1"
            yield _disclosed(key, aspect, values[aspect.id], name, chance)
        if aspect.id == "params.embedding":
            value = _value(aspect.form, base, chance)
            yield _disclosed(f"{aspect.id}/with-vision", aspect, value, name, chance)
    for aspect in CONFIRMED[:3] if is_method else CONFIRMED[:4]:
        yield _confirmed(aspect, values[aspect.id], name, chance)
    for aspect in INFERRED[:3]:
        yield _inferred(aspect, values, name, chance)
    for aspect in UNKNOWN[:3] if is_method else UNKNOWN[:4]:
        yield _unknown(aspect, name, chance)
    for aspect in REPRODUCED if is_method else ():
        yield _reproduced(aspect, name, chance)


def _disclosed(key: str, aspect: Aspect, value: str, name: str, chance: random.Random) -> str:
    quote = aspect.words.format(value.replace("-", " ").title() if aspect.form == "ref" else value)
    subject = _id(name)
    section = f"{chance.randint(2, 9)}.{chance.randint(1, 6)}"
    if "@" in key:
        at, also = f"p. {chance.randint(2, 40)}, Table 1", f', row: "{name} {aspect.title}"'
    else:
        at, also = f"p. {chance.randint(2, 40)}, sec. {section}", f', row: "{name}"'
    text = f"  {key}:\n    label: D\n    value: {value}\n    means: {_prose(6, chance)}\n"
    text += f"    statement: {_prose(26, chance).capitalize()}.\n"
    if aspect.form == "%p":
        text += "    protocol: {by: the lab, harness: not stated, effort: high, "
        text += "samples: one, tools: none}\n"
    text += "    evidence:\n"
    text += f'      - {{source: {subject}-report, at: "{at}", quote: "{quote}"{also}}}\n'
    if chance.random() < 0.4:
        line = chance.randint(3, 400)
        text += f'      - {{source: {subject}-card, at: "line {line}", quote: "{quote}"{also}}}\n'
    text += f"{_DATES}    note: {_prose(46, chance).capitalize()}.\n"
    if chance.random() < 0.4:
        text += (
            f"    earlier:\n      - {{label: U, looked_for: [{aspect.title.lower()}, {aspect.id}], "
            f"looked_in: [{subject}-card], reason: not verifiable, next: [{subject}-report], "
            "public: 2025-03-01, until: 2025-05-31, checked: 2025-03-09}\n"
        )
    return text


def _confirmed(aspect: Aspect, value: str, name: str, chance: random.Random) -> str:
    return (
        f"  {aspect.id}:\n    label: C\n    value: {value}\n    means: {_prose(8, chance)}\n"
        f"    statement: {_prose(24, chance).capitalize()}.\n    evidence:\n"
        f'      - {{source: {_id(name)}-config, read: "$.{aspect.words}"}}\n'
        f"{_DATES}    note: {_prose(52, chance).capitalize()}.\n"
    )


def _inferred(aspect: Aspect, values: dict[str, str], name: str, chance: random.Random) -> str:
    part, whole = aspect.words.split(" / ")
    share = 100 * _number(values[part]) / _number(values[whole])
    subject = _id(name)
    return (
        f"  {aspect.id}:\n    label: I\n"
        f"    premises:\n      part: {subject}/{part}\n      whole: {subject}/{whole}\n"
        f"    formula: part / whole\n    value: {share:.2g}%\n"
        f"    statement: {_prose(26, chance).capitalize()}.\n"
        f"    assumes:\n      - {_prose(12, chance)}\n      - {_prose(14, chance)}\n"
        f"    checked: 2026-07-19\n    note: {_prose(52, chance).capitalize()}.\n"
    )


def _unknown(aspect: Aspect, name: str, chance: random.Random) -> str:
    subject = _id(name)
    return (
        f"  {aspect.id}:\n    label: U\n    looked_for: [{aspect.words}]\n"
        f"    looked_in: [{subject}-report, {subject}-card]\n    reason: not verifiable\n"
        f"    next: [annual-report]\n    checked: 2026-07-19\n"
        f"    statement: {_prose(36, chance).capitalize()}.\n"
        f"    note: {_prose(56, chance).capitalize()}.\n"
    )


def _reproduced(aspect: Aspect, name: str, chance: random.Random) -> str:
    return (
        f"  {aspect.id}:\n    label: R\n    run: {_id(name)}-toy\n"
        f'    read: {{file: result.json, at: "$.{aspect.words}"}}\n'
        f"    value: {_result(name)[aspect.words]}\n    means: {_prose(8, chance)}\n"
        f"    statement: {_prose(28, chance).capitalize()}.\n{_DATES}"
        f"    note: {_prose(52, chance).capitalize()}.\n"
    )


def _source(name: str, lab: str, kind: str, chance: random.Random) -> str:
    ending = {"report": "report", "model_card": "card", "config": "config"}[kind]
    key = f"{_id(name)}-{ending}"
    commit = f"{chance.getrandbits(160):040x}"
    media = {
        "report": "application/pdf",
        "model_card": "text/markdown",
        "config": "application/json",
    }
    fields = {
        "title": f"{name}: {kind.replace('_', ' ')}",
        "author": f"{{{lab}}}",
        "lab": _id(lab),
        "kind": kind,
        "date": "2025-06-01",
        "url": f"https://git.example.org/{_id(lab)}/{_id(name)}/blob/{commit}/{ending}",
        "version": commit,
        "sha256": hashlib.sha256(key.encode()).hexdigest(),
        "media": media[kind],
        "licence": "CC BY 4.0",
    }
    rows = "".join(f"  {field:<7} = {{{value}}},\n" for field, value in fields.items())
    return f"@{'report' if kind == 'report' else 'misc'}{{{key},\n{rows}}}\n"


def _write_run(root: Path, name: str, chance: random.Random) -> None:
    run = f"{_id(name)}-toy"
    folder = root / "sources" / "runs" / run
    result = json.dumps(_result(name), indent=1) + "\n"
    program = f"print({result!r})\n"
    _write(folder / "result.json", result)
    _write(folder / "program.py", program)
    digests = [hashlib.sha256(text.encode()).hexdigest() for text in (program, result)]
    _write(
        folder / "run.yaml",
        f"id: {run}\ntitle: {name} on toy numbers\ncommand: python program.py\n"
        f"code: {{path: sources/runs/{run}/program.py, sha256: {digests[0]}}}\n"
        f"seeds: [1, 2, 3]\nenvironment: {{python: 3.11.7}}\nhardware: {{cpu: one core}}\n"
        f"tolerance: same bytes\noutputs:\n  - {{path: result.json, sha256: {digests[1]}}}\n"
        f"question: {_prose(9, chance)}\nprediction: {_prose(9, chance)}\n"
        f"result: {_prose(9, chance)}\ndoes_not_show: {_prose(9, chance)}\n",
    )


def _write_vocabulary(root: Path, labs: list[str], names: list[str]) -> None:
    claims = root / "claims"
    _write(claims / "labs.yaml", "".join(f"{_id(lab)}: {{name: {lab}}}\n" for lab in labs))
    aspects = DISCLOSED + CONFIRMED + INFERRED + UNKNOWN + REPRODUCED
    _write(claims / "aspects.yaml", "".join(_aspect(aspect) for aspect in aspects))
    _write(
        claims / "terms.yaml",
        "".join(
            f"{name.lower()}: {{name: {name}, expansion: {expansion}, sentence: An objective.}}\n"
            for name, expansion in ALGORITHMS.items()
        ),
    )
    asked = ", ".join(aspect.id for aspect in aspects[:12])
    _write(
        claims / "questions.yaml",
        f"size: {{title: How large is it?, group: Size, asks: [model], aspects: [{asked}]}}\n",
    )
    _write(
        claims / "disputes.yaml",
        "".join(
            f"- {{claims: [{_id(name)}/params.total, {_id(name)}/params.total@table-1], "
            "kind: rounding, reason: The text rounds the table., on: 2026-07-20}\n"
            for name in names[::10]
        ),
    )
    first = _id(names[0])
    _write(claims / "moved.yaml", f"{first}/params.all: {first}/params.total\n")
    _write(
        claims / "wanted.yaml",
        f"annual-report: {{title: Annual report, lab: {_id(labs[0])}, why: it may give costs, "
        f"subjects: [{first}]}}\n",
    )
    rows = ", ".join(_id(name) for name in names[:20])
    _write(
        claims / "tables" / "sizes.yaml",
        f"title: Sizes\ncaption: Parameters and tokens\nrows: [{rows}]\ncolumns:\n"
        "  - {title: Parameters, aspects: [params.total]}\n"
        "  - {title: Tokens, aspects: [tokens.pretrain]}\n",
    )


def _aspect(aspect: Aspect) -> str:
    kinds = {"text": "text", "term": "term", "date": "date", "ref": "reference"}
    unit = f", unit: {aspect.unit}" if aspect.unit else ""
    also = ', also: ["%"]' if aspect.unit == "percent" else ""
    return (
        f"{aspect.id}: {{title: {aspect.title}, group: {aspect.id.partition('.')[0].title()}, "
        f"kind: {kinds.get(aspect.form, 'quantity')}{unit}{also}, "
        "counts: what the source counts, core: yes}\n"
    )


def write_receipts(root: Path) -> None:
    """Writes receipts in which every fragment and expression of the matrix is matched."""
    from datetime import date

    from evidence_matrix.evidence import Artifact
    from evidence_matrix.receipts import OFFICIAL, Receipt, Seen, digest_of, sealed, write_receipt
    from evidence_matrix.store import load

    matrix = load(root, date(2026, 11, 30)).matrix
    for key, claims in matrix.claims_of_source.items():
        source = matrix.sources[key].record
        digest = str(source.sha256)
        evidence: dict[str, Seen] = {}
        expressions: dict[str, Seen] = {}
        for claim in claims:
            for piece in claim.evidence:
                if piece.source == key:
                    seen = expressions if isinstance(piece, Artifact) else evidence
                    seen[digest_of(piece, claim.value, digest)] = {"state": "matched"}
        receipt = Receipt(
            key, digest, str(source.media), OFFICIAL, 1, 60, True, evidence, expressions
        )
        write_receipt(root, sealed(receipt))


def _names() -> Iterator[tuple[str, ...]]:
    yield from itertools.product(BIRDS, EPITHETS)
    yield from itertools.product(BIRDS, EPITHETS, EPITHETS)


def _value(form: str, base: str, chance: random.Random) -> str:
    if form.startswith("<"):
        return f"up to {_value(form[1:], base, chance)}"
    if form in _SIZES:
        number = chance.randint(*_SIZES[form])
        return f"{number / 10}T" if form == "T" else f"{number}{form[0]}"
    if form in _COUNTS:
        return str(chance.randint(*_COUNTS[form]))
    if form.startswith("%"):
        return f"{chance.randint(101, 899) / 10}%"
    if form == "e":
        return f"{chance.randint(2, 9)}e-{chance.randint(3, 6)}"
    if form == "term":
        return chance.choice(sorted(ALGORITHMS))
    if form == "date":
        return f"2025-05-{chance.randint(1, 28):02}"
    return _id(base) if form == "ref" else chance.choice(TEXTS)


def _number(written: str) -> float:
    return float(written[:-1]) * {"T": 1e12, "B": 1e9, "M": 1e6, "K": 1e3}[written[-1]]


def _result(name: str) -> dict[str, float]:
    chance = random.Random(name)
    return {aspect.words: chance.randint(11, 89) / 10 for aspect in REPRODUCED}


def _prose(count: int, chance: random.Random) -> str:
    return " ".join(chance.choices(PROSE, k=count))


def _id(name: str) -> str:
    return name.lower().replace(" ", "-")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write a matrix of invented claims.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--claims", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--receipts", action="store_true", help="match all evidence by receipts")
    given = parser.parse_args()
    write_matrix(given.folder, given.claims, given.seed)
    if given.receipts:
        write_receipts(given.folder)
