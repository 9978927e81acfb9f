"""Cross entropy, likelihood and the two directions of the KL: which gradients are equal, which terms can be dropped."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

pytestmark = pytest.mark.content

GENERATOR = torch.Generator().manual_seed(9)
DATA, MODEL = torch.randn(2, 4, generator=GENERATOR, dtype=torch.float64)
REFERENCE = torch.tensor([0.4, 0.3, 0.2, 0.1], dtype=torch.float64).log()
REWARD = torch.tensor([0.0, 0.2, 1.0, 0.1], dtype=torch.float64)
BETA = 0.5

Pair = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


def entropy(logprobs: torch.Tensor) -> torch.Tensor:
    return -(logprobs.exp() * logprobs).sum()


def cross_entropy(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    return -(first.exp() * second).sum()


def kl(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    return (first.exp() * (first - second)).sum()


def gradients(function: Pair) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the gradients with respect to the logits of both distributions."""
    first, second = DATA.clone().requires_grad_(), MODEL.clone().requires_grad_()
    of_first, of_second = torch.autograd.grad(function(first.log_softmax(0), second.log_softmax(0)), (first, second))
    return of_first, of_second


def test_cross_entropy_is_entropy_plus_kl_with_the_same_gradient_for_the_second_argument_alone() -> None:
    data, model = DATA.log_softmax(0), MODEL.log_softmax(0)
    torch.testing.assert_close(cross_entropy(data, model), entropy(data) + kl(data, model))
    assert abs(cross_entropy(data, model) - entropy(model) - kl(data, model)) > 1e-3
    of_first, of_second = zip(gradients(cross_entropy), gradients(kl), strict=True)
    torch.testing.assert_close(*of_second)
    assert not torch.allclose(*of_first, atol=1e-2)


def test_maximum_likelihood_descends_the_forward_kl_and_not_the_reverse_one() -> None:
    counts = torch.tensor([5.0, 1.0, 3.0, 2.0], dtype=torch.float64)
    empirical = (counts / counts.sum()).log()

    def of_model(function: Callable[[torch.Tensor], torch.Tensor]) -> torch.Tensor:
        logits = MODEL.clone().requires_grad_()
        slope: torch.Tensor = torch.autograd.grad(function(logits.log_softmax(0)), logits)[0]
        return slope

    likelihood = of_model(lambda model: -(counts * model).sum() / counts.sum())
    torch.testing.assert_close(likelihood, of_model(lambda model: kl(empirical, model)))
    assert not torch.allclose(likelihood, of_model(lambda model: kl(model, empirical)), atol=1e-2)
    one_hot = torch.tensor([0.0, 1.0, 0.0, 0.0], dtype=torch.float64)
    model = MODEL.log_softmax(0)
    with_zeros = torch.nn.functional.kl_div(model, one_hot, reduction="sum")
    torch.testing.assert_close(-(one_hot * model).sum(), with_zeros)


def ascend(objective: Callable[[torch.Tensor], torch.Tensor]) -> torch.Tensor:
    """Return the policy after many ascent steps on the objective."""
    logits = MODEL.clone()
    for _ in range(3000):
        at = logits.clone().requires_grad_()
        logits += torch.autograd.grad(objective(at.log_softmax(0)), at)[0]
    policy: torch.Tensor = logits.softmax(0)
    return policy


@pytest.mark.parametrize("reward", [torch.zeros(4, dtype=torch.float64), REWARD], ids=["no reward", "reward"])
def test_without_its_entropy_the_reverse_kl_collapses_onto_one_answer(reward: torch.Tensor) -> None:
    def penalized(policy: torch.Tensor) -> torch.Tensor:
        return policy.exp() @ reward - BETA * kl(policy, REFERENCE)

    def without_entropy(policy: torch.Tensor) -> torch.Tensor:
        return policy.exp() @ reward + BETA * policy.exp() @ REFERENCE

    tilted = (REFERENCE + reward / BETA).softmax(0)
    torch.testing.assert_close(ascend(penalized), tilted, atol=1e-6, rtol=0)
    collapsed = ascend(without_entropy)
    assert collapsed.argmax() == (reward + BETA * REFERENCE).argmax()
    assert collapsed.max() > 0.98
    assert tilted.max() < 0.8


def test_in_the_forward_direction_the_entropy_of_the_data_may_be_left_out() -> None:
    data = REFERENCE
    torch.testing.assert_close(ascend(lambda model: -kl(data, model)), data.exp(), atol=1e-6, rtol=0)
    torch.testing.assert_close(ascend(lambda model: -cross_entropy(data, model)), data.exp(), atol=1e-6, rtol=0)


def test_kl_div_computes_the_kl_of_the_target_to_the_input_and_is_infinite_without_support() -> None:
    data, model = DATA.log_softmax(0), MODEL.log_softmax(0)
    called = torch.nn.functional.kl_div(model, data.exp(), reduction="sum")
    torch.testing.assert_close(called, kl(data, model))
    assert abs(called - kl(model, data)) > 1e-3
    missing = torch.tensor([0.5, 0.5, 0.0, 0.0], dtype=torch.float64).log()
    assert torch.nn.functional.kl_div(missing, data.exp(), reduction="sum") == float("inf")
    assert torch.nn.functional.kl_div(data, missing.exp(), reduction="sum").isfinite()
