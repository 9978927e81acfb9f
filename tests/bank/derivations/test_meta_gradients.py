"""Which gradient MAML, first-order MAML and pretraining follow, and where each of them ends."""

from __future__ import annotations

import pytest
import torch

pytestmark = pytest.mark.content


def test_maml_its_first_order_form_and_pretraining_have_three_optima() -> None:
    """Two tasks with losses k (w - c)^2 / 2 and an inner step of size 0.5."""
    stiffness, centers, size = torch.tensor([0.4, 1.6]).double(), torch.tensor([0.0, 1.0]).double(), 0.5

    def slope(at: float, form: str) -> float:
        weight = torch.tensor(at, dtype=torch.float64, requires_grad=True)
        losses = stiffness * (weight - centers) ** 2 / 2
        if form == "pretraining":
            return float(torch.autograd.grad(losses.sum(), weight)[0])
        inner = stiffness * (weight - centers)
        adapted = weight - size * (inner if form == "exact" else inner.detach())
        return float(torch.autograd.grad((stiffness * (adapted - centers) ** 2 / 2).sum(), weight)[0])

    def optimum(form: str) -> float:
        at = 0.0
        for _ in range(2000):
            at -= 0.1 * slope(at, form)
        return at

    exact, first_order, pretrained = map(optimum, ("exact", "first order", "pretraining"))
    factors = (1 - size * stiffness).tolist()
    assert exact == pytest.approx(1.6 * factors[1] ** 2 / (0.4 * factors[0] ** 2 + 1.6 * factors[1] ** 2))
    assert pretrained == pytest.approx(1.6 / 2.0)
    assert max(abs(exact - first_order), abs(first_order - pretrained)) > 0.1
    assert len({round(each, 2) for each in (exact, first_order, pretrained)}) == 3
