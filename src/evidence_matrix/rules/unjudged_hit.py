"""A term that was looked for stands in a text, and nobody said what it says there.

## Why
Not found is a statement about the hits as well. Where a term occurs, somebody has read the place and
says why it is no answer; when the count is another one than was judged, it has to be read again.

## Bad
Bad needs bytes: `evidence-matrix verify` counts the hits of each term and writes them into the
receipt. A claim whose `hits` do not list them, or list another count, is to be looked at again.

## Good
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  cost.training:
    label: U
    looked_for: [cost]
    looked_in: [egret-2-card]
    reason: not verifiable
    next: [heron-1-cost-note]
    hits:
      - {source: egret-2-card, term: cost, count: "2", judged: the price of the interface}
    checked: 2026-07-19
```
"""

from __future__ import annotations

from collections.abc import Iterator

from evidence_matrix.findings import Finding, Severity
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.receipts import hits_of
from evidence_matrix.records import UnknownClaim
from evidence_matrix.rules import Scope

CODE = "EM125"
SCOPE = Scope.CLAIM
LABELS = frozenset({Label.U})
SEVERITY = Severity.ERROR


def check(claim: Claim, matrix: Matrix) -> Iterator[Finding]:
    record = claim.record
    if not isinstance(record, UnknownClaim):
        return
    judged = {(hit.source, hit.term): hit.count for hit in record.hits}
    for index, key in enumerate(record.looked_in):
        for term in record.looked_for:
            found = hits_of(key, term, matrix)
            if not found:
                continue
            count = sum(found.values())
            places = ", ".join(list(found)[:6])
            if (key, term) not in judged:
                yield claim.finding(
                    CODE,
                    f"'{term}' stands {count} times in '{key}' ({places}) and was not judged",
                    f'read them; add `hits: [{{source: {key}, term: {term}, count: "{count}", '
                    "judged: why it is no answer}]`, or write the answer",
                    "looked_in",
                    index,
                )
            elif judged[key, term] != str(count):
                yield claim.finding(
                    CODE,
                    f"'{term}' stands {count} times in '{key}', and {judged[key, term]} were judged",
                    "read them again and correct the count",
                    "hits",
                )
