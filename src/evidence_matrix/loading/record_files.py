"""Files of records below a root folder: each record validated, each fault at its line."""

from __future__ import annotations

import os
from pathlib import Path, PurePath
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from evidence_matrix.findings import Finding, Severity
from evidence_matrix.loading.faults import UNREADABLE_FIELD, record_findings
from evidence_matrix.matrix import START, Entry
from evidence_matrix.yaml_lines import Entries, Items, Place, read_yaml

ModelT = TypeVar("ModelT", bound=BaseModel)
NO_RECORD = "EM008"


class RecordFiles:
    """One reading of a root folder; collects findings and counts files.

    A record that cannot be read is left out and reported; nothing is dropped without a finding.

    Attributes:
        findings: what could not be read.
        count: number of files read.
        unread: ids and files of what could not be read.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.findings: list[Finding] = []
        self.count = 0
        self.unread: set[str] = set()

    def paths(self, pattern: str) -> list[Path]:
        """The files that fit a pattern, in the order of their names.

        Raises:
            OSError: a folder cannot be looked into; a glob alone would pass over it.
        """
        for above in PurePath(pattern).parents[:-1]:
            for folder in self.root.glob(str(above)):
                if folder.is_dir():
                    os.scandir(folder).close()
        return [path for path in sorted(self.root.glob(pattern)) if self._is_file(path)]

    def _is_file(self, path: Path) -> bool:
        """Whether there is a file; what bears its name and is none is reported."""
        if path.is_file():
            return True
        if path.is_symlink() or path.exists():
            what = "a link that leads to no file" if path.is_symlink() else "no file"
            hint = "put the file itself there, or take it away"
            self.report(NO_RECORD, self.name(path), START, f"this is {what}", hint)
            self.unread.add(path.stem)
        return False

    def name(self, path: Path) -> str:
        """The path below the root, as findings name it."""
        return path.relative_to(self.root).as_posix()

    def data(self, path: Path) -> bytes:
        """The bytes of a file."""
        self.count += 1
        return path.read_bytes()

    def report(self, code: str, file: str, place: Place, message: str, hint: str) -> None:
        """Add an error."""
        where = (file, place.line, place.column)
        self.findings.append(Finding(code, Severity.ERROR, *where, message, hint))

    def yaml(self, path: Path) -> Any:
        """What a YAML file holds, with places; None where it cannot be read."""
        node, findings = read_yaml(self.data(path), file=self.name(path))
        self.findings.extend(findings)
        if node is None:
            self.unread.update((self.name(path), path.stem))
        return node

    def validated(self, model: type[ModelT], node: Any, file: str, place: Place) -> ModelT | None:
        """The record, or None where it is none."""
        try:
            return model.model_validate(node)
        except ValidationError as error:
            self.findings.extend(record_findings(error, node, file, place, (model,)))
            return None

    def not_a(self, wanted: str, node: Any, file: str, place: Place = START) -> None:
        """Report that something holds another shape than the wanted one."""
        what = "one piece of text"
        if node is None:
            what = "nothing"
        elif isinstance(node, dict | list):
            what = "a mapping" if isinstance(node, dict) else "a list"
        self.report(UNREADABLE_FIELD, file, place, f"here stands {what}", f"write {wanted}")

    def mapping(self, name: str, model: type[ModelT]) -> dict[str, Entry[ModelT]]:
        """The records of a file that maps ids to records; none where there is no file."""
        entries: dict[str, Entry[ModelT]] = {}
        node = self._node(name)
        if not isinstance(node, Entries):
            if node is not None:
                self.not_a("a mapping from ids to records", node, name)
            return entries
        for key, value in node.items():
            place = node.keys_at[key]
            record = self.validated(model, value, name, place)
            if record is None:
                self.unread.add(key)
            else:
                entries[key] = Entry(key, record, name, value, place)
        return entries

    def sequence(self, name: str, model: type[ModelT]) -> tuple[Entry[ModelT], ...]:
        """The records of a file that lists records; none where there is no file."""
        node = self._node(name)
        if not isinstance(node, Items):
            if node is not None:
                self.not_a("a list of records, each after `- `", node, name)
            return ()
        entries = []
        for index, value in enumerate(node):
            place = node.places[index]
            record = self.validated(model, value, name, place)
            if record is not None:
                entries.append(Entry(f"{name}#{index + 1}", record, name, value, place))
        return tuple(entries)

    def names(self, name: str) -> dict[str, Entry[str]]:
        """The entries of a file that maps one name to another; none where there is no file."""
        node = self._node(name)
        if not isinstance(node, Entries):
            if node is not None:
                self.not_a("lines of `old: new`", node, name)
            return {}
        entries: dict[str, Entry[str]] = {}
        for old, new in node.items():
            if isinstance(new, str):
                entries[old] = Entry(old, new, name, node, node.keys_at[old])
            else:
                self.not_a(f"`{old}: new`", new, name, node.keys_at[old])
        return entries

    def whole(self, path: Path, model: type[ModelT], entry_id: str) -> Entry[ModelT] | None:
        """The one record that a file holds, or None where it is none."""
        node = self.yaml(path)
        if node is None:
            self.unread.add(entry_id)
            return None
        file = self.name(path)
        record = self.validated(model, node, file, START)
        if record is None:
            self.unread.add(entry_id)
            return None
        return Entry(entry_id, record, file, node, START)

    def _node(self, name: str) -> Any:
        path = self.root / name
        return self.yaml(path) if self._is_file(path) else None
