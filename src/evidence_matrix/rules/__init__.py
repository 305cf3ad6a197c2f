"""The rules: one file for each fault, found by discovery, each with its page and its example.

A rule is a module with a docstring (a summary line, `## Why`, `## Bad`, `## Good`) and

- `CODE`: its code, never used again for anything else. EM0xx file, EM1xx claim, EM2xx evidence,
  EM3xx source, EM4xx whole matrix, EM5xx prose, EM6xx runs.
- `SCOPE`: what the runner hands to it.
- `check(item, matrix)`: yields findings; a rule of scope LOAD has none, the loader reports it.
- optional `LABELS`: the labels of the claims it looks at; `SEVERITY`.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from evidence_matrix.findings import Finding, Severity
from evidence_matrix.labels import Label


class Scope(StrEnum):
    """What a rule judges."""

    LOAD = "load"
    CLAIM = "claim"
    SUBJECT = "subject"
    SOURCE = "source"
    MATRIX = "matrix"
    PAGE = "page"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as the runner and the rule pages see it."""

    code: str
    name: str
    summary: str
    scope: Scope
    severity: Severity
    labels: frozenset[Label]
    check: Callable[[Any, Any], Iterable[Finding]] | None
    docstring: str

    def section(self, heading: str) -> str:
        """The Markdown below `## heading` in the docstring; empty if there is none."""
        parts = re.split(r"^## (.+)$", self.docstring, flags=re.MULTILINE)
        for title, body in zip(parts[1::2], parts[2::2], strict=True):
            if title.strip() == heading:
                return body.strip()
        return ""


@cache
def all_rules() -> tuple[Rule, ...]:
    """Every rule, by code."""
    rules = []
    for module_info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{module_info.name}")
        docstring = (module.__doc__ or "").strip()
        rules.append(
            Rule(
                code=module.CODE,
                name=module_info.name.replace("_", "-"),
                summary=docstring.partition("\n")[0],
                scope=module.SCOPE,
                severity=getattr(module, "SEVERITY", Severity.ERROR),
                labels=getattr(module, "LABELS", frozenset(Label)),
                check=getattr(module, "check", None),
                docstring=docstring,
            )
        )
    return tuple(sorted(rules, key=lambda rule: rule.code))
