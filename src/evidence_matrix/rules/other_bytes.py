"""The bytes at hand are not the pinned ones.

## Why
A pin says which bytes were read. Where others come under the same address, the source was
replaced or the pin was never right, and what was read before may not stand there any more.

## Bad
A `sha256` in the bibliography that is not the hash of the file. `evidence-matrix verify` tells it
for every source whose bytes it gets; a page without version is told as a warning, and its words are
looked for all the same.

## Good
A `sha256` that is the hash of the file, or for a page, of its text.
"""

from __future__ import annotations

from evidence_matrix.rules import Scope

CODE = "EM311"
SCOPE = Scope.LOAD
