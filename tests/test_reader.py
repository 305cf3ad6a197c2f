"""What readers come for, done by hand in a browser: five questions, and what is seen in answer.

What must be seen is worked out from the records, so that a changed claim breaks nothing here and
a broken page does.
"""

from __future__ import annotations

import re
from datetime import date
from fractions import Fraction

import pytest
from playwright.sync_api import Locator, Page, expect

from evidence_matrix.coverage import claims_about
from evidence_matrix.labels import Label
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.pages.composer import value_text
from evidence_matrix.quantity import Quantity
from evidence_matrix.records import UnknownClaim
from tests.reader import found

pytestmark = [pytest.mark.integration, pytest.mark.browser]

FIRST, SECOND = date(2026, 7, 19), date(2026, 8, 1)  # before and after Kimi K3's report
MANY = 10_000


@pytest.fixture
def home(page: Page, real_address: str) -> Page:
    """A reader begins on the home page."""
    page.goto(real_address)
    return page


def search(page: Page, words: str) -> None:
    """Types words into the search and opens the first of what it finds, once the list is still."""
    first, before = found(page, words), None
    while (now := first.get_attribute("href")) != before:
        before = now
        page.wait_for_timeout(700)
    first.click()


def shown(page: Page, claim: Claim) -> Locator:
    """The claim on its subject's page."""
    return page.locator(f'article[data-c="{claim.id}"]')


def expect_evidence(place: Locator, claim: Claim, matrix: Matrix) -> None:
    """Value, label, fragment, source, a locator that leads there, and the day are seen."""
    expect(place.get_by_text(value_text(claim.record), exact=True)).to_be_visible()
    expect(place.locator(".em-l", has_text=claim.label.value)).to_be_visible()
    expect(place.locator(".em-means")).to_contain_text(claim.label.in_words)
    assert claim.evidence
    for piece in claim.evidence:
        expect(place.get_by_text(f"“{getattr(piece, 'quote', '')}”")).to_be_visible()
        source = place.get_by_role("link", name=matrix.sources[piece.source].record.title)
        expect(source.first).to_be_visible()
        there = place.get_by_role("link", name=piece.locator(), exact=True)
        expect(there).to_be_visible()
        number = re.match(r"p\. (\d+)", piece.locator())
        if number:
            expect(there).to_have_attribute("href", re.compile(rf"^https://.*{number[1]}$"))
    public = matrix.public_of(claim)
    assert public is not None
    expect(place.get_by_text(f"public since {public.format()}")).to_be_visible()


# 1. How many tokens was DeepSeek-V3 pre-trained on, and where does it say so?


@pytest.mark.parametrize("width", [1440, 390])
def test_tokens_of_v3_are_found_by_one_search_with_the_place_that_says_so(
    home: Page, real_matrix: Matrix, width: int
) -> None:
    claim = real_matrix.claims["deepseek-v3/tokens.pretrain"]
    home.set_viewport_size({"width": width, "height": 800})
    search(home, "DeepSeek-V3 pre-training tokens")
    expect(home).to_have_url(re.compile(r"/claims/deepseek-v3/#tokens\.pretrain$"))
    place = shown(home, claim)
    expect(place.get_by_role("heading")).to_be_in_viewport()
    expect_evidence(place, claim, real_matrix)


def test_tokens_of_v3_are_two_clicks_from_the_home_page(home: Page, real_matrix: Matrix) -> None:
    claim = real_matrix.claims["deepseek-v3/tokens.pretrain"]
    main = home.get_by_role("main")
    main.get_by_role("link", name="DeepSeek", exact=True).click()
    main.get_by_role("link", name="DeepSeek-V3", exact=True).click()
    expect_evidence(shown(home, claim), claim, real_matrix)


def test_a_chip_of_a_comparison_says_where_it_stands_at_once(
    page: Page, real_matrix: Matrix, real_address: str
) -> None:
    claim = real_matrix.claims["minimax-m2.5/env.count/coding"]
    page.goto(f"{real_address}compare/env.count/")
    page.get_by_role("button", name=value_text(claim.record)).click()
    expect_evidence(page.locator(".em-note:popover-open"), claim, real_matrix)


# 2. What did training DeepSeek-V4 cost?


@pytest.mark.parametrize("width", [1440, 390])
def test_that_the_cost_of_v4_is_not_disclosed_is_seen_with_where_and_when_we_looked(
    home: Page, real_matrix: Matrix, width: int
) -> None:
    claim = real_matrix.claims["deepseek-v4/cost.usd"]
    record = claim.record
    assert isinstance(record, UnknownClaim), "V4's cost is known now: ask for another unknown"
    home.set_viewport_size({"width": width, "height": 800})
    search(home, "DeepSeek-V4 cost")
    place = shown(home, claim)
    expect(place.get_by_role("heading")).to_be_in_viewport()
    expect(place.get_by_text(record.in_words, exact=True)).to_be_visible()
    expect(place.locator(".em-means")).to_contain_text("unknown")
    expect(place.get_by_text(", ".join(record.looked_for))).to_be_visible()
    for key in record.looked_in:
        title = real_matrix.sources[key].record.title
        expect(place.get_by_role("link", name=title).first).to_be_visible()
    assert record.checked is not None
    dates = place.get_by_text(f"checked {record.checked.format()}")
    expect(dates.filter(visible=True)).to_have_count(1)


# 3. What changed for Kimi K3 between two days?


def expect_what_stood(page: Page, matrix: Matrix, subject: str, day: date) -> None:
    """Exactly the claims of that day are seen, each with its answer of that day."""
    then = matrix.at(day).claims_of_subject[subject]
    claims = page.locator(".em-claim").filter(visible=True)
    expect(claims).to_have_count(len(then))
    answers = claims.evaluate_all(
        "nodes => nodes.map(n => [n.dataset.c, n.querySelector('.em-v').innerText,"
        " n.querySelector('.em-l').innerText])"
    )
    assert {claim: (value, label) for claim, value, label in answers} == {
        claim.id: (value_text(claim.record), claim.label.value) for claim in then
    }


def test_what_changed_for_kimi_k3_is_seen_by_changing_the_day(
    home: Page, real_matrix: Matrix
) -> None:
    switch = home.get_by_role("navigation").get_by_label("As of")
    switch.fill(FIRST.isoformat())
    expect(home.get_by_text(f"This is what could be known on {FIRST}.")).to_be_visible()
    main = home.get_by_role("main")
    main.get_by_role("link", name="Moonshot AI", exact=True).click()
    main.get_by_role("link", name="Kimi K3", exact=True).click()
    expect(home).to_have_url(re.compile(rf"/claims/kimi-k3/\?as-of={FIRST}$"))
    expect_what_stood(home, real_matrix, "kimi-k3", FIRST)

    switch.fill(SECOND.isoformat())
    expect(home).to_have_url(re.compile(rf"/claims/kimi-k3/\?as-of={SECOND}$"))
    expect(home.get_by_text(f"This is what could be known on {SECOND}.")).to_be_visible()
    expect_what_stood(home, real_matrix, "kimi-k3", SECOND)
    home.reload()
    expect(home.get_by_text(f"This is what could be known on {SECOND}.")).to_be_visible()

    home.go_back()
    expect_what_stood(home, real_matrix, "kimi-k3", FIRST)
    home.get_by_role("button", name=f"Back to {real_matrix.today}").click()
    expect(home).to_have_url(re.compile("/claims/kimi-k3/$"))
    expect_what_stood(home, real_matrix, "kimi-k3", real_matrix.today)


def test_changed_answers_stand_on_one_page_with_what_was_said_before(
    home: Page, real_matrix: Matrix
) -> None:
    home.get_by_role("link", name="All changes").click()
    before = {c.id: c for c in real_matrix.at(FIRST).claims_of_subject["kimi-k3"]}
    after = {c.id: c for c in real_matrix.at(SECOND).claims_of_subject["kimi-k3"]}
    changed = [c for c in before if value_text(before[c].record) != value_text(after[c].record)]
    assert changed
    rows = home.get_by_role("region", name="Places whose answer changed").get_by_role("row")
    for claim in changed:
        row = rows.filter(has=home.locator(f'[data-c="{claim}"]'))
        expect(row.get_by_text(value_text(after[claim].record), exact=True)).to_be_visible()
        until = before[claim].record.until
        assert until is not None
        said = f"{value_text(before[claim].record)} until {until.format()}"
        expect(row.get_by_text(said)).to_be_visible()


# 4. Who has more than ten thousand environments?


def rows_seen(page: Page) -> list[str]:
    """The places of the table's rows that are seen, from the top: links to their claims."""
    links = page.get_by_role("main").locator("tbody tr:visible th a")
    return [href.partition("claims/")[2] for href in links.evaluate_all("a => a.map(x => x.href)")]


def rows_of(claims: list[Claim]) -> list[str]:
    return [f"{claim.subject}/#{claim.key}" for claim in claims]


def size(claim: Claim) -> Fraction | None:
    """What the quantity is at least; none for what is unknown."""
    return claim.parsed.low if isinstance(claim.parsed, Quantity) else None


def test_all_with_more_than_ten_thousand_environments_and_none_else(
    home: Page, real_matrix: Matrix
) -> None:
    claims = real_matrix.claims_of_aspect["env.count"]
    many = [claim for claim in claims if (size(claim) or 0) >= MANY]
    unknown = sum(claim.label is Label.U for claim in claims)
    assert many
    assert unknown

    home.get_by_role("navigation").get_by_role("link", name="Compare").first.click()
    home.get_by_label("Filter").fill("env.count")
    home.get_by_role("main").get_by_role("link", name="Environments", exact=True).click()
    home.get_by_label("At least").fill("10K")
    status = home.get_by_role("status")
    expect(status).to_contain_text(f"{len(many)} of {len(claims)} rows")
    expect(status).to_contain_text(f"{unknown} unknown")
    seen = rows_seen(home)
    assert set(seen) == set(rows_of(many))
    sizes = [size(real_matrix.claims[row.replace("/#", "/")]) or Fraction(0) for row in seen]
    assert sizes == sorted(sizes, reverse=True)

    home.get_by_role("button", name="Value").click()
    assert sorted(seen) == sorted(rows_seen(home))
    expect(home).to_have_url(re.compile(r"\?least=10K$"))
    home.reload()
    expect(status).to_contain_text(f"{len(many)} of {len(claims)} rows")
    assert rows_seen(home) == seen


def test_the_explorer_leads_to_the_numbers_of_an_aspect_in_their_order(
    home: Page, real_matrix: Matrix
) -> None:
    count = len(real_matrix.claims_of_aspect["env.count"])
    home.get_by_role("navigation").get_by_role("link", name="Overview").first.click()
    home.get_by_role("searchbox", name="Search all claims").fill("env.count")
    home.get_by_role("button", name="Filter claims").click()
    expect(home.get_by_role("status")).to_contain_text(f"{count} of ")
    home.get_by_label("Aspect", exact=True).select_option("Environments")
    home.get_by_role("link", name="Environments of all subjects, in order").click()
    expect(home).to_have_url(re.compile("/compare/env.count/$"))


@pytest.mark.parametrize(
    ("aspect", "least", "most", "words", "low", "high"),
    [
        ("params.total", "100B", "", "", "100e9", None),
        ("params.total", "", "13,000,000,000", "", None, "13e9"),
        ("tokens.pretrain", "10t", "20 T", "", "10e12", "20e12"),
        ("tokens.pretrain", "10T", "", "qwen", "10e12", None),
        ("rl.learning_rate", "", ".000002", "", None, "2e-6"),
    ],
)
def test_numbers_are_filtered_as_the_records_say(
    page: Page,
    real_matrix: Matrix,
    real_address: str,
    aspect: str,
    least: str,
    most: str,
    words: str,
    low: str | None,
    high: str | None,
) -> None:
    page.goto(f"{real_address}compare/{aspect}/")
    for label, text in (("At least", least), ("At most", most), ("Filter", words)):
        page.get_by_label(label).fill(text)
    claims = real_matrix.claims_of_aspect[aspect]
    right = [
        claim
        for claim in claims
        if isinstance(claim.parsed, Quantity)
        and (low is None or (claim.parsed.low or 0) >= Fraction(low))
        and (high is None or (claim.parsed.high or Fraction(10**30)) <= Fraction(high))
        and words in f"{claim.subject} {claim.lab}"
    ]
    assert 0 < len(right) < len(claims)
    expect(page.get_by_role("status")).to_contain_text(f"{len(right)} of {len(claims)} rows")
    assert set(rows_seen(page)) == set(rows_of(right))


def test_on_an_earlier_day_rows_and_their_number_are_those_of_that_day(
    page: Page, real_matrix: Matrix, real_address: str
) -> None:
    day = date(2026, 1, 1)
    then = list(real_matrix.at(day).claims_of_aspect["env.count"])
    many = [claim for claim in then if (size(claim) or 0) >= MANY]
    assert 0 < len(many) < len(then) < len(real_matrix.claims_of_aspect["env.count"])
    page.goto(f"{real_address}compare/env.count/?as-of={day}")
    rows = page.locator("[data-em-rows]")
    expect(rows).to_have_text(f"{len(then)} rows")
    total = len(real_matrix.claims_of_aspect["env.count"])
    said = f"On {day} there were {len(then)} of these {total} rows."
    expect(page.locator("caption")).to_contain_text(said)
    seen = {row.replace(f"?as-of={day}", "") for row in rows_seen(page)}
    assert seen == set(rows_of(then))
    page.get_by_label("At least").fill("10K")
    expect(rows).to_contain_text(f"{len(many)} of {len(then)} rows")


def test_what_is_no_number_is_said_to_be_none(page: Page, real_address: str) -> None:
    page.goto(f"{real_address}compare/params.total/?least=many")
    expect(page.get_by_role("status")).to_have_text(
        "“many” is no number: write 10K, 1,800 or 14.8T"
    )


# 5. What does nobody disclose?


def test_what_is_most_often_searched_in_vain_stands_first(home: Page, real_matrix: Matrix) -> None:
    matrix = real_matrix
    models = [
        subject
        for subject in matrix.subjects.values()
        if subject.record.kind in ("model", "family") and matrix.claims_of_subject[subject.id]
    ]
    expected = []
    for aspect in matrix.aspects.values():
        if aspect.record.core != "yes":
            continue
        asked = [m for m in models if aspect.id not in m.record.not_applicable]
        labels = [
            {c.label is Label.U for c in claims_about(matrix, m) if c.aspect == aspect.id}
            for m in asked
        ]
        known = sum(False in found for found in labels)
        searched = sum(found == {True} for found in labels)
        expected.append((aspect.record.title, searched, known, len(asked) - known - searched))

    home.get_by_role("link", name="All unknowns").click()
    table = home.get_by_role("table").first
    expect(table).to_be_visible()
    seen = table.locator("tbody tr").evaluate_all(
        "rows => rows.map(r => [...r.cells].map(c => c.innerText.trim()))"
    )
    rows = [(title, *map(int, numbers)) for title, *numbers in seen]
    assert sorted(rows) == sorted(expected)
    order = [(-searched, known) for _, searched, known, _ in rows]
    assert order == sorted(order)
    assert rows[0][1] == max(searched for _, searched, _, _ in expected) > 0


def test_every_search_in_vain_is_listed_with_its_terms_texts_and_day(
    page: Page, real_matrix: Matrix, real_address: str
) -> None:
    unknown = [c for c in real_matrix.claims.values() if c.label is Label.U]
    page.goto(f"{real_address}unknowns/")
    rows = page.get_by_role("region", name="searched unknowns").locator("tbody tr")
    expect(rows).to_have_count(len(unknown))
    page.get_by_label("Filter").fill("DeepSeek-V4 USD")
    seen = rows.filter(visible=True)
    claim = real_matrix.claims["deepseek-v4/cost.usd"]
    assert isinstance(claim.record, UnknownClaim)
    row = seen.filter(has_text=", ".join(claim.record.looked_for))
    expect(row).to_have_count(1)
    for key in claim.record.looked_in:
        expect(row).to_contain_text(real_matrix.sources[key].record.title)
    row.get_by_role("link").click()
    expect(shown(page, claim).get_by_role("heading")).to_be_in_viewport()
