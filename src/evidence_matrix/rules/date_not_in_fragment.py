"""The fragment gives another day than the value.

## Why
A day off in a release date moves what could be known when. Where the fragment names a day, it is
the day of the value; a date that rests on something else, such as a commit, quotes no day.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  event.release:
    label: D
    value: 2025-06-04
    evidence:
      - {source: egret-2-card, at: "line 1", quote: "Wren is out today, June 3, 2025"}
    public: 2025-06-03
    checked: 2026-07-19
```

## Good
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  event.release:
    label: D
    value: 2025-06-03
    evidence:
      - {source: egret-2-card, at: "line 1", quote: "Wren is out today, June 3, 2025"}
    public: 2025-06-03
    checked: 2026-07-19
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence_matrix.dates import DateError, PartialDate, parse_date
from evidence_matrix.evidence import Fragment
from evidence_matrix.findings import Finding
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.rules import Scope

CODE = "EM216"
SCOPE = Scope.CLAIM
LABELS = frozenset({Label.D})

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_NAMED = "|".join(f"{month[:3]}(?:{month[3:]})?" for month in _MONTHS)
_DATES = (
    re.compile(r"(?P<y>20[0-9]{2})[-./](?P<m>[01]?[0-9])[-./](?P<d>[0-3]?[0-9])(?![0-9])"),
    re.compile(
        rf"(?P<n>{_NAMED})\.? (?P<d>[0-3]?[0-9])(?:st|nd|rd|th)?,? (?P<y>20[0-9]{{2}})", re.I
    ),
    re.compile(
        rf"(?P<d>[0-3]?[0-9])(?:st|nd|rd|th)? (?P<n>{_NAMED})\.?,? (?P<y>20[0-9]{{2}})", re.I
    ),
)


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    if not isinstance(claim.parsed, PartialDate):
        return
    for index, piece in enumerate(claim.evidence):
        if not isinstance(piece, Fragment):
            continue
        days = list(days_in(piece.words))
        if days and not any(day.meets(claim.parsed) for day in days):
            yield claim.finding(
                CODE,
                f"the value is {claim.value}, and the fragment says {days[0]}",
                "write the day that the source gives, or quote the words that give this one",
                "evidence",
                index,
                "quote",
            )


def days_in(text: str) -> Iterator[PartialDate]:
    """Every whole date that a text names, in the usual writings."""
    for pattern in _DATES:
        for match in pattern.finditer(text):
            parts = match.groupdict()
            month = parts.get("m")
            if month is None:
                month = str([name[:3] for name in _MONTHS].index(parts["n"][:3].lower()) + 1)
            try:
                yield parse_date(f"{parts['y']}-{int(month):02d}-{int(parts['d']):02d}")
            except DateError:
                continue
