from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.dates import DateError, PartialDate, parse_date


@st.composite
def partial_dates(draw: st.DrawFn) -> PartialDate:
    year = draw(st.integers(1, 9999))
    month = draw(st.none() | st.integers(1, 12))
    day = None if month is None else draw(st.none() | st.integers(1, monthrange(year, month)[1]))
    return PartialDate("", year, month, day, draw(st.booleans()))


def refusal(text: str) -> DateError:
    with pytest.raises(DateError) as caught:
        parse_date(text)
    return caught.value


@given(partial_dates())
def test_what_is_written_is_read_back(known: PartialDate) -> None:
    assert parse_date(known.format()) == known


@given(partial_dates())
def test_the_earliest_day_is_never_after_the_latest(known: PartialDate) -> None:
    assert known.earliest <= known.latest


@given(st.dates())
def test_a_full_date_is_one_day(day: date) -> None:
    known = parse_date(day.isoformat())
    assert (known.earliest, known.latest) == (day, day)


@given(st.dates(date(1, 1, 1), date(9999, 11, 30)))
def test_a_month_ends_the_day_before_the_next_month(day: date) -> None:
    month = parse_date(f"{day:%Y-%m}" if day.year > 999 else f"{day.year:04d}-{day.month:02d}")
    assert (month.latest + timedelta(days=1)).day == 1
    assert month.earliest.day == 1
    assert month.earliest <= day <= month.latest


@given(partial_dates(), partial_dates())
def test_two_dates_meet_or_one_is_surely_before(one: PartialDate, two: PartialDate) -> None:
    assert one.meets(two) == two.meets(one)
    assert one.meets(two) != (one.surely_before(two) or two.surely_before(one))
    assert one.surely_after(two) == two.surely_before(one)


@given(partial_dates(), partial_dates(), partial_dates())
def test_surely_before_is_an_order(a: PartialDate, b: PartialDate, c: PartialDate) -> None:
    assert not a.surely_before(a)
    if a.surely_before(b) and b.surely_before(c):
        assert a.surely_before(c)
    if a.surely_before(b):
        assert a.sort_key < b.sort_key


@given(partial_dates())
def test_an_upper_bound_leaves_every_earlier_day_open(known: PartialDate) -> None:
    bound = parse_date(f"by {known.format().removeprefix('by ')}")
    assert bound.by
    assert bound.earliest == date.min
    assert bound.latest == known.latest


@given(st.text(alphabet="0123456789-/. by:TJanury", max_size=16))
def test_any_text_is_read_as_it_stands_or_refused_with_a_hint(text: str) -> None:
    said = ""
    try:
        said = parse_date(text).format()
    except DateError as error:
        fault = error
    assert said == text.strip() if said else fault.hint


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("2026-7-4", "write `2026-07-04`"),
        ("27 July 2026", "write `2026-07-27`"),
        ("Sept 10, 2026", "write `2026-09-10`"),
        ("July 2026", "write `2026-07`"),
        ("by July 2026", "write `by 2026-07`"),
        ("2026/07/27", "write `2026-07-27`"),
        ("2026.07.27", "write `2026-07-27`"),
    ],
)
def test_a_date_in_another_writing_is_offered_in_ours(text: str, hint: str) -> None:
    assert refusal(text).hint == hint


@pytest.mark.parametrize("text", ["27/07/2026", "07/04/2026", "Q3 2026", "early 2026", "soon", ""])
def test_a_date_that_could_be_several_is_not_guessed(text: str) -> None:
    assert "`by 2026-07-27`" in refusal(text).hint


@pytest.mark.parametrize("text", ["2026-02-30", "2026-04-31", "2025-02-29", "2026-06-00"])
def test_a_day_that_no_calendar_has_is_refused_with_the_days_there_are(text: str) -> None:
    fault = refusal(text)
    assert "there is no" in str(fault)
    assert "has the days 01 to" in fault.hint


def test_thirty_february_names_the_month() -> None:
    assert str(refusal("2026-02-30")) == "there is no 30 February 2026"
    assert refusal("2026-02-30").hint.startswith("February 2026 has the days 01 to 28")


@pytest.mark.parametrize("text", ["2026-13", "2026-00", "0000"])
def test_a_month_or_year_that_does_not_exist_is_refused(text: str) -> None:
    assert "there is no" in str(refusal(text))


@pytest.mark.parametrize(
    ("text", "date_part"),
    [
        ("2026-08-16 17:14 UTC", "`2026-08-16`"),
        ("2026-08-06T18:17:21+08:00", "`2026-08-06`"),
        ("17:14 UTC", "`2026-07-27`"),
    ],
)
def test_a_time_of_day_is_sent_to_means(text: str, date_part: str) -> None:
    hint = refusal(text).hint
    assert date_part in hint
    assert "a time of day belongs in `means`" in hint


def test_a_very_long_text_is_refused_in_a_short_message() -> None:
    assert len(str(refusal("9" * 200_000))) < 120
    assert len(refusal("9" * 200_000).hint) < 120


def test_two_spellings_of_one_date_are_equal() -> None:
    assert parse_date(" 2026-07 ") == parse_date("2026-07")
    assert str(parse_date("by 2026-07-27")) == "by 2026-07-27"
