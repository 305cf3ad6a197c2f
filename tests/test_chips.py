"""Chips: what opens when a reader presses one, by hand, by keyboard, on a phone and on paper."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from evidence_matrix.evidence import Fragment
from evidence_matrix.matrix import Claim, Matrix
from evidence_matrix.pages.composer import aspect_title, value_text
from tests.reader import first_chip

pytestmark = [pytest.mark.integration, pytest.mark.browser]

CHAPTER = "chapters/kimi/"
TABLE = "compare/env.count/"
FACTS = "claims/deepseek-v3/"

_RUN_OVER = """() => [...document.querySelectorAll(".em-chip:has(.em-l)")].flatMap(chip => {
  if (!chip.checkVisibility()) return [];
  const words = document.createRange();
  words.selectNodeContents(chip.querySelector(".em-v"));
  const label = chip.querySelector(".em-l").getBoundingClientRect();
  const over = [...words.getClientRects()].some(line => line.right > label.left + 0.5 &&
    line.left < label.right && line.bottom > label.top + 1 && line.top < label.bottom - 1);
  return over ? [chip.innerText] : [];
})"""


@pytest.mark.parametrize("url", [CHAPTER, TABLE])
def test_a_chip_opens_its_evidence_and_the_note_closes_again(
    page: Page, real_address: str, url: str
) -> None:
    page.goto(real_address + url)
    chip, note = first_chip(page)
    expect(note).to_be_hidden()
    chip.click()
    expect(note).to_be_visible()
    expect(note).to_be_in_viewport(ratio=1)
    note.get_by_role("button", name="Close").click()
    expect(note).to_be_hidden()


def test_a_chip_is_reached_opened_and_closed_by_keyboard_and_keeps_the_place(
    page: Page, real_address: str
) -> None:
    page.goto(real_address + TABLE)
    chip, note = first_chip(page)
    page.locator("tbody tr").first.get_by_role("link").first.focus()
    page.keyboard.press("Tab")
    expect(chip).to_be_focused()
    page.keyboard.press("Enter")
    expect(note).to_be_visible()
    page.keyboard.press("Tab")
    expect(note.get_by_role("button", name="Close")).to_be_focused()
    page.keyboard.press("Escape")
    expect(note).to_be_hidden()
    expect(chip).to_be_focused()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (800, 600), (390, 800), (320, 568)])
def test_every_note_lies_within_the_window_and_is_a_sheet_at_its_foot_on_a_phone(
    page: Page, real_address: str, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(real_address + CHAPTER)
    boxes = page.evaluate(
        """() => [...document.querySelectorAll("main button.em-chip")].map(chip => {
          chip.scrollIntoView({block: "center"});
          chip.click();
          const note = chip.popoverTargetElement;
          const box = note.getBoundingClientRect();
          const open = note.matches(":popover-open");
          note.hidePopover();
          return [open, box.left, box.top, innerWidth - box.right, innerHeight - box.bottom];
        })"""
    )
    assert len(boxes) > 20
    assert [box for box in boxes if not box[0] or min(box[1:]) < -0.5] == []
    if width < 400:
        assert all(box[1] == box[3] == box[4] == 0 for box in boxes)


@pytest.mark.parametrize("width", [1440, 390])
def test_the_words_of_a_chip_do_not_run_over_its_label(
    page: Page, real_address: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    for url in (TABLE, FACTS, CHAPTER, "compare/two/?a=deepseek-v3&b=kimi-k3"):
        page.goto(real_address + url)
        expect(page.locator(".em-chip").first).to_be_visible()
        assert page.evaluate(_RUN_OVER) == [], url


def test_the_citation_of_a_chip_is_copied(
    chromium: Browser, real_address: str, real_matrix: Matrix
) -> None:
    rights = ["clipboard-read", "clipboard-write"]
    with chromium.new_context(permissions=rights) as context:
        page = context.new_page()
        page.goto(real_address + TABLE)
        chip, note = first_chip(page)
        chip.click()
        note.get_by_text("Cite", exact=True).click()
        note.get_by_role("button", name="Copy").click()
        expect(note.get_by_role("button", name="Copied")).to_be_visible()
        copied = page.evaluate("navigator.clipboard.readText()")
        claim = real_matrix.claims[chip.get_attribute("data-c") or ""]
        assert claim.id in copied
        assert value_text(claim.record) in copied
        assert copied == note.locator(".em-cite").inner_text()


def test_a_note_leads_to_its_claim_whose_own_address_is_kept(
    page: Page, real_address: str, real_matrix: Matrix
) -> None:
    page.goto(real_address + CHAPTER)
    chip, note = first_chip(page)
    claim = real_matrix.claims[chip.get_attribute("data-c") or ""]
    chip.click()
    note.get_by_role("link", name="Go to the claim").click()
    address = f"{real_address}claims/{claim.subject}/#{claim.key}"
    expect(page).to_have_url(address)
    heading = page.locator(f'[id="{claim.key}"]')
    expect(heading).to_be_in_viewport()
    expect(heading).to_contain_text(aspect_title(claim, real_matrix))
    page.goto(f"{real_address}claims/{claim.subject}/")
    article = page.locator(f'article[data-c="{claim.id}"]')
    article.hover()
    article.locator(f'a[href="#{claim.key}"]').first.click()
    expect(page).to_have_url(address)


# Paper

_PRINTED = """nodes => nodes.map(node => ({
  id: (node.dataset.c ? node : node.querySelector("[data-c]")).dataset.c,
  number: getComputedStyle(node, "::before").content,
  seen: node.checkVisibility({contentVisibilityAuto: true, visibilityProperty: true}),
  text: node.innerText.replace(/\\s+/g, " "),
  addresses: [...node.querySelectorAll(".em-where a[href^=http]")].map(
    link => [link.getAttribute("href"), getComputedStyle(link, "::after").content]),
}))"""


@pytest.mark.parametrize(
    ("url", "selector"), [(CHAPTER, ".em-note"), (TABLE, ".em-note"), (FACTS, ".em-claim")]
)
def test_paper_shows_what_says_so_where_at_which_address_and_since_when(
    page: Page, real_address: str, real_matrix: Matrix, url: str, selector: str
) -> None:
    page.emulate_media(media="print")
    page.goto(real_address + url)
    notes = page.locator(selector).evaluate_all(_PRINTED)
    assert notes
    for number, note in enumerate(notes, 1):
        claim = real_matrix.claims[note["id"]]
        assert note["seen"], claim.id
        if selector == ".em-note":
            assert str(number) in note["number"], claim.id
        for quote in _quotes(claim):
            assert quote in note["text"], claim.id
        for piece in claim.evidence:
            source = real_matrix.sources[piece.source].record
            assert " ".join((piece.at or "").split()) in note["text"], claim.id
            assert source.title in note["text"], claim.id
        direct = [
            p for p in claim.evidence if not p.via and real_matrix.sources[p.source].record.url
        ]
        assert len(note["addresses"]) >= len(direct), claim.id
        for address, printed in note["addresses"]:
            assert address in printed.replace("\\", ""), claim.id
        public = real_matrix.public_of(claim)
        if public is not None:
            assert public.format() in note["text"], claim.id


def test_chips_on_paper_carry_the_numbers_of_their_notes(page: Page, real_address: str) -> None:
    page.emulate_media(media="print")
    page.goto(real_address + CHAPTER)
    numbers = (
        page.get_by_role("main")
        .locator("button.em-chip:visible")
        .evaluate_all(
            """chips => chips.map(chip => [
          chip.querySelector("sup")?.checkVisibility() && chip.querySelector("sup").innerText,
          chip.popoverTargetElement.dataset.n])"""
        )
    )
    assert len(numbers) > 20
    assert [pair for pair in numbers if pair[0] != pair[1]] == []


def _quotes(claim: Claim) -> list[str]:
    """The fragments as a page prints them."""
    quotes = [piece.quote for piece in claim.evidence if isinstance(piece, Fragment)]
    return [f"“{' '.join(quote.split())}”" for quote in quotes if quote]
