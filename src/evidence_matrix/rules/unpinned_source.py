"""A source has versions, and none is named.

## Why
Pages, papers and branches move under a claim. Where a version exists, the words are only safe at
that version.

## Bad
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.total:
    label: D
    value: 14.8B
    evidence:
      - {source: wren-paper, at: "line 3", quote: "Wren has 14.8B parameters"}
    public: 2025-06
    checked: 2026-07-19
```

```bibtex
# sources/more.bib
@report{wren-paper, title = {Wren}, lab = {acme}, kind = {paper}, date = {2025-06-01}, url = {https://arxiv.org/abs/2506.00001}, retrieved = {2026-07-19}}
```

## Good
```yaml
# claims/acme/wren.yaml
subject: {name: Wren, kind: model}
claims:
  params.total:
    label: D
    value: 14.8B
    evidence:
      - {source: wren-paper, at: "line 3", quote: "Wren has 14.8B parameters"}
    public: 2025-06
    checked: 2026-07-19
```

```bibtex
# sources/more.bib
@report{wren-paper, title = {Wren}, lab = {acme}, kind = {paper}, date = {2025-06-01}, url = {https://arxiv.org/abs/2506.00001v2}, version = {v2}}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence_matrix.findings import Finding
from evidence_matrix.matrix import Matrix, Source
from evidence_matrix.rules import Scope

_ARXIV = re.compile(r"^https?://(?:www\.)?arxiv\.org/", re.IGNORECASE)
_FORGE = re.compile(
    r"^https?://(?:www\.)?(?:github\.com|gitlab\.com|huggingface\.co|raw\.githubusercontent\.com)/"
    r"[^/]+/[^/]+/(?:-/)?(?:blob|raw|resolve|tree|main|master)\b",
    re.IGNORECASE,
)
_COMMIT = re.compile(r"^[0-9a-f]{40}$")
_NAMED = re.compile(r"[0-9](v[1-9][0-9]*)(?:\.pdf)?$")
_VERSION = re.compile(r"^v[1-9][0-9]*$")

CODE = "EM305"
SCOPE = Scope.SOURCE


def check(source: Source, matrix: Matrix) -> Iterator[Finding]:
    record = source.record
    url, version = record.url or "", record.version or ""
    if _ARXIV.match(url) and not _VERSION.match(version):
        named = _NAMED.search(url)
        yield source.finding(
            CODE,
            f"'{source.key}' is on arXiv and names no version",
            f"add `version = {{{named[1]}}}`, which the address names"
            if named
            else "add `version = {v2}`, and the version to the address",
            "url",
        )
    elif _FORGE.match(url) and not _COMMIT.match(version):
        yield source.finding(
            CODE,
            f"'{source.key}' is a file of a repository and names no commit",
            "add `version = {…}` with the 40 hex digits of the commit, and use it in the address",
            "url",
        )
    elif record.kind == "package" and not (version and record.sha256):
        yield source.finding(
            CODE,
            f"'{source.key}' is a package without version and hash",
            "add `version` and the `sha256` of the file that was installed",
        )
    elif not (version or record.sha256 or record.retrieved or record.date):
        yield source.finding(
            CODE,
            f"'{source.key}' has no version, no hash and no day",
            "add `version`, `sha256`, or for a page without versions `retrieved = {2026-07-19}`",
        )
    if version and _COMMIT.match(version) and version not in url and url:
        yield source.finding(
            CODE,
            f"'{source.key}' names commit {version[:12]}…, and its address does not",
            "use the commit in the address, in place of a branch",
            "url",
        )
