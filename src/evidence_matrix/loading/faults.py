"""What a record's shape gets wrong, said in a contributor's words at the line of the key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from evidence_matrix.dates import DateError
from evidence_matrix.findings import Finding, Severity, shown
from evidence_matrix.labels import Label
from evidence_matrix.matrix import place_in
from evidence_matrix.syntax.spelling import nearest
from evidence_matrix.yaml_lines import Place

UNKNOWN_FIELD = "EM010"
MISSING_FIELD = "EM011"
UNREADABLE_FIELD = "EM012"
UNREADABLE_DATE = "EM013"
UNKNOWN_LABEL = "EM100"
SEVERAL_LABELS = "EM101"
UNKNOWN_WITH_VALUE = "EM110"

_FORMS = {
    "sha256": "write the 64 hex digits that `sha256sum FILE` prints",
    "most": "write a whole number from 1 to 99",
}
_VALUE_FIELDS = frozenset({"value", "evidence", "formula", "premises", "run", "read"})


def record_findings(
    error: ValidationError,
    node: Any,
    file: str,
    place: Place,
    models: Sequence[type[BaseModel]],
) -> Iterator[Finding]:
    """One finding for each thing that pydantic found wrong with the record at `place`.

    Args:
        error: what pydantic said.
        node: the record as it was written, with the places of its keys.
        file: path below the root.
        place: where the record stands.
        models: the models whose fields may be offered as nearest names.
    """
    seen: set[tuple[str | int, ...]] = set()
    for detail in error.errors(include_url=False):
        path = _path_in(node, detail["loc"], is_missing=detail["type"] == "missing")
        if path in seen:
            continue  # one of several shapes that would have done
        seen.add(path)
        if detail["type"] == "union_tag_invalid":
            path = (*path, "label")
        where = place_in(node, path, place)
        code, message, hint = _say(detail, path, node, models)
        yield Finding(code, Severity.ERROR, file, where.line, where.column, message, hint)


def _path_in(node: Any, steps: Sequence[str | int], is_missing: bool) -> tuple[str | int, ...]:
    """The keys and indexes of what was written; pydantic also names the members of its unions."""
    path: list[str | int] = []
    for step in steps[:-1] if is_missing else steps:
        if step in node if isinstance(node, dict) else isinstance(step, int):
            node = _at(node, (step,))
            path.append(step)
    return (*path, steps[-1]) if is_missing else tuple(path)


def _say(
    detail: Any, path: tuple[str | int, ...], node: Any, models: Sequence[type[BaseModel]]
) -> tuple[str, str, str]:
    kind = detail["type"]
    name = str(path[-1]) if path else "record"
    given = detail["input"]
    if kind == "union_tag_invalid" and detail["ctx"].get("discriminator") == "'label'":
        return _label_fault(str(detail["ctx"]["tag"]))
    if kind == "union_tag_not_found" and "label" in str(detail["ctx"].get("discriminator")):
        return MISSING_FIELD, "the claim has no label", f"add `label:` with one of {_legend()}"
    if kind == "extra_forbidden":
        above = _at(node, path[:-1])
        if name in _VALUE_FIELDS and isinstance(above, dict) and above.get("label") == "U":
            return (
                UNKNOWN_WITH_VALUE,
                f"the claim is U, unknown, and yet it has `{name}`",
                "an unknown has no value: drop it, or, for a guess, write label I with premises",
            )
        names = _fields_at(path[:-1], models)
        near = nearest(name, names)
        offer = f"write `{near}`" if near else f"known fields are {', '.join(sorted(names))}"
        if given is None and not near:
            offer += "; put a text that has a comma in it in quotes"
        return UNKNOWN_FIELD, f"there is no field `{shown(name)}` here", offer
    if kind == "missing":
        return MISSING_FIELD, f"the field `{name}` is missing", f"add `{name}:`"
    if kind == "value_error" and isinstance(detail["ctx"].get("error"), DateError):
        fault = detail["ctx"]["error"]
        return UNREADABLE_DATE, f"`{name}`: {fault}", fault.hint
    if kind == "literal_error":
        expected = detail["ctx"]["expected"]
        near = nearest(str(given), expected.replace("'", "").replace(" or ", ", ").split(", "))
        hint = f"write {near}, or one of: {expected}" if near else f"write one of: {expected}"
        return UNREADABLE_FIELD, f"`{name}` is {shown(str(given))!r}, which it cannot be", hint
    if kind == "string_pattern_mismatch":
        return (
            UNREADABLE_FIELD,
            f"`{name}` is {shown(str(given))!r}, which has not the form of one",
            _FORMS.get(name, f"write text that fits {detail['ctx']['pattern']}"),
        )
    wanted = {
        "string_type": "one piece of text",
        "tuple_type": "a list, one item a line after `- `, or `[a, b]`",
        "dict_type": "a mapping of `key: value` lines",
        "model_type": "a mapping of `key: value` lines",
        "model_attributes_type": "a mapping of `key: value` lines",
    }.get(kind, f"what the field can hold ({detail['msg']})")
    what = "nothing" if given is None else type(given).__name__.replace("Entries", "a mapping")
    what = what.replace("Items", "a list").replace("str", "text")
    return UNREADABLE_FIELD, f"`{name}` holds {what}", f"write {wanted}"


def _label_fault(tag: str) -> tuple[str, str, str]:
    letters = [letter for letter in tag.upper() if letter not in "[] "]
    marks = [letter for letter in letters if letter in Label.__members__]
    if len(marks) > 1 and all(x in Label.__members__ or x in ",/+&|" for x in letters):
        return (
            SEVERAL_LABELS,
            f"the claim carries several labels, {shown(tag)!r}",
            "split it: one claim for each label, each with its own evidence",
        )
    if tag.strip().upper() in Label.__members__:
        offer = f"write {tag.strip().upper()}"
    else:
        offer = f"write one of {_legend()}"
    return UNKNOWN_LABEL, f"{shown(tag)!r} is not a label", offer


def _legend() -> str:
    return ", ".join(f"{label.value} ({label.in_words}: {label.meaning})" for label in Label)


def _at(node: Any, path: Sequence[str | int]) -> Any:
    """What stands at a path; None where there is no such thing."""
    for step in path:
        try:
            node = node[step]
        except (KeyError, IndexError, TypeError):
            return None
    return node


def _fields_at(path: Sequence[str | int], models: Iterable[type[BaseModel]]) -> set[str]:
    """The names of the fields that a mapping at `path` inside one of the models may have."""
    here = list(models)
    for step in path:
        if isinstance(step, str):
            fields = [model.model_fields[step] for model in here if step in model.model_fields]
            here = [model for field in fields for model in _models_in(field.annotation)] or here
    return {field.alias or name for model in here for name, field in model.model_fields.items()}


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)
