"""Loads torch, which need not have NumPy beside it, and gives the reference vectors to tests."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import settings

with warnings.catch_warnings():
    warnings.filterwarnings("ignore", "Failed to initialize NumPy")
    import torch

from reference import all_cases

# Speed is measured elsewhere: a slow machine is no counterexample.
settings.register_profile("objectives", deadline=None, max_examples=60)
settings.load_profile("objectives")
# Tensors here are so small that a second thread only waits.
torch.set_num_threads(1)


@pytest.fixture(scope="session")
def vector():
    """`vector("grpo-beta0.04")` is the case of that id."""
    return lambda case: all_cases()[case]
