from __future__ import annotations

import ast
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evidence_matrix.formula import FUNCTIONS, FormulaError, evaluate, steps
from evidence_matrix.formula_value import disagreement
from evidence_matrix.quantity import Quantity, parse_quantity

PREMISES = {
    "active": parse_quantity("104.2B", "parameters"),
    "total": parse_quantity("2.78T", "parameters"),
    "tokens": parse_quantity(">15T", "tokens"),
    "roughly": parse_quantity("about 15T", "tokens"),
    "spread": parse_quantity("630B–839B", "tokens"),
    "hours": parse_quantity("2.788M H800 hours", "GPU hours", ("hours",)),
    "price": parse_quantity("2 USD/GPU hour"),
    "share": parse_quantity("3.75%", "%"),
    "routed": parse_quantity("896", "experts"),
    "chosen": parse_quantity("16", "experts"),
    "from_zero": parse_quantity("0 to 5", "tokens"),
    "width": parse_quantity("7168"),
}


def refusal(expression: str) -> FormulaError:
    with pytest.raises(FormulaError) as caught:
        evaluate(expression, PREMISES)
    return caught.value


@st.composite
def formulas(draw: st.DrawFn, depth: int = 3) -> str:
    """A formula over a, b and c that is written as Python would read it."""
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from(["a", "b", "c", "2", "0.5", "7"]))
    left, right = draw(formulas(depth - 1)), draw(formulas(depth - 1))
    form = draw(
        st.sampled_from(["({} + {})", "({} - {})", "({} * {})", "({} / {})", "min({}, {})"])
    )
    return form.format(left, right)


class Exact(ast.NodeTransformer):
    """Turns the numbers of an expression into fractions, for an independent evaluation."""

    def visit_Constant(self, node: ast.Constant) -> ast.Call:
        return ast.Call(ast.Name("Fraction", ast.Load()), [ast.Constant(str(node.value))], [])


def python_gives(expression: str, **names: Fraction) -> Fraction:
    tree = ast.fix_missing_locations(Exact().visit(ast.parse(expression, mode="eval")))
    found = eval(compile(tree, "formula", "eval"), {"Fraction": Fraction, "min": min}, names)
    return Fraction(found)


def bare(number: Fraction) -> Quantity:
    return Quantity("", number, number)


NUMBERS = st.fractions(-20, 20, max_denominator=8)


@given(formulas(), NUMBERS, NUMBERS, NUMBERS)
def test_on_exact_numbers_a_formula_gives_what_python_gives(
    expression: str, a: Fraction, b: Fraction, c: Fraction
) -> None:
    try:
        expected = python_gives(expression, a=a, b=b, c=c)
    except ZeroDivisionError:
        with pytest.raises(FormulaError, match="divides by"):
            evaluate(expression, {"a": bare(a), "b": bare(b), "c": bare(c)})
    else:
        computed = evaluate(expression, {"a": bare(a), "b": bare(b), "c": bare(c)})
        assert computed.low == computed.high == expected
        assert not computed.about


@given(formulas(), st.lists(NUMBERS, min_size=6, max_size=6), st.data())
def test_a_result_holds_what_any_numbers_in_the_premises_give(
    expression: str, ends: list[Fraction], data: st.DataObject
) -> None:
    premises, chosen = {}, {}
    for name, one, two in zip("abc", ends[::2], ends[1::2], strict=True):
        low, high = min(one, two), max(one, two)
        premises[name] = Quantity("", low, high)
        chosen[name] = data.draw(st.sampled_from([low, high, (low + high) / 2]))
    try:
        computed = evaluate(expression, premises)
    except FormulaError:
        assume(False)
    result = python_gives(expression, **chosen)
    assert computed.low is None or computed.low <= result
    assert computed.high is None or result <= computed.high


@given(formulas())
def test_about_is_carried_from_any_premise_that_is_used(expression: str) -> None:
    premises = {name: bare(Fraction(index + 3, 7)) for index, name in enumerate("abc")}
    for name in "abc":
        given_about = premises | {name: replace(premises[name], about=True)}
        try:
            computed = evaluate(expression, given_about)
        except FormulaError:
            continue
        used = any(
            isinstance(node, ast.Name) and node.id == name
            for node in ast.walk(ast.parse(expression))
        )
        assert computed.about is used


@given(st.integers(1, 9999), st.integers(1, 9999), st.integers(0, 4), st.integers(1, 9))
def test_a_ratio_agrees_as_it_is_rounded_and_not_one_digit_off(
    one: int, two: int, places: int, off: int
) -> None:
    premises = {"a": parse_quantity(str(one)), "b": parse_quantity(str(two))}
    computed = evaluate("a / b", premises)
    rounded = int(Fraction(one, two) * 10**places + Fraction(1, 2))
    right = parse_quantity(f"{rounded}e-{places}")
    assert disagreement(right, computed) is None
    assert disagreement(parse_quantity(f"{rounded + off}e-{places}"), computed)


@pytest.mark.parametrize(
    ("expression", "value", "unit"),
    [
        ("active / total", "3.75%", "%"),
        ("active / total", "0.0375", None),
        ("total / active", "26.7", None),
        ("tokens / active", ">143 tokens/parameter", None),
        ("active / tokens", "<0.007 parameters/token", None),
        ("roughly / total", "about 5.4 tokens/parameter", None),
        ("hours * price", "$5.576M", "USD"),
        ("routed / chosen", "56", None),
        ("share * total", "104B", "parameters"),
        ("total * (1 - share)", "2.68T", "parameters"),
        ("total - active", "2.68T", "parameters"),
        ("share + share", "7.5%", "%"),
        ("6 * count(active) * count(roughly)", "about 9.4e24", "FLOPs"),
        ("tokens - spread", ">14.1T", "tokens"),
        ("spread / 3", "210B–280B", "tokens"),
        ("round(total / active)", "27", None),
        ("max(routed, chosen) - min(routed, chosen)", "880", "experts"),
        ("sum(active, active, active)", "312.6B", "parameters"),
        ("-share", "-3.75%", "%"),
    ],
)
def test_a_formula_gives_the_value_as_it_is_written(
    expression: str, value: str, unit: str | None
) -> None:
    written = parse_quantity(value, unit)
    assert disagreement(written, evaluate(expression, PREMISES)) is None


@pytest.mark.parametrize(
    ("expression", "value", "unit", "why"),
    [
        ("active / total", "3.74%", "%", "in full it gives 3.748…%"),
        ("active / total", "37.5%", "%", "in full it gives 3.748…%"),
        ("active / total * 100", "3.75%", "%", "in full it gives 374.8…%"),
        ("active / total", "3.748201%", "%", "the premises carry no more digits than 3.75%"),
        ("tokens / active", ">144 tokens/parameter", None, "gives >143.9… tokens/parameters"),
        ("tokens / active", "143 tokens/parameter", None, "gives a lower bound, the value is one"),
        (
            "tokens / active",
            "<143 tokens/parameter",
            None,
            "gives a lower bound, the value is an up",
        ),
        ("roughly / total", "5.4 tokens/parameter", None, "a premise is about, the value is not"),
        ("active + total", "2.88T", "tokens", "gives parameters, the value has tokens"),
        ("tokens / active", ">143", None, "gives tokens/parameters, the value has no unit"),
        ("spread * 2", "1.3T", "tokens", "gives a range, the value is one number"),
        ("spread * 2", "1.26T–1.69T", "tokens", "gives 1.26T to 1.678T tokens"),
    ],
)
def test_a_value_that_the_formula_does_not_give_is_told_why(
    expression: str, value: str, unit: str | None, why: str
) -> None:
    fault = disagreement(parse_quantity(value, unit), evaluate(expression, PREMISES))
    assert fault is not None
    assert why in fault


def test_a_bound_that_reaches_its_end_gives_no_strict_bound() -> None:
    at_least = {"a": parse_quantity("at least 10")}
    assert disagreement(parse_quantity("≥20"), evaluate("a * 2", at_least)) is None
    assert disagreement(parse_quantity(">20"), evaluate("a * 2", at_least))
    other = evaluate("a * 2", {"a": parse_quantity(">10")})
    assert disagreement(parse_quantity("≥20"), other) is None


def test_a_value_may_hedge_more_than_its_premises() -> None:
    assert disagreement(parse_quantity("about 3.7%"), evaluate("active / total", PREMISES)) is None


@pytest.mark.parametrize(
    ("expression", "message", "hint"),
    [
        ("activ / total", "no premise has the name `activ`", "write `active`"),
        ("zzz / total", "no premise has the name `zzz`", "the premises are active"),
        ("active + tokens", "joins parameters with tokens", "count(x)"),
        ("active + width", "joins parameters with a bare number", "one unit"),
        ("min(active, tokens)", "joins parameters with tokens", "one unit"),
        ("active / from_zero", "divides by 0 to 5, which may be zero", "above zero"),
        ("active / (chosen - 16)", "divides by 0 experts", "above zero"),
        ("active ** 2", "`active ** 2` is no part of a formula", "use + - * /"),
        ("active.real", "`active.real` is no part of a formula", "use + - * /"),
        ("active[0]", "is no part of a formula", "use + - * /"),
        ("active if total else 1", "is no part of a formula", "use + - * /"),
        ("(lambda: 1)()", "there is no function", "min, max"),
        ("__import__('os')", "there is no function `__import__`", "min, max"),
        ("mim(active, total)", "there is no function `mim`", "write `min`"),
        ("'text'", "is no number", "use + - * /"),
        ("True", "is no number", "use + - * /"),
        ("1j", "is no number", "use + - * /"),
        ("max()", "cannot take these arguments", "the greatest of its arguments"),
        ("count(active, total)", "cannot take these arguments", "without the unit"),
        ("round(active, digits=2)", "cannot take these arguments", "whole numbers"),
        ("round(active, total)", "second argument of `round`", "from 0 to 12"),
        ("1e400 * active", "farther from 1 than any quantity", "10^60"),
        ("1e99 * active", "farther from 1 than any quantity", "10^60"),
        ("active /", "the formula cannot be read", "use + - * /"),
        ("3% * active", "the formula cannot be read", "use + - * /"),
        ("", "the formula cannot be read", "use + - * /"),
        ("active\x00", "the formula cannot be read", "use + - * /"),
        ("9" * 299, "farther from 1", "10^60"),
        ("(" * 150 + ")" * 150, "`()` is no part of a formula", "use + - * /"),
        ("1+" * 200 + "1", "401 characters long", "split it"),
    ],
)
def test_what_is_no_formula_is_refused_with_what_to_write(
    expression: str, message: str, hint: str
) -> None:
    fault = refusal(expression)
    assert message in str(fault)
    assert hint in fault.hint


@given(st.text(alphabet="ab+-*/() .,0123456789e'[]%:=xminroud_\\\n", max_size=40))
def test_any_text_gives_a_quantity_or_a_formula_error(text: str) -> None:
    premises = {"a": parse_quantity("2"), "b": parse_quantity(">3 tokens")}
    try:
        shown = evaluate(text, premises).format()
    except FormulaError as error:
        shown = error.hint
    assert shown


def test_nesting_up_to_the_longest_formula_is_read() -> None:
    assert evaluate("-" * 299 + "1", PREMISES).low == -1
    assert evaluate("(" * 140 + "chosen" + ")" * 140, PREMISES).low == 16


def test_every_function_is_explained_and_works() -> None:
    for name in FUNCTIONS:
        assert evaluate(f"{name}(chosen)", PREMISES).low == 16


def test_steps_can_be_followed_from_the_premises_to_the_value() -> None:
    assert steps("active / total", PREMISES, parse_quantity("3.75%", "%")) == [
        "active / total = 104.2B / 2.78T = 0.03748… → 3.75% (to the precision written)"
    ]
    assert steps("total * (1 - share)", PREMISES) == [
        "1 - share = 1 - 3.75% = 0.9625",
        "total * (1 - share) = 2.78T * 0.9625 = 2.67575T parameters",
    ]
    assert steps("active", PREMISES, parse_quantity("104B", "parameters")) == [
        "active = 104.2B → 104B (to the precision written)"
    ]


def test_steps_show_bounds_and_about() -> None:
    assert steps("active / tokens", PREMISES) == [
        "active / tokens = 104.2B / >15T = <0.006946… parameters/tokens"
    ]
    assert steps("roughly / total", PREMISES) == [
        "roughly / total = about 15T / 2.78T = about 5.395… tokens/parameters"
    ]


def test_steps_say_why_a_value_does_not_follow() -> None:
    (line,) = steps("active / total", PREMISES, parse_quantity("3.9%", "%"))
    assert line.endswith("= 0.03748… ≠ 3.9%: in full it gives 3.748…%")


def test_precision_is_carried_through_products_and_sums() -> None:
    assert evaluate("active * 1", PREMISES).step == Fraction(10) ** 8
    assert evaluate("active / total", PREMISES).step == Fraction(1, 10**4)
    assert evaluate("active + total", PREMISES).step == Fraction(10) ** 10
    assert evaluate("routed / chosen", PREMISES).step == 0
    assert evaluate("routed / chosen", PREMISES).is_exact
