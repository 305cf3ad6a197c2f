"""No source was read.

## Why
A verification that reached no bytes and is green is how broken verifications stay unseen.

## Bad
A mirror that holds none of the sources that the claims cite, or `--source` with the key of a source
that no claim cites.

## Good
A mirror with at least one of them.
"""

from __future__ import annotations

from evidence_matrix.rules import Scope

CODE = "EM413"
SCOPE = Scope.LOAD
