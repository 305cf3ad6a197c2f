"""A file is larger than a megabyte.

## Why
Nobody reviews such a file, and parsing one can be made to take minutes.

## Bad
A file of more than a million bytes.

## Good
One file a subject.
"""

from __future__ import annotations

from evidence_matrix.rules import Scope

CODE = "EM002"
SCOPE = Scope.LOAD
