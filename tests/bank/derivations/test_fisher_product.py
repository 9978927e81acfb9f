"""The Hessian of the KL at the old policy is the Fisher matrix; elsewhere, or with the wrong detach, it is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

pytestmark = pytest.mark.content

GENERATOR = torch.Generator().manual_seed(5)
INPUTS = torch.randn(6, 3, generator=GENERATOR, dtype=torch.float64)
OLD = torch.randn(12, generator=GENERATOR, dtype=torch.float64)
VECTOR = torch.randn(12, generator=GENERATOR, dtype=torch.float64)


def logprobs(weights: torch.Tensor) -> torch.Tensor:
    """Return log-probs of four actions in six states: a linear layer, then tanh, then log-softmax."""
    return (torch.tanh(INPUTS @ weights.view(3, 4)) * 2).log_softmax(-1)


def kl(new: torch.Tensor, *, is_old_first: bool = True) -> torch.Tensor:
    old, now = logprobs(OLD), logprobs(new)
    first, second = (old, now) if is_old_first else (now, old)
    return (first.exp() * (first - second)).sum(-1).mean()


def undetached(new: torch.Tensor) -> torch.Tensor:
    """Return the KL of the new policy to itself: what remains if the old policy is not detached."""
    now = logprobs(new)
    return (now.exp() * (now - now)).sum(-1).mean()


def fisher() -> torch.Tensor:
    """Return the mean over states of the expected outer product of the score."""
    jacobian = torch.autograd.functional.jacobian(logprobs, OLD)  # type: ignore[no-untyped-call]
    probs = logprobs(OLD).exp()
    return torch.einsum("sa,sai,saj->ij", probs, jacobian, jacobian) / len(INPUTS)


def product(divergence: Callable[[torch.Tensor], torch.Tensor], at: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the gradient of the divergence, and the gradient of that gradient times the vector."""
    weights = at.clone().requires_grad_()
    (first,) = torch.autograd.grad(divergence(weights), weights, create_graph=True)
    (second,) = torch.autograd.grad(first @ VECTOR, weights)
    return first.detach(), second


def test_two_backward_passes_give_the_fisher_matrix_times_a_vector() -> None:
    first, second = product(kl, OLD)

    assert first.abs().max() < 1e-12
    torch.testing.assert_close(second, fisher() @ VECTOR)
    torch.testing.assert_close(product(lambda new: kl(new, is_old_first=False), OLD)[1], fisher() @ VECTOR)


def test_the_kl_is_half_of_the_quadratic_form_and_the_best_step_within_it_is_along_the_inverse_times_the_gradient() -> (
    None
):
    matrix = fisher()
    small = 1e-3 * VECTOR
    quadratic = float(small @ matrix @ small)
    assert float(kl(OLD + small)) == pytest.approx(quadratic / 2, rel=0.02)
    assert float(kl(OLD + small)) != pytest.approx(quadratic, rel=0.2)

    gradient = matrix @ torch.randn(12, generator=GENERATOR, dtype=torch.float64)  # within the range of F

    def gain(direction: torch.Tensor) -> float:
        """Return the gain in the linear model from a step whose quadratic KL is one half."""
        return float(gradient @ direction / (direction @ matrix @ direction).sqrt())

    natural = gain(torch.linalg.pinv(matrix) @ gradient)
    assert natural > 1.05 * gain(gradient)
    others = torch.randn(200, 12, generator=GENERATOR, dtype=torch.float64)
    assert natural > max(map(gain, others))


def test_away_from_the_old_policy_or_without_the_detach_it_is_not() -> None:
    first, second = product(kl, OLD + 0.5)

    assert first.abs().max() > 1e-3
    assert not torch.allclose(second, fisher() @ VECTOR, rtol=1e-2)
    assert product(undetached, OLD)[1].abs().max() < 1e-12


def test_without_damping_the_step_is_largest_where_the_outputs_change_least() -> None:
    strengths, directions = torch.linalg.eigh(fisher())
    gradient = directions.sum(1)  # the same component in every direction
    components = (torch.linalg.solve(fisher() + 1e-6 * torch.eye(12).double(), gradient) @ directions).abs()
    kept = strengths > 1e-3
    changes = torch.stack([kl(OLD + 1e-2 * direction) for direction in directions.T])

    assert (components.argsort(descending=True) == torch.arange(12)).all()
    assert (changes[kept].argsort() == torch.arange(int(kept.sum()))).all()
    assert changes[~kept].max() < changes[kept].min()
    damped = (torch.linalg.solve(fisher() + 0.1 * torch.eye(12).double(), gradient) @ directions).abs()
    assert damped.max() < 11 < components.max()
