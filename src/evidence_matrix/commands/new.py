"""Write a first record: a subject's file, or a claim to paste into one."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from pathlib import Path

from evidence_matrix.commands import CannotRunError, root_of, takes_today, today_of
from evidence_matrix.loading.subject_files import CLAIM_KEY
from evidence_matrix.matrix import Matrix
from evidence_matrix.records import SUBJECT_ID
from evidence_matrix.store import load
from evidence_matrix.syntax.spelling import nearest

_SUBJECT = """\
subject: {{name: {name}, kind: model}}
claims:
"""
_CLAIM = """\
  {aspect}:
    label: D
    value: …
    evidence:
      - {{source: …, at: "p. …", quote: "…"}}
    public: …
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
    today = today_of(options).isoformat()
    if not second:
        raise CannotRunError("write lab/subject, such as acme/heron-2, or subject/aspect")
    if first in matrix.labs:
        path = _new_file(root, matrix, first, second)
        text = _SUBJECT.format(name=second) + _CLAIM.format(aspect="event.release", today=today)
    elif first in matrix.subjects:
        path = root / matrix.subjects[first].file
        text = _with_room(path) + _CLAIM.format(aspect=_new_key(matrix, first, second), today=today)
    elif matrix.is_unread(first):
        raise CannotRunError(f"{first} cannot be read; run `evidence-matrix check` first")
    else:
        raise CannotRunError(
            f"{first!r} is neither a lab nor a subject"
            + _offer(first, [*matrix.labs, *matrix.subjects])
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    print(f"{path.relative_to(root)}: replace each … by what the source says, then")
    print("evidence-matrix check")
    return 0


def _new_file(root: Path, matrix: Matrix, lab: str, subject: str) -> Path:
    if not re.fullmatch(SUBJECT_ID, subject):
        raise CannotRunError(
            f"{subject!r} is no subject id; use lower-case letters, digits, dots and hyphens"
        )
    if subject in matrix.subjects:
        raise CannotRunError(f"the subject is there already: {matrix.subjects[subject].file}")
    path = root / "claims" / lab / f"{subject}.yaml"
    if path.exists():
        raise CannotRunError(f"{path} is there already")
    return path


def _new_key(matrix: Matrix, subject: str, key: str) -> str:
    match = CLAIM_KEY.fullmatch(key)
    if match is None:
        raise CannotRunError(
            f"{key!r} is no claim key; write aspect, aspect/scope or aspect@reading"
        )
    aspect = match["aspect"]
    if aspect not in matrix.aspects:
        raise CannotRunError(f"there is no aspect {aspect!r}" + _offer(aspect, matrix.aspects))
    claim = matrix.claims.get(f"{subject}/{key}")
    if claim is not None:
        raise CannotRunError(f"the claim is there already: {claim.file}:{claim.place.line}")
    if matrix.is_unread(f"{subject}/{key}"):
        raise CannotRunError(f"the claim is there already, in {matrix.subjects[subject].file}")
    return key


def _with_room(path: Path) -> str:
    """The file's text, to which a claim can be added at the end."""
    text = path.read_text(encoding="utf-8").rstrip("\n") + "\n"
    text = re.sub(r"^claims: *(\{ *\}|null|~) *$", "claims:", text, flags=re.MULTILINE)
    if not re.search(r"^claims:", text, re.MULTILINE):
        text += "claims:\n"
    last = re.findall(r"^(\S.*)$", text, re.MULTILINE)[-1]
    if last != "claims:":
        raise CannotRunError(f"`claims:` is not the last block of {path}; add the claim by hand")
    return text


def _offer(name: str, names: Iterable[str]) -> str:
    near = nearest(name, names)
    return f"; did you mean {near}?" if near else ""
