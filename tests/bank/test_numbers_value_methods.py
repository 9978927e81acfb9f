"""Numbers in the answers on value methods that need more than one line of arithmetic are computed here."""

import math

import pytest
import torch

from tests.bank.test_numbers import questions

pytestmark = pytest.mark.content


def mean_of_largest(count: int) -> float:
    """Return the mean of the maximum of this many standard normal numbers."""
    places = torch.linspace(-9, 9, 100_001, dtype=torch.float64)
    # The integral of x dF(x); F, the CDF of the maximum, is the CDF of one number raised to the power of the count.
    return torch.trapezoid(places, torch.special.ndtr(places) ** count).item()


def test_largest_of_two_and_of_ten_normal_errors() -> None:
    rungs = questions()["overestimation_and_double_dqn"].rungs

    assert f"about {mean_of_largest(10):.2f} on average" in rungs[2].ask
    assert f"1/√π = {mean_of_largest(2):.3f}" in rungs[2].answer
    assert f"by {mean_of_largest(2):.2f} for two equal values with standard normal errors" in rungs[4].answer


def test_excess_after_many_backups() -> None:
    answer = questions()["overestimation_and_double_dqn"].rungs[2].answer

    excess = 0.0
    for _ in range(5000):
        excess = 1.54 + 0.99 * excess

    assert f"= {excess:.0f}, even though" in answer


def test_log_density_of_the_squashed_action() -> None:
    rung = questions()["soft_actor_critic"].rungs[2]
    mean, log_deviation, place = 0.3, -0.5, torch.tensor(0.8, requires_grad=True)

    score = (place.item() - mean) / math.exp(log_deviation)
    before = -0.5 * score**2 - log_deviation - 0.5 * math.log(2 * math.pi)
    (slope,) = torch.autograd.grad(place.tanh(), place)
    after = before - math.log(slope.item())

    assert "the Gaussian log-density is " + f"{before:.3f}".replace("-", "−") in rung.ask
    assert f"= {after:.3f}.".replace("-", "−") in rung.answer


def test_two_targets_from_two_networks() -> None:
    answer = questions()["q_learning_and_dqn"].rungs[2].answer
    online, lagged = torch.tensor([1.0, 3.0, 2.0]), torch.tensor([5.0, 1.0, 4.0])

    assert f"max(5, 1, 4) = {1 + 0.9 * lagged.max().item():.1f}" in answer
    assert f"so the target is 1 + 0.9 · 1 = {1 + 0.9 * lagged[online.argmax()].item():.1f}" in answer
