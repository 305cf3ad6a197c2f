"""Runs are tried on one thread, as their command does; torch is loaded before errors are strict."""

from __future__ import annotations

import warnings

import pytest

with warnings.catch_warnings():
    warnings.filterwarnings("ignore", "Failed to initialize NumPy")
    import torch

from evidence_matrix.runs.outcome import single_threaded


@pytest.fixture(autouse=True, scope="session")
def one_thread():
    """The settings of a run while the tests last, and the former ones after."""
    threads = torch.get_num_threads()
    single_threaded()
    yield
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(False)
