"""Write a first record: a subject's file, or a claim to paste into one."""

from __future__ import annotations

import argparse
from pathlib import Path

from evidence_matrix.commands import CannotRunError, root_of, takes_today, today_of
from evidence_matrix.spelling import nearest
from evidence_matrix.store import load

_SUBJECT = """\
subject: {{name: {name}, kind: model}}
claims:
  {aspect}:
    label: D
    value: …
    evidence:
      - {{source: …, at: "p. …", quote: "…"}}
    public: {today}
    checked: {today}
"""
_CLAIM = """\
  {aspect}:
    label: D
    value: …
    evidence:
      - {{source: …, at: "p. …", quote: "…"}}
    public: {today}
    checked: {today}
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `new`."""
    takes_today(parser)
    parser.add_argument(
        "id", metavar="ID", help="lab/subject for a file, or subject/aspect for a claim"
    )


def run(options: argparse.Namespace) -> int:
    """Write the file of a new subject, or add a claim to an existing one."""
    root = root_of(options)
    matrix = load(root, today_of(options)).matrix
    first, _, second = options.id.partition("/")
    if not second:
        raise CannotRunError("write lab/subject, such as acme/heron-2, or subject/aspect")
    today = today_of(options).isoformat()
    if first in matrix.labs:
        path = root / "claims" / first / f"{second}.yaml"
        if path.exists():
            raise CannotRunError(f"{path} is there already")
        path.parent.mkdir(parents=True, exist_ok=True)
        text = _SUBJECT.format(name=second, aspect="event.release", today=today)
        path.write_text(text, encoding="utf-8")
        return _say(path, root)
    if first in matrix.subjects:
        aspect = second.partition("@")[0].partition("/")[0]
        if aspect not in matrix.aspects:
            near = nearest(aspect, matrix.aspects)
            raise CannotRunError(
                f"there is no aspect {aspect!r}" + (f"; did you mean {near}?" if near else "")
            )
        if options.id in matrix.claims:
            claim = matrix.claims[options.id]
            raise CannotRunError(f"the claim is there already: {claim.file}:{claim.place.line}")
        path = root / matrix.subjects[first].file
        text = path.read_text(encoding="utf-8")
        text = text if text.endswith("\n") else text + "\n"
        if "\nclaims:" not in text:
            text += "claims:\n"
        path.write_text(text + _CLAIM.format(aspect=second, today=today), encoding="utf-8")
        return _say(path, root)
    near = nearest(first, [*matrix.labs, *matrix.subjects])
    raise CannotRunError(
        f"{first!r} is neither a lab nor a subject" + (f"; did you mean {near}?" if near else "")
    )


def _say(path: Path, root: Path) -> int:
    print(f"{path.relative_to(root)}: replace each … by what the source says, then")
    print("evidence-matrix check")
    return 0
