"""The bytes of a source cannot be read as what they are said to be.

## Why
A PDF that does not open, or that hangs its reader, confirms nothing.

## Bad
A page of a log-in form, kept under the name of a report. Only `evidence-matrix verify` has the
bytes and can tell.

## Good
The file itself, with its media type in `media`.
"""

from __future__ import annotations

from evidence_matrix.rules import Scope

CODE = "EM312"
SCOPE = Scope.LOAD
