from __future__ import annotations

import pytest
import torch

from evidence_matrix.objectives import shapes

MASK = torch.tensor([[1, 0, 1], [1, 1, 0]])
FLOATS = torch.zeros(2, 3)


def test_masks_may_be_booleans_integers_or_floats():
    for mask in (MASK, MASK.float(), MASK.bool()):
        assert torch.equal(shapes.token_mask(mask, terms=FLOATS), MASK.bool())


@pytest.mark.parametrize(
    ("mask", "tensors", "message"),
    [
        (MASK[0], {}, r"mask has shape \[3\]; it must be \[B, T\]"),
        (
            MASK,
            {"values": FLOATS[:, :2]},
            r"values has shape \[2, 2\].* \[2, 3\] like mask",
        ),
        (MASK, {"values": FLOATS[0]}, r"values has shape \[3\]; it must be \[2, 3\]"),
        (MASK, {"values": MASK}, r"values is torch\.int64; it must be floating point"),
        (2 * MASK, {}, "mask must hold only 0 and 1"),
        (0.5 * MASK, {}, "mask must hold only 0 and 1"),
        (MASK.float() / 0, {}, "mask must hold only 0 and 1"),
    ],
)
def test_what_was_given_and_what_is_needed(mask, tensors, message):
    with pytest.raises(ValueError, match=message):
        shapes.token_mask(mask, **tensors)


def test_one_number_a_row():
    shapes.row_vector(2, rewards=torch.zeros(2))
    with pytest.raises(ValueError, match=r"rewards has shape \[2, 3\]; it must be \[2\]"):
        shapes.row_vector(2, rewards=FLOATS)


def test_signs_of_constants():
    shapes.non_negative(clip_low=0.0, clip_high=0.2)
    with pytest.raises(ValueError, match=r"clip_low is -0\.2; it must be zero or more"):
        shapes.non_negative(clip_low=-0.2)
    with pytest.raises(ValueError, match="tau is nan"):
        shapes.positive(tau=float("nan"))


def test_fractions():
    shapes.fraction(lam=0.0, gamma=1.0)
    with pytest.raises(ValueError, match=r"gamma is 1\.5; it must be from 0 to 1"):
        shapes.fraction(gamma=1.5)
    with pytest.raises(ValueError, match="lam is nan"):
        shapes.fraction(lam=float("nan"))
