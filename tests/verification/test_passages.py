from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evidence_matrix.text import fold
from evidence_matrix.verification.passages import (
    compact,
    is_whole,
    loose_occurrences,
    occurrences,
    without_raising,
    word_starts,
)


def stands(fragment: str, text: str) -> bool:
    """Whether a fragment stands in a text, strictly or loosely, as a document looks for it."""
    folded, wanted = fold(text), fold(fragment)
    size = len(folded)
    strict = any(True for _ in occurrences(folded, wanted, 0, size))
    return strict or any(True for _ in loose_occurrences(folded, compact(folded), wanted, size))


NUMBERS = st.from_regex(r"[0-9]{1,3}(,[0-9]{3})?(\.[0-9]{1,3})?", fullmatch=True)
WORDS = st.sampled_from(["tokens", "we", "experts of", "layers", "GPU hours", "T"])


@given(WORDS, NUMBERS, WORDS)
def test_a_number_stands_in_its_own_sentence(before: str, number: str, after: str) -> None:
    assert stands(f"{number} {after}", f"{before} {number} {after}.")


@given(WORDS, NUMBERS, NUMBERS, WORDS)
def test_a_number_never_stands_where_another_is_written(
    before: str, number: str, other: str, after: str
) -> None:
    assume(number != other)
    assert not stands(f"{number} {after}", f"{before} {other} {after}.")


@given(NUMBERS, st.data())
def test_no_part_of_a_number_stands_in_the_number(number: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(number) - 1))
    end = data.draw(st.integers(start + 1, len(number)))
    part = number[start:end]
    assume(part != number and part.strip(".,"))
    assert not stands(f"about {part}", f"about {number} tokens") or not part[-1:].isdigit()
    assert not stands(f"{part} tokens", f"about {number} tokens")


@pytest.mark.parametrize(
    ("fragment", "text"),
    [
        ("148 B", "a loss of 1.48 B"),
        ("1480", "1,480 GPUs"),
        ("14", "14.8 trillion"),
        ("8T tokens", "14.8T tokens"),
        ("671B", "1671B parameters"),
        ("14.8", "14.8T tokens"),
        ("10", "10% of the data"),
        ("10", "10 % of the data"),
        ("10%", "~10% of the data"),
        ("2,304", "up to ≤ 2,304 comparisons"),
        ("0.5", "a score of -0.5"),
        ("1350", "1350+ TFLOPS"),
        ("1e5", "a rate of 1e-5"),
        ("5", "a rate of 1e-5"),
        ("10", "10^25 FLOP"),
        ("10^25", "10^2 5"),
        ("1048", "10 48 layers"),
        ("12 345", "12,345 steps"),
        ("layers 3", "layers 3-61 are"),
        ("20 layers", "10-20 layers"),
        ("14.8", "14.8万亿 tokens"),
        ("Heron", "Heron3 is"),
        ("mini", "minibatches"),
        ("step", "num_step_size"),
        ("billion", "7billion tokens"),
        ("of 8", "of 8tokens"),
        ("of 2", "of 2nd"),
        ("648", "64*8 GPUs"),
        ("1000", "10 - 00"),
    ],
)
def test_a_fragment_does_not_stand_inside_a_longer_number_or_word(fragment: str, text: str) -> None:
    assert not stands(fragment, text)


@pytest.mark.parametrize(
    ("fragment", "text"),
    [
        ("pre-training on 14.8T", "the pretraining on 14.8T tokens"),
        ("pretraining on", "the pre-training on"),
        ("14.8 T tokens", "on 14.8T tokens"),
        ("8 × H800", "with 8×H800 GPUs"),
        ("gpt-oss120b", "for gpt-oss-120b and"),
        ("Heron-30B-Thinking- 2507", "finetune Heron-30B-Thinking-2507 and"),
        ("671B parameters", "(671B parameters)"),
        ("The loss", "1The loss is"),
        ("for 8 epochs", "rate of 10-5for 8 epochs"),
        ("decays from 2 × 10-5", "decays from 2 × 10-5to 1 × 10-6"),
        ("2025-03-06", "date: 2025-03-06T00:00:04"),
        ("GPT-4", "as in GPT-4-0613"),
        ("in 2024", "published in 2024. 15 models"),
        ("49,152", "49,152 → 65,536"),
        ("65,536", "49,152 -> 65,536"),
        ("$5.576M", "only $5.576M in all"),
        ("Mixture of Experts", "MixtureofExperts"),
        ("训练", "我们训练了模型"),
        ("10 - 20", "10-20 days"),
    ],
)
def test_spacing_hyphens_and_glued_marks_of_an_extractor_hide_no_fragment(
    fragment: str, text: str
) -> None:
    assert stands(fragment, text)


@given(st.text("ab1. ,-+%", min_size=1, max_size=40))
def test_compact_text_leads_back_to_the_signs_it_was_made_of(text: str) -> None:
    folded = fold(text)
    short = compact(folded)
    for offset, sign in enumerate(short.text):
        if sign.isalnum():
            assert folded[short.source_of(offset)] == sign


@given(st.text("ab1.,- %", min_size=1, max_size=30))
def test_a_whole_text_is_whole(text: str) -> None:
    folded = fold(text)
    assume(folded)
    assert is_whole(folded, 0, len(folded))


@pytest.mark.parametrize(
    ("fragment", "extracted"),
    [
        ("rate of 2.2 × 10^-4", "rate of 2.2 × 10-4"),
        ("rate of 10^-4", "rate of 10-4"),
        ("took 3 × 10^25 FLOP", "took 3 × 1025 FLOP"),
        ("took 10^25 FLOP", "took 10^25 FLOP"),
    ],
)
def test_a_lost_exponent_is_put_down_only_where_it_cannot_be_another_number(
    fragment: str, extracted: str
) -> None:
    assert without_raising(fragment) == extracted


def hits(term: str, text: str) -> int:
    folded = fold(text).lower()
    return len(list(word_starts(folded, compact(folded), compact(fold(term).lower()).text)))


def test_a_term_is_found_from_the_start_of_a_word_in_any_spacing() -> None:
    assert hits("expert", "Experts, and an expert; inexpert") == 2
    assert hits("data mixture", "a data-mixture, the data\nmixtures") == 2
    assert hits("14.8T", "14.8T and 114.8T") == 1
    assert hits("", "anything") == 0
