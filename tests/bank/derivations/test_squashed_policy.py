"""The density of an action that is squashed with tanh, and what its correction does to the entropy and temperature."""

from __future__ import annotations

import math

import pytest
import torch

pytestmark = pytest.mark.content

NODES = torch.linspace(-8, 8, 801, dtype=torch.float64)
WEIGHTS = torch.exp(-(NODES**2) / 2)
WEIGHTS = WEIGHTS / WEIGHTS.sum()
TARGET = -1.0  # minus the number of dimensions


def correction(u: torch.Tensor) -> torch.Tensor:
    """Return log(1 - tanh^2 u), without a rounding error for large u."""
    return 2 * (math.log(2) - u.abs() - torch.log1p(torch.exp(-2 * u.abs())))


def gaussian(u: torch.Tensor, mean: float, deviation: float) -> torch.Tensor:
    return -((u - mean) ** 2) / (2 * deviation**2) - math.log(deviation) - 0.5 * math.log(2 * math.pi)


def test_the_log_density_loses_the_log_slope_of_tanh() -> None:
    mean, deviation, step = 0.3, 0.6, 1e-5
    for action in (-0.9, 0.0, 0.5, 0.95):
        u = torch.tensor(math.atanh(action), dtype=torch.float64)
        # The probability that the action falls into a short interval, divided by the interval's length.
        ends = [(math.atanh(action + side) - mean) / (deviation * math.sqrt(2)) for side in (-step, step)]
        density = (math.erf(ends[1]) - math.erf(ends[0])) / 2 / (2 * step)

        corrected, plain = gaussian(u, mean, deviation) - correction(u), gaussian(u, mean, deviation)
        assert corrected.exp().item() == pytest.approx(density, rel=1e-6)
        assert (plain.exp().item() == pytest.approx(density)) == (action == 0)
        assert (plain + correction(u)).exp().item() <= plain.exp().item() <= density + 1e-9


@pytest.mark.parametrize("mean", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("deviation", [0.1, 1.0, 3.0])
def test_without_the_correction_the_entropy_is_too_high(mean: float, deviation: float) -> None:
    u = mean + deviation * NODES
    plain = -(WEIGHTS * gaussian(u, mean, deviation)).sum().item()
    corrected = -(WEIGHTS * (gaussian(u, mean, deviation) - correction(u))).sum().item()

    assert plain == pytest.approx(0.5 * math.log(2 * math.pi * math.e * deviation**2), abs=1e-6)
    assert corrected < plain
    assert corrected <= math.log(2)  # the uniform density on [-1, 1] has the largest entropy


def test_without_the_correction_the_learned_temperature_is_too_low() -> None:
    means = torch.linspace(-3, 3, 61, dtype=torch.float64)[:, None, None]
    deviations = torch.logspace(-2.5, 1, 141, dtype=torch.float64)[None, :, None]
    u = means + deviations * NODES
    values = (WEIGHTS * -((torch.tanh(u) - 0.3) ** 2)).sum(-1)
    plain = (torch.log(deviations) + 0.5 * math.log(2 * math.pi * math.e)).squeeze(-1).expand_as(values)
    corrected = plain + (WEIGHTS * correction(u)).sum(-1)

    def learned_alpha(entropy: torch.Tensor) -> float:
        """Return the temperature at which the best policy has the target entropy, as this entropy measures it."""
        for alpha in torch.logspace(-4, 1, 251, dtype=torch.float64).tolist():
            best = (values + alpha * entropy).argmax()
            if entropy.flatten()[best] >= TARGET:
                return float(alpha)
        raise AssertionError("no temperature reaches the target")

    assert learned_alpha(plain) < 0.95 * learned_alpha(corrected)
