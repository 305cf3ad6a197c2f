"""The matrix: what links to what, and what could be known on a day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from evidence_matrix.dates import parse_date
from evidence_matrix.matrix import Matrix, part_above_whole
from evidence_matrix.store import Loaded, load
from tests.conftest import TINY, TODAY

MATRIX = load(TINY, TODAY).matrix
DAYS = st.dates(date(2024, 12, 1), date(2026, 7, 20))


def known(matrix: Matrix, day: date) -> dict[str, object]:
    return {claim_id: claim.record for claim_id, claim in matrix.at(day).claims.items()}


def test_an_answer_holds_from_its_day_and_the_earlier_one_until_the_day_before() -> None:
    before = MATRIX.at(date(2025, 2, 10)).claims["heron-1/params.active"]
    after = MATRIX.at(date(2025, 2, 11)).claims["heron-1/params.active"]
    assert (before.label, before.value) == ("U", None)
    assert (after.label, after.value) == ("D", "8B")
    assert not before.evidence


def test_nothing_is_known_before_anything_was_public() -> None:
    assert not MATRIX.at(date(2024, 1, 1)).claims


def test_an_upper_bound_counts_from_its_last_day() -> None:
    assert "heron-1/env.tasks" not in MATRIX.at(date(2025, 2, 10)).claims
    assert "heron-1/env.tasks" in MATRIX.at(date(2025, 2, 11)).claims


def test_an_inference_is_as_late_as_its_latest_premise() -> None:
    claim = MATRIX.claims["heron-1/params.active_share"]
    assert MATRIX.public_of(claim) == parse_date("2025-02-11")


@given(DAYS, DAYS)
def test_what_is_known_stays_known_or_is_answered_anew(one: date, other: date) -> None:
    earlier, later = sorted((one, other))
    assert set(MATRIX.at(earlier).claims) <= set(MATRIX.at(later).claims)


@given(day=DAYS, delay=st.integers(1, 400))
def test_what_becomes_public_later_never_changes_what_was_known_before(
    day: date, delay: int
) -> None:
    """A claim that comes out after a day leaves everything that was known that day as it was."""
    new_day = day + timedelta(days=delay)
    old = MATRIX.claims["heron-1/params.total"]
    record = old.record.model_copy(update={"public": parse_date(new_day.isoformat())})
    new = type(old)(
        "heron-1/tokens.pretrain",
        record,
        old.file,
        old.node,
        old.place,
        old.subject,
        "tokens.pretrain",
        None,
        None,
        old.lab,
        old.label,
        old.evidence,
    )
    grown = Matrix(**{**vars_of(MATRIX), "claims": {**MATRIX.claims, new.id: new}})
    assert known(grown, day) == known(MATRIX, day)


def vars_of(matrix: Matrix) -> dict[str, object]:
    return {name: getattr(matrix, name) for name in matrix.__dataclass_fields__}


def test_what_is_withdrawn_is_gone_for_every_day(
    loaded: Callable[[dict[str, str]], Loaded],
) -> None:
    text = (TINY / "claims/acme/egret-2.yaml").read_text()
    text = text.replace(
        "    value: heron-1\n",
        "    value: heron-1\n    withdrawn: {on: 2026-07-19, reason: it was another model}\n",
    )
    matrix = loaded({"claims/acme/egret-2.yaml": text}).matrix
    assert "egret-2/lineage.base" in matrix.claims
    for day in (date(2025, 7, 1), date(2026, 7, 20)):
        assert "egret-2/lineage.base" not in matrix.at(day).claims


def test_readings_of_one_thing_stand_together_and_scopes_apart() -> None:
    ids = [claim.id for claim in MATRIX.readings["heron-1/params.total"]]
    assert ids == ["heron-1/params.total", "heron-1/params.total@table-1"]
    assert len(MATRIX.readings["heron-1/params.total/with-vision"]) == 1


def test_a_source_knows_the_claims_that_rest_on_it_and_those_that_searched_it() -> None:
    ids = {claim.id for claim in MATRIX.claims_of_source["heron-1-report"]}
    assert "heron-1/cost.training" in ids
    assert "egret-2/params.total" in ids
    assert "heron-1/experts.routed" not in ids


def test_a_dispute_without_both_claims_is_not_shown_on_a_day() -> None:
    assert MATRIX.disputes
    assert not MATRIX.at(date(2025, 2, 1)).disputes


def test_a_part_that_may_be_as_large_as_the_whole_is_not_above_it() -> None:
    assert not list(part_above_whole(MATRIX, "params.active", "params.total"))
    assert list(part_above_whole(MATRIX, "params.total", "params.active"))
