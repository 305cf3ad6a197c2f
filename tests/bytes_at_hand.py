"""A few invented claims, the bytes of their sources, and mirrors that hold them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from tests.paper import pdf_of

REPORT = pdf_of(
    ["Heron-1 has 96B total parameters,", "with 8B parameters activated per token."],
    ["Nothing of interest."],
    ["Table 1: sizes", "Heron-1 total parameters 96.3B"],
    ["It has about 97B parameters with the vision encoder."],
    ["Later pages."],
    ["More of them."],
    ["We also train Egret 2 with 14.8B parameters."],
)
CONFIG = b'{"n_routed_experts": 64, "n_active_experts": 4}\n'
CARD = b"# Egret 2\n\n**Egret 2** has 14.8B parameters.\nIt starts from heron-1.\n"


@dataclass(frozen=True)
class File:
    """A file of a mirror as its index describes it."""

    name: str
    data: bytes
    media: str
    provenance: str = "official bytes"
    reachable: str = "bytes"


FILES: Mapping[str, File] = {
    "heron-1-report": File("heron-1.pdf", REPORT, "application/pdf"),
    "heron-1-config": File("config.json", CONFIG, "application/json"),
    "egret-2-card": File("README.md", CARD, "text/markdown"),
}


def lay_mirror(folder: Path, files: Mapping[str, File] = FILES) -> Path:
    """A mirror with the files, each in a folder named by its key."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for key, file in files.items():
        (folder / key).mkdir(parents=True, exist_ok=True)
        (folder / key / file.name).write_bytes(file.data)
        lines.append(
            json.dumps(
                {
                    "key": key,
                    "file": f"{key}/{file.name}",
                    "sha256": hash_of(file.data),
                    "media_type": file.media,
                    "provenance": file.provenance,
                    "reachable": file.reachable,
                }
            )
        )
    (folder / "index.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def hash_of(data: bytes) -> str:
    """The hash that pins bytes."""
    return sha256(data).hexdigest()


def lay_records(root: Path, files: Mapping[str, str] | None = None) -> Path:
    """The claims and bibliographies below a root folder, with the files given laid over them."""
    pins = {key: hash_of(file.data) for key, file in FILES.items()}
    records = {
        "claims/aspects.yaml": _ASPECTS,
        "claims/labs.yaml": "acme: {name: Acme AI}\nheron-lab: {name: Heron Lab}\n",
        "claims/acme/egret-2.yaml": _EGRET,
        "claims/heron-lab/heron-1.yaml": _HERON,
        "sources/acme.bib": _source("egret-2-card", "acme", "model_card", pins),
        "sources/heron-lab.bib": "\n".join(
            (
                _source("heron-1-report", "heron-lab", "report", pins),
                _source("heron-1-config", "heron-lab", "config", pins),
                _source("heron-1-post", "heron-lab", "blog", pins),
            )
        ),
    }
    for name, text in {**records, **(files or {})}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def _source(key: str, lab: str, kind: str, pins: Mapping[str, str]) -> str:
    pin = f"version = {{v2}}, sha256 = {{{pins[key]}}}" if key in pins else _READ
    url = f"https://papers.example.org/{key}"
    return (
        f"@misc{{{key}, title = {{{key}}}, author = {{{{Someone}}}}, lab = {{{lab}}}, "
        f"kind = {{{kind}}}, date = {{2025-02-11}}, url = {{{url}}}, {pin}}}\n"
    )


_READ = "retrieved = {2026-07-19}"
_ASPECTS = """\
params.total: {title: Total, group: Size, kind: quantity, unit: parameters, counts: all weights}
params.active: {title: Active, group: Size, kind: quantity, unit: parameters, counts: used ones}
experts.routed: {title: Experts, group: Size, kind: quantity, unit: experts, counts: all of them}
experts.active: {title: Active experts, group: Size, kind: quantity, unit: experts, counts: used}
tokens.pretrain: {title: Tokens, group: Data, kind: quantity, unit: tokens, counts: tokens seen}
data.sources: {title: Data, group: Data, kind: text, counts: what the data is}
lineage.base: {title: Base, group: Lineage, kind: reference, counts: where training started}
"""
_HERON = """\
subject: {name: Heron-1, kind: model, scopes: {with-vision: the vision encoder counted}}
claims:
  params.total:
    label: D
    value: 96B
    evidence: [{source: heron-1-report, at: "p. 1, Abstract", quote: "96B total parameters"}]
    public: 2025-02-11
    checked: 2026-07-19
  params.total@table-1:
    label: D
    value: 96.3B
    evidence:
      - {source: heron-1-report, at: "p. 3", quote: "96.3B", row: "Heron-1 total parameters"}
    public: 2025-02-11
    checked: 2026-07-19
  params.total/with-vision:
    label: D
    value: about 97B
    evidence:
      - {source: heron-1-report, at: "p. 4, sec. 2", quote: "about 97B parameters with the vision"}
    public: 2025-02-11
    checked: 2026-07-19
  params.active:
    label: D
    value: 8B
    evidence: [{source: heron-1-report, at: "p. 1", quote: "8B parameters activated per token"}]
    public: 2025-02-11
    checked: 2026-07-19
    earlier:
      - label: U
        looked_for: [activated, active parameters]
        looked_in: [heron-1-post]
        reason: not verifiable
        next: [heron-1-report]
        public: 2025-01-30
        until: 2025-02-10
        checked: 2025-02-01
  experts.routed:
    label: C
    value: 64
    evidence: [{source: heron-1-config, read: "$.n_routed_experts"}]
    public: 2025-02-11
    checked: 2026-07-19
  experts.active:
    label: C
    value: 4 experts
    evidence: [{source: heron-1-config, read: "$.n_active_experts"}]
    public: 2025-02-11
    checked: 2026-07-19
"""
_EGRET = """\
subject: {name: Egret 2, kind: model, coauthors: [heron-lab]}
claims:
  params.total:
    label: D
    value: 14.8B
    evidence:
      - {source: egret-2-card, at: "line 3", quote: "Egret 2 has 14.8B parameters"}
      - {source: heron-1-report, at: "p. 7, sec. 4", quote: "Egret 2 with 14.8B parameters"}
    public: 2025-06
    checked: 2026-07-19
  lineage.base:
    label: D
    value: heron-1
    evidence: [{source: egret-2-card, at: "line 4", quote: "starts from heron-1"}]
    public: 2025-06
    checked: 2026-07-19
"""


def other(key: str, **changes: object) -> dict[str, File]:
    """The files with one of them changed."""
    return {**FILES, key: replace(FILES[key], **changes)}  # type: ignore[arg-type]
