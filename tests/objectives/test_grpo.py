from __future__ import annotations

import pytest
import torch
from laws import TOKEN_LAWS, Setting, name_of, rows

from evidence_matrix.objectives.grpo import grpo

CONSTANTS = {"clip_low": 0.2, "clip_high": 0.2, "kl_coef": 0.04}
TENSORS = {
    "log_prob": torch.tensor([[-0.5, -1.0, -0.3], [-2.0, -0.7, -0.9]], dtype=torch.float64),
    "old_log_prob": torch.tensor([[-0.9, -1.1, -0.2], [-1.9, -1.4, -0.1]], dtype=torch.float64),
    "ref_log_prob": torch.tensor([[-0.6, -1.3, -0.4], [-2.2, -0.6, -0.5]], dtype=torch.float64),
    "advantages": torch.tensor([[0.8, 0.8, 0.8], [-1.2, -1.2, -1.2]], dtype=torch.float64),
    "mask": torch.tensor([[1, 1, 1], [1, 1, 0]]),
}
SETTING = Setting(lambda **given: grpo(**given, **CONSTANTS)[0], TENSORS, count=rows)


@pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
def test_law(law):
    law(SETTING)


def test_loss_and_gradient_are_those_of_trl(vector):
    case = vector("grpo-beta0.04")
    log_prob = case.leaf("log_prob")
    loss, _ = grpo(
        log_prob,
        case["old_log_prob"],
        case["ref_log_prob"],
        case["advantages"],
        case["mask"],
        **CONSTANTS,
    )
    case.check_loss(loss, log_prob=log_prob)
