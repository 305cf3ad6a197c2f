"""A formula over claims: what it gives, with units, bounds, about and precision carried along."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import inf

from evidence_matrix.formula_value import disagreement
from evidence_matrix.notation import intervals
from evidence_matrix.notation.intervals import Interval
from evidence_matrix.notation.numerals import leading_place, power_of_ten, written
from evidence_matrix.notation.units import (
    PERCENT,
    Factors,
    comparable,
    factors,
    is_percent,
    joined,
    named,
)
from evidence_matrix.notation.wording import FARTHEST
from evidence_matrix.quantity import Quantity
from evidence_matrix.syntax.spelling import nearest

LONGEST = 300
FUNCTIONS = {
    "min": "the least of its arguments",
    "max": "the greatest of its arguments",
    "sum": "its arguments added up",
    "round": "its argument rounded to whole numbers, or to as many decimals as a second one says",
    "count": "the number of its argument without the unit",
}
_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
_FORMS = "use + - * / ( ), numbers, names of premises and " + ", ".join(FUNCTIONS)


class FormulaError(ValueError):
    """A formula that gives nothing; `hint` says what to write instead."""

    def __init__(self, message: str, hint: str, column_offset: int = 0) -> None:
        super().__init__(message)
        self.hint = hint
        self.column_offset = column_offset


@dataclass(frozen=True)
class _Term:
    """What a part of a formula gives.

    Attributes:
        numbers: what it can be.
        about: whether a premise of it is approximate.
        step: the place of the last digit that the premises carry; 0 where all are exact.
        unit: names of units and their powers; None for a number of the formula, which takes any.
        shown: what it is shown as, as an operand.
    """

    numbers: Interval
    about: bool
    step: Fraction
    unit: Factors | None
    shown: str | Quantity

    @property
    def text(self) -> str:
        """How it reads as an operand; worked out when someone reads it."""
        return self.shown if isinstance(self.shown, str) else self.shown.format()

    def quantity(self, expression: str) -> Quantity:
        """The quantity that it is, as the result of an expression."""
        return _quantity(expression.strip(), self.numbers, self.about, self.step, self.unit)


def evaluate(expression: str, values: Mapping[str, Quantity]) -> Quantity:
    """What a formula gives for its premises.

    A bound gives a bound, turned round where it is subtracted or divided by. `about` is carried.
    The step of the result follows from the significant digits of the premises in a product and
    from their last places in a sum. Percents count as hundredths beside `*` and `/`.

    Args:
        expression: `active / total`, in names, numbers, + - * / ( ), min, max, sum, round, count.
        values: the premises by name.

    Raises:
        FormulaError: it cannot be read, a name is unknown, units differ, or it divides by zero.
    """
    return _work(_parsed(expression), values, None).quantity(expression)


def steps(
    expression: str, values: Mapping[str, Quantity], value: Quantity | None = None
) -> list[str]:
    """The way from the premises to the result, a line for each operation; last the value written.

    Raises:
        FormulaError: as `evaluate`.
    """
    lines: list[str] = []
    term = _work(_parsed(expression), values, lines)
    if not lines:
        lines.append(f"{expression.strip()} = {term.text}")
    if value is not None:
        fault = disagreement(value, term.quantity(expression))
        shown = _bare(value).format()
        lines[-1] += (
            f" → {shown} (to the precision written)" if fault is None else f" ≠ {shown}: {fault}"
        )
    return lines


@lru_cache(maxsize=1024)
def _parsed(expression: str) -> ast.expr:
    if len(expression) > LONGEST:
        raise FormulaError(
            f"the formula is {len(expression)} characters long, more than {LONGEST}",
            "split it: an inference can be the premise of another",
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python warns of is refused here anyway
            return ast.parse(expression.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        offset = (getattr(error, "offset", None) or 1) - 1
        raise FormulaError("the formula cannot be read", _FORMS, offset) from None


def _work(node: ast.expr, values: Mapping[str, Quantity], lines: list[str] | None) -> _Term:
    """What a part of a formula gives; each operation adds a line to `lines`, where there is one."""
    if isinstance(node, ast.Name):
        return _premise(node, values)
    if isinstance(node, ast.Constant):
        return _literal(node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        term = _work(node.operand, values, lines)
        return _negated(term) if isinstance(node.op, ast.USub) else term
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        sign = _OPERATORS[type(node.op)]
        left, right = (_work(side, values, lines) for side in (node.left, node.right))
        term = _combined(left, sign, right, node)
        if lines is not None:
            _tell(lines, node, f"{left.text} {sign} {right.text}", term)
    elif isinstance(node, ast.Call):
        name = _function(node)
        terms = [_work(argument, values, lines) for argument in node.args]
        term = _applied(name, terms, node)
        if lines is not None:
            _tell(lines, node, f"{name}({', '.join(one.text for one in terms)})", term)
    else:
        shown = ast.unparse(node)
        raise FormulaError(f"`{shown}` is no part of a formula", _FORMS, node.col_offset)
    return term


def _tell(lines: list[str], node: ast.expr, working: str, term: _Term) -> None:
    lines.append(f"{ast.unparse(node)} = {working} = {term.text}")


def _premise(node: ast.Name, values: Mapping[str, Quantity]) -> _Term:
    value = values.get(node.id)
    if value is None:
        near = nearest(node.id, values)
        hint = f"write `{near}`" if near else f"the premises are {', '.join(sorted(values))}"
        raise FormulaError(f"no premise has the name `{node.id}`", hint, node.col_offset)
    numbers = Interval(
        -inf if value.low is None else value.low,
        inf if value.high is None else value.high,
        value.low_open or value.low is None,
        value.high_open or value.high is None,
    )
    step = Fraction(0) if value.is_exact else value.step
    return _Term(numbers, value.about, step, factors(value.unit), _bare(value))


def _literal(node: ast.Constant) -> _Term:
    if isinstance(node.value, bool) or not isinstance(node.value, int | float):
        raise FormulaError(
            f"`{ast.unparse(node)}` is no number in a formula", _FORMS, node.col_offset
        )
    number = Fraction(str(node.value)) if abs(node.value) < inf else None
    if number is None or (number and abs(leading_place(number)) > FARTHEST):
        raise FormulaError(
            "a number of the formula is farther from 1 than any quantity",
            f"stay between 10^-{FARTHEST} and 10^{FARTHEST}",
            node.col_offset,
        )
    return _Term(intervals.point(number), False, Fraction(0), None, written(number, Fraction(0)))


def _function(node: ast.Call) -> str:
    name = node.func.id if isinstance(node.func, ast.Name) else ast.unparse(node.func)
    if name not in FUNCTIONS:
        near = nearest(name, FUNCTIONS)
        hint = f"write `{near}`" if near else f"the functions are {', '.join(FUNCTIONS)}"
        raise FormulaError(f"there is no function `{name}`", hint, node.col_offset)
    most = {"count": 1, "round": 2}.get(name, len(node.args))
    if node.keywords or not 1 <= len(node.args) <= most:
        raise FormulaError(
            f"`{name}` cannot take these arguments",
            f"`{name}` is {FUNCTIONS[name]}",
            node.col_offset,
        )
    return name


def _negated(term: _Term) -> _Term:
    numbers = intervals.negative(term.numbers)
    return replace(term, numbers=numbers, shown=f"(-{term.text})")


def _combined(left: _Term, sign: str, right: _Term, node: ast.expr) -> _Term:
    if sign in "+-":
        left, right = _same_percent([left, right])
        unit = _same_unit([left, right], node)
        other = right.numbers if sign == "+" else intervals.negative(right.numbers)
        numbers = intervals.total(left.numbers, other)
        return _term(numbers, [left, right], max(left.step, right.step), unit)
    left, right = _without_percent(left), _without_percent(right)
    try:
        work = intervals.product if sign == "*" else intervals.quotient
        numbers = work(left.numbers, right.numbers)
    except ZeroDivisionError:
        raise FormulaError(
            f"`{ast.unparse(node)}` divides by {right.text}"
            + ("" if right.numbers == intervals.point(Fraction(0)) else ", which may be zero"),
            "divide by a quantity that is known to be above zero",
            node.col_offset,
        ) from None
    step = _relative_step(numbers, [left, right])
    return _term(
        numbers,
        [left, right],
        step,
        joined(left.unit or {}, right.unit or {}, 1 if sign == "*" else -1),
    )


def _applied(name: str, terms: list[_Term], node: ast.Call) -> _Term:
    first = terms[0]
    if name == "count":
        bare_term = _without_percent(first)
        return _term(bare_term.numbers, terms, bare_term.step, {})
    if name == "round":
        return _rounded_term(terms, node)
    terms = _same_percent(terms)
    unit = _same_unit(terms, node)
    numbers = [term.numbers for term in terms]
    if name == "sum":
        found = numbers[0]
        for one in numbers[1:]:
            found = intervals.total(found, one)
    else:
        found = intervals.least(numbers) if name == "min" else intervals.greatest(numbers)
        deciding = [
            term
            for term in terms
            if {term.numbers.low, term.numbers.high} & {found.low, found.high}
        ]
        return _term(found, terms, max(term.step for term in deciding), unit)
    return _term(found, terms, max(term.step for term in terms), unit)


def _rounded_term(terms: list[_Term], node: ast.Call) -> _Term:
    places = 0
    if len(terms) == 2:
        second = node.args[1]
        if not isinstance(second, ast.Constant) or second.value not in range(13):
            raise FormulaError(
                "the second argument of `round` is not a whole number of decimals",
                "write a number from 0 to 12",
                second.col_offset,
            )
        places = int(str(second.value))
    first = terms[0]
    low, high = (
        Fraction(round(end, places)) if isinstance(end, Fraction) else end
        for end in (first.numbers.low, first.numbers.high)
    )
    numbers = Interval(low, high, low == -inf, high == inf)
    return _term(numbers, [first], max(first.step, Fraction(1, 10**places)), first.unit)


def _term(numbers: Interval, of: list[_Term], step: Fraction, unit: Factors | None) -> _Term:
    """A term with `about` from the terms that it was made of, and what it is shown as."""
    about = any(term.about for term in of)
    return _Term(numbers, about, step, unit, _quantity("", numbers, about, Fraction(0), unit))


def _relative_step(numbers: Interval, of: list[_Term]) -> Fraction:
    """The last place of a product that has as many digits as the poorest of its factors."""
    digits = [
        leading_place(term.numbers.size) - leading_place(term.step) + 1 for term in of if term.step
    ]
    if not digits:
        return Fraction(0)
    return power_of_ten(leading_place(numbers.size) - min(digits) + 1)


def _without_percent(term: _Term) -> _Term:
    if term.unit is None or not is_percent(term.unit):
        return term
    hundredth = intervals.product(term.numbers, intervals.point(Fraction(1, 100)))
    return replace(term, numbers=hundredth, step=term.step / 100, unit={})


def _same_percent(terms: list[_Term]) -> list[_Term]:
    """Terms that are added or compared: percents stay percents only among themselves."""
    if all(term.unit is not None and is_percent(term.unit) for term in terms):
        return terms
    return [_without_percent(term) for term in terms]


def _same_unit(terms: list[_Term], node: ast.expr) -> Factors | None:
    """The one unit of terms that are added or compared; a number of the formula takes any."""
    units = [term.unit for term in terms if term.unit is not None]
    for unit in units[1:]:
        if comparable(unit) != comparable(units[0]):
            raise FormulaError(
                f"`{ast.unparse(node)}` joins {named(units[0]) or 'a bare number'} with "
                f"{named(unit) or 'a bare number'}",
                "add and compare what has one unit; `count(x)` drops a unit",
                node.col_offset,
            )
    return units[0] if units else None


def _quantity(
    text: str, numbers: Interval, about: bool, step: Fraction, unit: Factors | None
) -> Quantity:
    low, high, low_open, high_open = numbers
    if low == 0 and low_open and isinstance(high, Fraction):
        low = -inf  # what lies above zero and below a number is written with its upper bound alone
    return Quantity(
        text,
        low if isinstance(low, Fraction) else None,
        high if isinstance(high, Fraction) else None,
        low_open and low != -inf,
        high_open and high != inf,
        about,
        step,
        named(unit or {}),
    )


def _bare(value: Quantity) -> Quantity:
    """A premise as a reader sees it in a line: without its unit, but for percent."""
    return replace(value, unit="%" if value.unit in PERCENT else None)
