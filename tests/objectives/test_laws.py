"""The laws themselves: each accepts a sound loss and refuses one with the fault it is there for."""

from __future__ import annotations

from dataclasses import replace

import laws
import pytest
import torch
from batches import FIXED
from laws import TOKEN_LAWS, Setting, name_of

from evidence_matrix.objectives.aggregation import token_mean
from evidence_matrix.objectives.ratios import selected


def sound(log_prob, old_log_prob, advantages, mask, denominator=None):
    """A weighted log-likelihood whose weight is a constant that depends on the policy."""
    keep = mask == 1
    weight = selected(log_prob - old_log_prob, keep).exp().detach()
    terms = weight * selected(advantages.detach(), keep) * selected(log_prob, keep)
    return token_mean(terms, keep, denominator=denominator)


class WrongGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, value):
        return value.clone()

    @staticmethod
    def backward(ctx, grad):
        return 1.01 * grad


def wrong_gradient(log_prob, **given):
    return sound(WrongGradient.apply(log_prob), **given)


def multiplies_by_the_mask(log_prob, old_log_prob, advantages, mask, denominator=None):
    return (log_prob * advantages * mask).sum() / mask.sum()


def divides_by_the_width(**given):
    return sound(**given) / given["mask"].shape[1]


def weighs_by_position(log_prob, **given):
    rows = torch.arange(len(log_prob), dtype=log_prob.dtype)
    return sound(log_prob * rows[:, None], **given)


def differentiates_the_data(log_prob, old_log_prob, advantages, mask, denominator=None):
    kept = selected(advantages * log_prob, mask == 1)
    return token_mean(kept, mask, denominator=denominator)


def rounds_a_constant(log_prob, **given):
    # Two numbers make a tensor of the default dtype.
    return sound(log_prob, **given) * torch.where(given["mask"].any(), 0.1, 1.0)


def ignores_the_denominator(denominator=None, **given):
    return sound(**given)


def counts_all_rows(denominator=None, **given):
    tokens = (given["mask"] == 1).sum()
    whole = len(given["mask"]) if denominator is None else denominator
    return sound(**given, denominator=tokens) * tokens / whole


def forgives_an_empty_mask(denominator=None, **given):
    whole = (given["mask"] == 1).sum().clamp(min=1) if denominator is None else denominator
    return sound(**given, denominator=whole)


FAULTS = {
    laws.gradient_equals_central_differences: wrong_gradient,
    laws.masked_positions_are_dead: multiplies_by_the_mask,
    laws.padding_changes_nothing: divides_by_the_width,
    laws.row_order_does_not_matter: weighs_by_position,
    laws.data_gets_no_gradient: differentiates_the_data,
    laws.precision_is_kept: rounds_a_constant,
    laws.parts_add_up_with_the_global_denominator: ignores_the_denominator,
    laws.a_fully_masked_row_changes_nothing: counts_all_rows,
    laws.an_empty_mask_is_refused: forgives_an_empty_mask,
}


@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
def test_accepts_a_sound_loss_and_refuses_the_fault(law):
    setting = Setting(sound, FIXED)
    law(setting)
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        law(replace(setting, loss=FAULTS[law]))


def test_differences_that_are_not_frozen_would_refuse_a_stop_gradient():
    setting = Setting(sound, FIXED)
    _, gradients = setting.evaluate()
    ends = []
    for step in (1e-6, -1e-6):
        moved = FIXED["log_prob"].clone()
        moved[0, 0] += step
        ends.append(sound(**{**FIXED, "log_prob": moved}))
    difference = (ends[0] - ends[1]) / 2e-6
    assert abs(difference - gradients["log_prob"][0, 0]) > 0.01
