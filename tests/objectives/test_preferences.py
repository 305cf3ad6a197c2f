from __future__ import annotations

import pytest
import torch

from evidence_matrix.objectives.preferences import (
    average,
    mean_log_prob,
    mean_log_ratio,
    mean_over_rows,
    response_log_prob,
    response_log_ratio,
    response_mask,
    same_pairs,
)

LOG_PROB = torch.tensor([[-1.0, -2.0, float("nan")], [-4.0, float("nan"), float("nan")]])
REFERENCE = torch.tensor([[-1.5, -1.0, -1.0], [-1.0, -1.0, float("nan")]])
KEEP = torch.tensor([[True, True, False], [True, False, False]])


def test_sums_and_means_over_the_tokens_of_a_response():
    assert response_log_prob(LOG_PROB, KEEP).tolist() == [-3.0, -4.0]
    assert mean_log_prob(LOG_PROB, KEEP).tolist() == [-1.5, -4.0]
    # Differences 0.5 and -1 for the first response, -3 for the second.
    assert response_log_ratio(LOG_PROB, REFERENCE, KEEP).tolist() == [-0.5, -3.0]
    assert mean_log_ratio(LOG_PROB, REFERENCE, KEEP).tolist() == [-0.25, -3.0]


def test_mean_over_rows_of_a_part_is_a_share_of_the_whole():
    terms = torch.tensor([1.0, 2.0, 6.0])
    assert mean_over_rows(terms, denominator=None).item() == 3.0
    parts = mean_over_rows(terms[:1], denominator=3) + mean_over_rows(terms[1:], denominator=3)
    assert parts.item() == pytest.approx(3.0)
    with pytest.raises(ValueError, match=r"denominator is 0.0; it must be more than zero"):
        mean_over_rows(terms, denominator=0)


def test_average_is_detached_and_counts_booleans():
    assert average(torch.tensor([True, False, True, True])).item() == 0.75
    assert not average(torch.ones(2, requires_grad=True)).requires_grad


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        (torch.ones(3), r"chosen_mask has shape \[3\]; it must be \[P, T\]"),
        (torch.ones(2, 4), r"log_prob has shape \[2, 3\]; it must be \[2, 4\] like chosen_mask"),
        (torch.ones(2, 3) / 2, "chosen_mask must hold only 0 and 1"),
        (
            torch.tensor([[1, 0, 0], [0, 0, 0]]),
            r"chosen_mask keeps no token of response\(s\) \[1\]",
        ),
    ],
)
def test_a_mask_that_does_not_fit_is_refused(mask, message):
    with pytest.raises(ValueError, match=message):
        response_mask("chosen_mask", mask, log_prob=LOG_PROB)


def test_a_batch_without_responses_is_refused():
    with pytest.raises(ValueError, match="keeps no token"):
        response_mask("mask", torch.ones(0, 3))


def test_sides_of_unequal_number_are_refused():
    same_pairs(KEEP, KEEP)
    with pytest.raises(ValueError, match="2 chosen and 1 rejected"):
        same_pairs(KEEP, KEEP[:1])
