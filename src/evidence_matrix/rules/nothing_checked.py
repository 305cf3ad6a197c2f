"""No claim was checked.

## Why
A check that looked at nothing and is green is how broken checks stay unseen.

## Bad
A root folder without claims.

## Good
A root folder with at least one claim.
"""

from __future__ import annotations

from evidence_matrix.rules import Scope

CODE = "EM410"
SCOPE = Scope.LOAD
