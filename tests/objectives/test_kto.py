from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from laws import LAWS, Setting, name_of, parts_add_up_with_the_global_denominator, rows

from evidence_matrix.objectives.kto import kto, kto_reference_point

CONSTANTS = {"beta": 0.4, "desirable_weight": 1.2, "undesirable_weight": 0.7}
POINT = torch.tensor(0.3, dtype=torch.float64)


def responses(seed: int = 0) -> dict[str, torch.Tensor]:
    random = torch.Generator().manual_seed(seed)
    draw = [-0.1 - 2 * torch.rand(3, 4, dtype=torch.float64, generator=random) for _ in range(2)]
    return {
        "log_prob": draw[0],
        "ref_log_prob": draw[1],
        "desirable": torch.tensor([1, 0, 1]),
        "mask": torch.tensor([[1, 1, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1]]),
    }


@pytest.mark.parametrize("law", [*LAWS, parts_add_up_with_the_global_denominator], ids=name_of)
def test_law(law):
    law(
        Setting(
            lambda **given_: kto(**given_, reference_point=POINT, **CONSTANTS)[0],
            responses(),
            count=rows,
        )
    )


def test_loss_gradient_and_reference_point_are_those_of_trl(vector):
    case = vector("kto-beta0.2")
    point = kto_reference_point(case["kl_token_logp"], case["kl_ref_token_logp"], case["kl_mask"])
    case.check("z0", point)
    leaf = case.leaf("token_logp")
    loss, _ = kto(
        leaf,
        case["ref_token_logp"],
        case["label"],
        point,
        case["mask"],
        beta=0.2,
        desirable_weight=1.2,
        undesirable_weight=1.0,
    )
    case.check_loss(loss, token_logp=leaf)


def test_adding_the_means_of_the_classes_is_another_objective(vector):
    case = vector("kto-beta0.2")
    point = kto_reference_point(case["kl_token_logp"], case["kl_ref_token_logp"], case["kl_mask"])
    parts = []
    for label in (0, 1):
        chosen = case["label"] == label
        parts.append(
            kto(
                case["token_logp"][chosen],
                case["ref_token_logp"][chosen],
                case["label"][chosen],
                point,
                case["mask"][chosen],
                beta=0.2,
                desirable_weight=1.2,
                undesirable_weight=1.0,
            )[0]
        )
    difference = (parts[0] + parts[1]).item() - case.record["outputs"]["loss"]
    assert difference == pytest.approx(0.4213742893179083)


def test_hand_worked():
    log_prob = torch.tensor([[-1.0, -1.0], [-2.0, -7.0]])
    reference = torch.tensor([[-2.0, -2.0], [-1.0, -1.0]])
    mask = torch.tensor([[1, 1], [1, 0]])
    # Log-ratios: 2 for the good response, -1 for the bad one (its first token only); z0 = 1.
    # Gains: 2 - 1 = 1 and 1 - (-1) = 2; beta 1, weights 1 and 3.
    loss, stats = kto(
        log_prob,
        reference,
        torch.tensor([1, 0]),
        torch.tensor(1.0),
        mask,
        beta=1.0,
        desirable_weight=1.0,
        undesirable_weight=3.0,
    )
    good = 1 - 1 / (1 + math.exp(-1))
    bad = 3 * (1 - 1 / (1 + math.exp(-2)))
    assert loss.item() == pytest.approx((good + bad) / 2)
    assert stats["log_ratio"].item() == pytest.approx(0.5)
    assert stats["accuracy"].item() == 1.0


def test_reference_point_is_never_negative_and_gets_no_gradient():
    log_prob = torch.tensor([[-3.0, -1.0]], requires_grad=True)
    mask = torch.ones(1, 2)
    point = kto_reference_point(log_prob, torch.tensor([[-1.0, -1.0]]), mask)
    assert point.item() == 0.0
    point = kto_reference_point(log_prob, torch.tensor([[-5.0, -1.5]]), mask)
    assert point.item() == 2.5
    assert not point.requires_grad
    # Even one that asks for gradient does not get it from the loss.
    given_ = responses()
    asking = POINT.clone().requires_grad_()
    leaf = given_.pop("log_prob").requires_grad_()
    kto(leaf, **given_, reference_point=asking, **CONSTANTS)[0].backward()
    assert asking.grad is None


@given(st.floats(-3, 3), st.booleans())
def test_a_response_at_the_reference_point_costs_half_its_weight(point, good):
    loss, _ = kto(
        torch.tensor([[point]], dtype=torch.float64),
        torch.zeros(1, 1, dtype=torch.float64),
        torch.tensor([good]),
        torch.tensor(point, dtype=torch.float64),
        torch.ones(1, 1),
        **CONSTANTS,
    )
    weight = CONSTANTS["desirable_weight" if good else "undesirable_weight"]
    assert loss.item() == pytest.approx(weight / 2, rel=1e-12)


@given(st.integers(0, 50))
def test_good_responses_rise_and_bad_ones_fall(seed):
    given_ = responses(seed)
    given_["log_prob"].requires_grad_()
    loss, _ = kto(**given_, reference_point=POINT, **CONSTANTS)
    (gradient,) = torch.autograd.grad(loss, given_["log_prob"])
    keep = given_["mask"] == 1
    good = given_["desirable"][:, None] == 1
    assert (gradient[keep & good] < 0).all()
    assert (gradient[keep & ~good] > 0).all()


@given(st.integers(0, 50), st.floats(0.1, 5))
def test_a_weight_scales_its_own_class_only(seed, factor):
    given_ = responses(seed)
    given_["log_prob"].requires_grad_()
    more = CONSTANTS | {"desirable_weight": factor * CONSTANTS["desirable_weight"]}
    before, after = (
        torch.autograd.grad(
            kto(**given_, reference_point=POINT, **constants)[0], given_["log_prob"]
        )[0]
        for constants in (CONSTANTS, more)
    )
    good = given_["desirable"] == 1
    torch.testing.assert_close(after[good], factor * before[good], rtol=1e-9, atol=1e-12)
    assert torch.equal(after[~good], before[~good])


def test_a_batch_of_one_class_is_fine():
    for label in (0, 1):
        given_ = responses() | {"desirable": torch.full((3,), label)}
        assert kto(**given_, reference_point=POINT, **CONSTANTS)[0].isfinite()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"desirable": torch.tensor([1, 0])}, r"desirable has shape \[2\]; it must be \[3\]"),
        ({"desirable": torch.tensor([1, 0, 2])}, "desirable must hold only 0 and 1"),
        ({"reference_point": torch.zeros(3)}, r"reference_point has shape \[3\]"),
        ({"mask": torch.zeros(3, 4)}, r"mask keeps no token of response\(s\) \[0, 1, 2\]"),
        ({"ref_log_prob": torch.zeros(3, 5)}, r"ref_log_prob has shape \[3, 5\]"),
    ],
)
def test_errors_say_what_was_given(changed, message):
    with pytest.raises(ValueError, match=message):
        kto(**({"reference_point": POINT} | responses() | changed), **CONSTANTS)
