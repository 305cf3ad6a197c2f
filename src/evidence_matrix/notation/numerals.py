"""The ways in which sources write a number, and the exact decimal that each stands for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor
from typing import NamedTuple

POWERS = {
    "k": 3, "m": 6, "b": 9, "t": 12, "hundred": 2, "thousand": 3, "million": 6, "billion": 9,
    "trillion": 12, "quadrillion": 15, "mn": 6, "mln": 6, "bn": 9, "tn": 12,
}  # fmt: skip
_SMALL = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
WORDS = {
    **{word: value for value, word in enumerate(_SMALL)},
    **{word: 10 * value for value, word in enumerate(_TENS, start=2)},
    "a": 1, "an": 1, "single": 1, "once": 1, "twice": 2,
}  # fmt: skip
_MOST_DIGITS = 12
_LETTERS = (("T", 12), ("B", 9), ("M", 6), ("K", 3))
_LINKING = frozenset({"and", "of"})
_SCALES = {"dozen": 12} | {
    word: 10 ** POWERS[word]
    for word in ("hundred", "thousand", "million", "billion", "trillion", "quadrillion")
}

MINUS = "-\u2010\u2011\u2212\u2013\ufe63\uff0d"
DASHES = MINUS + "\u2014~\u223c\u301c"
_GROUP = "(?:,|\\{,\\}|[\u2009\u202f\u00a0])"
_TIMES = "(?:[x\u00d7*\u00b7\u2217\u22c5]|\\\\times|\\\\cdot|\\\\\\*)"
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_BIG = "thousand|million|billion|trillion|quadrillion"


def _power(prefix: str, lost: str) -> str:
    """The pattern of what follows a ten: `^-6`, `^{-6}`, `⁻⁶`, or a minus whose caret got lost."""
    return (
        rf"(?:\s?(?:\^|\*\*)\s?\{{?(?P<{prefix}_caret>[{MINUS}+]?[0-9]{{1,3}})\}}?"
        rf"|(?P<{prefix}_raised>[⁻⁺]?[⁰¹²³⁴-⁹]{{1,3}})"
        rf"|{lost})"
    )


_LOST_BARE = rf"[{MINUS}](?P<ten_lost>[1-9])(?![0-9A-Za-z%.,])"
_LOST_TIMES = (
    rf"\s?[{MINUS}]\s?(?P<times_lost>[0-9]{{1,2}})(?![0-9])"
    r"|(?(part)(?P<times_flat>[12][0-9])(?![0-9])|(?!))"  # 3.8 × 1025, but not 2 × 1024
)
NUMBER = re.compile(  # not inside of a name, but for the active parameters in 30B-A3B
    rf"(?=[.0-9])(?:(?<![A-Za-z0-9_])|(?<=[-_\s(/]A)(?=[0-9.]{{1,6}}B))"
    r"(?<![0-9]\.)(?:"
    r"(?P<date>(?:19|20)[0-9]{2}[-/.][0-9]{2}[-/.][0-9]{2}(?![0-9]))"
    rf"|10{_power('ten', _LOST_BARE)}"
    rf"|(?:(?P<whole>[0-9]{{1,3}}(?:{_GROUP}[0-9]{{3}})+|[0-9]{{1,40}})(?:\.(?P<part>[0-9]{{1,40}}))?"
    r"|\.(?P<only>[0-9]{1,40}))"
    r"(?![0-9])(?!\.[0-9])"
    rf"(?:[eE](?P<e>[{MINUS}+]?[0-9]{{1,3}})(?![0-9])"
    rf"|\s?{_TIMES}\s?10{_power('times', _LOST_TIMES)})?"
    rf"(?:[\s-]{{0,2}}(?P<word>(?i:(?:hundred\s)?(?:{_BIG})|hundred|bn|tn|mn|mln))s?(?![A-Za-z0-9])"
    r"|(?P<letter>[KkMmBbTt])(?![A-Za-z0-9])"
    r"|\s(?P<apart>[KMBT])(?![A-Za-z0-9]))?"
    r")"
)
_SCALE = f"(?:hundred|{_BIG}|dozen)"
_DIGIT = "one|two|three|four|five|six|seven|eight|nine"
_COUNT = f"(?:(?:{'|'.join(_TENS)})(?:[\\s-](?:{_DIGIT}))?|{'|'.join(reversed(_SMALL))})"
SPELLED = re.compile(
    rf"\b(?:(?:several|a\sfew|few|many|multiple)\s(?P<few>dozen|(?:hundred\s)?(?:{_BIG})|hundred)"
    r"|(?:(?P<many>tens|hundreds|thousands)\sof\s)?"
    rf"(?P<vague>dozens|tens|hundreds|(?:{_BIG})s)(?:\sof)?"
    r"|(?P<words>once|twice|single|"
    rf"(?:{_COUNT}|(?:half\sof\s|half\s)?an?(?=[\s-]{_SCALE})|half(?=[\s-]{_SCALE}))(?:(?:[\s-]{_SCALE})+(?:\s(?:and\s)?{_COUNT})?){{0,4}}))\b",
    re.IGNORECASE,
)


class Numeral(NamedTuple):
    """A number as it stands in a text, without the words around it.

    Attributes:
        digits: the significant digits, without zeros at the end; 0 for zero.
        power: the number is digits × 10^power.
        place: 10^place is the place of the last digit written.
        start: where the number starts in the text.
        end: where it ends, its scale word included.
        shift: the power of ten of its scale word, scale letter or exponent; 0 without one.
        vague: whether it only names an order of magnitude, as in `thousands of`.
        unsure: whether its last letter may be a unit (7b, 5m) instead of a scale.
    """

    digits: int
    power: int
    place: int
    start: int
    end: int
    shift: int = 0
    vague: bool = False
    unsure: bool = False

    @property
    def value(self) -> Fraction:
        """The exact number."""
        return fraction(self.digits, self.power)


@lru_cache(maxsize=256)
def power_of_ten(power: int) -> Fraction:
    """The exact 10^power."""
    return fraction(1, power)


def fraction(digits: int, power: int) -> Fraction:
    """The exact number digits × 10^power."""
    return Fraction(digits * 10**power) if power >= 0 else Fraction(digits, 10**-power)


def trimmed(digits: int, power: int) -> tuple[int, int]:
    """The same decimal without zeros at the end of its digits; (0, 0) for zero."""
    if not digits:
        return 0, 0
    while not digits % 10:
        digits //= 10
        power += 1
    return digits, power


def decimal(number: Fraction) -> tuple[int, int] | None:
    """The significant digits and the power of ten of a number, or None if it never ends."""
    rest, twos, fives = number.denominator, 0, 0
    while not rest % 2:
        rest, twos = rest // 2, twos + 1
    while not rest % 5:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return None
    places = max(twos, fives)
    return trimmed(number.numerator * 10**places // number.denominator, -places)


def numeral(match: re.Match[str]) -> Numeral | None:
    """What a match of NUMBER stands for; None for a calendar date, which is no number."""
    date, ten_caret, ten_raised, ten_lost, whole, part, only, *rest = match.groups()
    e, times_caret, times_raised, times_lost, times_flat, word, letter, apart = rest
    start, end = match.span()
    if date:
        return None
    if whole is None and only is None:
        power = -int(ten_lost) if ten_lost else _signed(ten_caret or ten_raised)
        return Numeral(1, power, power, start, end, power)
    whole, part = whole or "", part or only or ""
    if len(whole) > 3 and not whole.isdecimal():
        whole = re.sub("[^0-9]", "", whole)
    shift = 0
    raised = e or times_caret or times_raised
    if raised:
        shift = _signed(raised)
    elif times_lost or times_flat:
        shift = int(times_flat) if times_flat else -int(times_lost)
    letter = letter or apart
    if letter:
        shift += POWERS[letter.lower()]
    elif word:
        shift += sum(POWERS[name] for name in word.lower().split())
    place = shift - len(part)
    digits, power = trimmed(int(whole + part), place)
    unsure = letter is not None and letter in "mbt"
    return Numeral(digits, power, place, start, end, shift, unsure=unsure)


def spelled(match: re.Match[str]) -> Numeral:
    """What a match of SPELLED stands for."""
    start, end = match.span()
    vague = match["vague"] or match["few"]
    if vague:
        names = [*(match["many"] or "").split(), *vague.split()]
        value = 1
        for name in names:
            value *= 10 if name.lower() == "tens" else _SCALES[name.lower().removesuffix("s")]
        digits, power = trimmed(value, 0)
        return Numeral(digits, power, power, start, end, shift=power, vague=True)
    words = [word for word in re.split(r"[\s-]+", match["words"].lower()) if word not in _LINKING]
    halves = 1 if words[0] == "half" else 2
    words = ["a", *words[1 + (words[1] in WORDS) :]] if words[0] == "half" else words
    total = current = 0
    place = 0
    for word in words:
        if word in WORDS:
            current += WORDS[word]
            place = 0
        elif _SCALES[word] >= 1000:
            total = total * _SCALES[word] if not current else total + current * _SCALES[word]
            current = 0
            place += POWERS[word]
        else:
            current *= _SCALES[word]
            place += POWERS.get(word, 0)
    digits, power = trimmed((total + current) * halves // 2, 0)
    place -= halves == 1 and place > 0
    return Numeral(digits, power, place, start, end, shift=place)


def numerals(text: str) -> Iterator[Numeral]:
    """Every number written in digits, then every number written in words."""
    for match in NUMBER.finditer(text):
        found = numeral(match)
        if found is not None:
            yield found
    for match in SPELLED.finditer(text):
        yield spelled(match)


def numerals_with(digits: int, text: str) -> Iterator[Numeral]:
    """Those of `numerals` that have these significant digits, quicker than reading them all."""
    wanted = str(digits).strip("0")
    for match in NUMBER.finditer(text):
        whole, part, only = match.group("whole", "part", "only")
        seen = (whole or "") + (part or only or "")
        if seen.strip("0") == wanted or not seen or not seen.isdecimal():
            found = numeral(match)
            if found is not None and found.digits == digits:
                yield found
    for match in SPELLED.finditer(text):
        found = spelled(match)
        if found.digits == digits:
            yield found


def _signed(written: str) -> int:
    """An exponent in any of the writings of its sign."""
    plain = written.translate(_SUPERSCRIPTS)
    if plain[0] in MINUS:
        return -int(plain[1:])
    return int(plain)


def leading_place(number: Fraction) -> int:
    """The power of ten of the first digit: 2 for 349, -3 for 0.0012; 0 for zero."""
    if not number:
        return 0
    number = abs(number)
    place = len(str(number.numerator)) - len(str(number.denominator))
    return place if number >= power_of_ten(place) else place - 1


def written(number: Fraction, step: Fraction, outward: int = 0, plain: bool = False) -> str:
    """A number rounded to the place of `step`; where `step` is 0, all of its digits or `…`.

    A half is rounded up; `outward` -1 rounds every number down and 1 up, as bounds need it.
    `plain` keeps a small number without exponent.
    """
    if step:
        shift = Fraction(1, 2) if not outward else Fraction(0)
        steps = ceil(number / step) if outward > 0 else floor(number / step + shift)
        last = leading_place(step)
        digits = abs(steps) * int(step / power_of_ten(last))
        return ("-" if steps < 0 else "") + _placed(digits, last, plain)
    sign, number = ("-" if number < 0 else ""), abs(number)
    pair = decimal(number)
    if pair is not None and len(str(pair[0])) <= _MOST_DIGITS:
        last = pair[1] if pair[1] >= 6 else min(pair[1], 0)
        return sign + _placed(pair[0] * 10 ** (pair[1] - last), last)
    last = leading_place(number) - 3
    short = _placed(int(number / power_of_ten(last)), last)
    cut = re.fullmatch(r"([0-9.,]+)(.*)", short)
    return sign + (f"{cut[1]}…{cut[2]}" if cut else short)


def _placed(digits: int, last: int, plain: bool = False) -> str:
    """The writing of digits × 10^last that keeps the place of the last digit."""
    first = last + len(str(digits)) - 1
    if last > 0:
        for letter, scale in _LETTERS:
            if last <= scale <= first:
                return f"{_pointed(digits, scale - last)}{letter}"
    if last > 0 or (first < -4 and digits and not plain):
        return f"{_pointed(digits, first - last)}e{first}"
    head, dot, tail = _pointed(digits, -last).partition(".")
    return (f"{int(head):,}" if len(head) > 4 else head) + dot + tail


def _pointed(digits: int, places: int) -> str:
    """The digits with a decimal point before the last `places` of them."""
    if not places:
        return str(digits)
    plain = str(digits).rjust(places + 1, "0")
    return f"{plain[:-places]}.{plain[-places:]}"
