"""Plant faults of every kind in a copy of the claims, and count what check and verify catch."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from evidence_matrix.commands import CannotRunError, root_of, takes_today, today_of
from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Matrix
from evidence_matrix.syntax.spelling import nearest

RESULT = "sources/drill.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of `drill`."""
    takes_today(parser)
    parser.add_argument("--seed", type=int, default=1, help="chooses how claims are spoiled")
    parser.add_argument(
        "--mirror", type=Path, metavar="DIR", help="bytes for verify; without it only check is run"
    )
    parser.add_argument("--only", metavar="KIND", help="this kind of fault only")


def run(options: argparse.Namespace) -> int:
    """Print the table as it grows; a drill of all kinds is kept in sources/drill.json."""
    from itertools import chain

    from evidence_matrix.drill import as_rows, drill
    from evidence_matrix.drills import all_drills
    from evidence_matrix.source_drill import source_drill

    root, today = root_of(options), today_of(options)
    kinds = [kind.id for kind in all_drills()]
    if options.only and options.only not in kinds:
        near = nearest(options.only, kinds)
        raise CannotRunError(
            f"there is no drill {options.only!r}" + (f"; did you mean {near}?" if near else "")
        )
    results = []
    with tempfile.TemporaryDirectory(prefix="evidence-matrix-") as folder:
        verify = _verifier(options.mirror, root)
        print(f"seed {options.seed}, judged on {today}")
        claims = drill(root, Path(folder), today, options.seed, verify, options.only)
        sources = (
            iter(()) if options.only else source_drill(root, Path(folder), today, options.seed)
        )
        for result in chain(claims, sources):
            results.append(result)
            verified = "-" if result.verified is None else result.verified
            print(
                f"{result.id:>18}: {result.planted} planted, check {result.checked}, "
                f"no longer matched {result.unmatched}, verify {verified}, "
                f"escaped {result.escaped}",
                flush=True,
            )
    if not options.only:
        content = {
            "seed": options.seed,
            "day": today.isoformat(),
            "bytes": options.mirror is not None,
            "kinds": as_rows(results),
        }
        path = root / RESULT
        path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
        print(f"kept in {RESULT}")
    return 0


def _verifier(mirror: Path | None, root: Path) -> Callable[[Matrix], Iterable[Finding]] | None:
    if mirror is None:
        return None
    from evidence_matrix.verification.library import CACHE
    from evidence_matrix.verification.mirror import Mirror, MirrorError
    from evidence_matrix.verify import verify

    try:
        Mirror.open(mirror)  # told before the first fault is planted, not at the first that escapes
    except MirrorError as error:
        raise CannotRunError(str(error)) from error
    return lambda matrix: verify(matrix, mirror=mirror, cache=root / CACHE).findings
