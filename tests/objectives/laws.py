"""Laws that every objective over tokens obeys, each as a function of a `Setting`.

A test module describes its objective once and runs the laws that apply:

    SETTING = Setting(lambda denominator=None, **t: grpo(**t, clip_low=.2, ...)[0], tensors, ...)

    @pytest.mark.parametrize("law", TOKEN_LAWS, ids=name_of)
    def test_law(law):
        law(SETTING)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from unittest import mock

import pytest
import torch
from torch import Tensor

STEP = 1e-6


@dataclass(frozen=True)
class Setting:
    """An objective with fixed constants, and float64 tensors away from its kinks.

    `loss` is called with the tensors by name (and `denominator=` for the law on splits).
    `mask_of` names the mask of a tensor where it is not `mask`; tensors `[B]` have none.
    `count` says what a whole batch's denominator counts, from a boolean mask.
    """

    loss: Callable[..., Tensor]
    tensors: Mapping[str, Tensor]
    leaves: tuple[str, ...] = ("log_prob",)
    mask_of: Mapping[str, str] = field(default_factory=dict)
    count: Callable[[Tensor], Tensor] = lambda mask: mask.sum()

    def with_tensors(self, **changed: Tensor) -> Setting:
        return replace(self, tensors={**self.tensors, **changed})

    def mask(self, name: str) -> Tensor | None:
        """The boolean mask of tensor `name`; None for masks and for one number a row."""
        tensor = self.tensors[name]
        masks = {"mask", *self.mask_of.values()}
        if name in masks or tensor.ndim < 2:
            return None
        return self.tensors[self.mask_of.get(name, "mask")] == 1

    def evaluate(self, **options: Any) -> tuple[Tensor, dict[str, Tensor]]:
        """The loss and its gradient in each leaf."""
        tensors = dict(self.tensors)
        for name in self.leaves:
            tensors[name] = tensors[name].detach().clone().requires_grad_()
        loss = self.loss(**tensors, **options)
        gradients = torch.autograd.grad(loss, [tensors[name] for name in self.leaves])
        return loss.detach(), dict(zip(self.leaves, gradients, strict=True))


def rows(mask: Tensor) -> Tensor:
    """Rows that have a token: the denominator of means over sequences."""
    return mask.any(dim=1).sum()


def tokens(mask: Tensor) -> Tensor:
    """Tokens: the denominator of means over tokens."""
    return mask.sum()


def name_of(law: Callable[..., None]) -> str:
    return law.__name__


@contextmanager
def frozen_stop_gradients() -> Iterator[Callable[[], None]]:
    """Inside, the first run records what every `detach` gave; later runs get the same again.

    Call what is yielded before each run. Central differences then see what autograd sees: a
    stop-gradient is a constant, although its value depends on the input.
    """
    genuine = torch.Tensor.detach
    record: list[Tensor] = []
    position = -1

    def rewind() -> None:
        nonlocal position
        position = -1 if not record else 0

    def detach(tensor: Tensor) -> Tensor:
        nonlocal position
        if position < 0:
            record.append(genuine(tensor).clone())
            return record[-1]
        position += 1
        return record[position - 1]

    with mock.patch.object(torch.Tensor, "detach", detach):
        yield rewind


def gradient_equals_central_differences(setting: Setting) -> None:
    """Autograd agrees with differences of the loss whose stop-gradients are frozen."""
    _, gradients = setting.evaluate()
    tensors = {name: tensor.clone() for name, tensor in setting.tensors.items()}
    with frozen_stop_gradients() as rewind, torch.no_grad():
        setting.loss(**tensors)
        for name in setting.leaves:
            flat = tensors[name].view(-1)
            for index in range(flat.numel()):
                here = flat[index].item()
                ends = []
                for end in (here + STEP, here - STEP):
                    flat[index] = end
                    rewind()
                    ends.append(setting.loss(**tensors).item())
                flat[index] = here
                difference = (ends[0] - ends[1]) / (2 * STEP)
                torch.testing.assert_close(
                    gradients[name].reshape(-1)[index].item(),
                    difference,
                    rtol=1e-6,
                    atol=1e-8,
                    msg=lambda text, name=name, index=index: f"{name}[{index}]: {text}",
                )


def masked_positions_are_dead(setting: Setting) -> None:
    """NaN at every masked position changes no bit of the loss, and gets gradient exactly 0."""
    clean, clean_gradients = setting.evaluate()
    poisoned = {
        name: tensor.masked_fill(_spread(~mask, tensor), float("nan"))
        for name, tensor in setting.tensors.items()
        if (mask := setting.mask(name)) is not None and tensor.is_floating_point()
    }
    assert any(tensor.isnan().any() for tensor in poisoned.values()), "nothing is masked"
    loss, gradients = setting.with_tensors(**poisoned).evaluate()
    assert torch.equal(loss, clean)
    for name, gradient in gradients.items():
        mask = setting.mask(name)
        assert torch.equal(gradient, clean_gradients[name])
        if mask is not None:
            assert (gradient.masked_select(_spread(~mask, gradient)) == 0).all()


def padding_changes_nothing(setting: Setting) -> None:
    """Masked columns after, before and between the tokens leave loss and gradient alone."""
    loss, gradients = setting.evaluate()
    width = max(tensor.shape[1] for tensor in setting.tensors.values() if tensor.ndim > 1)
    for place in (0, width // 2, width):
        padded = {
            name: _insert(tensor, place, 0.0 if _is_mask(setting, name) else 7.0)
            for name, tensor in setting.tensors.items()
            if tensor.ndim > 1
        }
        got, got_gradients = setting.with_tensors(**padded).evaluate()
        torch.testing.assert_close(got, loss, rtol=1e-12, atol=1e-14)
        for name, gradient in gradients.items():
            expected = _insert(gradient, place, 0.0) if gradient.ndim > 1 else gradient
            torch.testing.assert_close(got_gradients[name], expected, rtol=1e-12, atol=1e-14)


def row_order_does_not_matter(setting: Setting) -> None:
    """Permuting the rows leaves the loss alone and permutes the gradient."""
    loss, gradients = setting.evaluate()
    order = torch.arange(len(next(iter(setting.tensors.values())))).flip(0)
    permuted = {name: tensor[order] for name, tensor in setting.tensors.items()}
    got, got_gradients = setting.with_tensors(**permuted).evaluate()
    torch.testing.assert_close(got, loss, rtol=1e-12, atol=1e-14)
    for name, gradient in gradients.items():
        torch.testing.assert_close(got_gradients[name], gradient[order], rtol=1e-12, atol=1e-14)


def data_gets_no_gradient(setting: Setting) -> None:
    """No gradient reaches a tensor that is data, even one that asks for it."""
    tensors = {
        name: tensor.clone().requires_grad_() if tensor.is_floating_point() else tensor
        for name, tensor in setting.tensors.items()
    }
    setting.loss(**tensors).backward()
    reached = {name for name, tensor in tensors.items() if tensor.grad is not None}
    assert reached == set(setting.leaves)


def precision_is_kept(setting: Setting) -> None:
    """float32 in gives float32 out, and float64 is nowhere rounded to the default in between."""
    single = {
        name: tensor.float() if tensor.is_floating_point() else tensor
        for name, tensor in setting.tensors.items()
    }
    loss, gradients = setting.with_tensors(**single).evaluate()
    assert loss.dtype == torch.float32
    assert all(gradient.dtype == torch.float32 for gradient in gradients.values())
    double, _ = setting.evaluate()
    torch.testing.assert_close(loss.double(), double, rtol=1e-4, atol=1e-5)
    default = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        assert torch.equal(setting.evaluate()[0], double)
    finally:
        torch.set_default_dtype(default)


def parts_add_up_with_the_global_denominator(setting: Setting) -> None:
    """Parts that are divided by the whole batch's count add up to the whole, gradient included."""
    loss, gradients = setting.evaluate()
    denominator = setting.count(setting.tensors["mask"] == 1)
    parts = [
        setting.with_tensors(**{name: tensor[rows] for name, tensor in setting.tensors.items()})
        for rows in (slice(0, 1), slice(1, None))
    ]
    got = [part.evaluate(denominator=denominator) for part in parts]
    torch.testing.assert_close(got[0][0] + got[1][0], loss, rtol=1e-12, atol=1e-14)
    for name, gradient in gradients.items():
        joined = torch.cat([part[1][name] for part in got])
        torch.testing.assert_close(joined, gradient, rtol=1e-12, atol=1e-14)


def a_fully_masked_row_changes_nothing(setting: Setting) -> None:
    """A row without a token, though NaN, adds nothing to the numerator or the denominator."""
    loss, gradients = setting.evaluate()
    longer = {}
    for name, tensor in setting.tensors.items():
        fill = tensor[:1]
        if _is_mask(setting, name):
            fill = torch.zeros_like(fill)
        elif tensor.is_floating_point() and tensor.ndim <= 2:
            fill = torch.full_like(fill, float("nan"))
        longer[name] = torch.cat([tensor, fill])
    got, got_gradients = setting.with_tensors(**longer).evaluate()
    torch.testing.assert_close(got, loss, rtol=1e-12, atol=1e-14)
    for name, gradient in gradients.items():
        torch.testing.assert_close(got_gradients[name][:-1], gradient, rtol=1e-12, atol=1e-14)
        assert (got_gradients[name][-1] == 0).all()


def an_empty_mask_is_refused(setting: Setting) -> None:
    """Without a token there is no mean: an error that says so, not NaN."""
    empty = {
        name: torch.zeros_like(tensor)
        for name, tensor in setting.tensors.items()
        if _is_mask(setting, name)
    }
    with pytest.raises(ValueError, match="no token"):
        setting.with_tensors(**empty).evaluate()


LAWS = (
    gradient_equals_central_differences,
    masked_positions_are_dead,
    padding_changes_nothing,
    row_order_does_not_matter,
    data_gets_no_gradient,
    precision_is_kept,
)
"""For every objective that has rows and a mask."""

TOKEN_LAWS = (
    *LAWS,
    parts_add_up_with_the_global_denominator,
    a_fully_masked_row_changes_nothing,
    an_empty_mask_is_refused,
)
"""For objectives that also take a `denominator`."""


def _is_mask(setting: Setting, name: str) -> bool:
    return name == "mask" or name in setting.mask_of.values()


def _spread(mask: Tensor, like: Tensor) -> Tensor:
    """`mask` `[B, T]` over the trailing axes of `like`."""
    return mask.reshape(*mask.shape, *[1] * (like.ndim - mask.ndim)).expand_as(like)


def _insert(tensor: Tensor, place: int, value: float) -> Tensor:
    """`tensor` with two columns of `value` put in before column `place`."""
    column = torch.full_like(tensor[:, :1], value).repeat_interleave(2, dim=1)
    return torch.cat([tensor[:, :place], column, tensor[:, place:]], dim=1)
