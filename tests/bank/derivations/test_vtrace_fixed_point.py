"""Which of V-trace's two truncations moves the fixed point, on a small random MDP."""

from __future__ import annotations

import pytest
import torch

pytestmark = pytest.mark.content

STATES, ACTIONS, GAMMA, STEPS = 4, 3, 0.9, 4
GENERATOR = torch.Generator().manual_seed(3)
DYNAMICS = torch.rand(STATES, ACTIONS, STATES, generator=GENERATOR, dtype=torch.float64)
DYNAMICS = DYNAMICS / DYNAMICS.sum(-1, keepdim=True)
REWARDS = torch.rand(STATES, ACTIONS, generator=GENERATOR, dtype=torch.float64)
BEHAVIOR = (1.5 * torch.randn(STATES, ACTIONS, generator=GENERATOR, dtype=torch.float64)).softmax(-1)
TARGET = (1.5 * torch.randn(STATES, ACTIONS, generator=GENERATOR, dtype=torch.float64)).softmax(-1)
RATIO = TARGET / BEHAVIOR


def value_of(policy: torch.Tensor) -> torch.Tensor:
    transitions = torch.einsum("sa,sat->st", policy, DYNAMICS)
    values: torch.Tensor = torch.linalg.solve(
        torch.eye(STATES).double() - GAMMA * transitions, (policy * REWARDS).sum(-1)
    )
    return values


def one_sweep(values: torch.Tensor, rho_bar: float, c_bar: float) -> torch.Tensor:
    """Return the expected n-step V-trace target of each state, with data from the behavior policy."""
    rho, trace = RATIO.clamp(max=rho_bar), RATIO.clamp(max=c_bar)
    td_error = REWARDS + GAMMA * DYNAMICS @ values - values[:, None]
    first = (BEHAVIOR * rho * td_error).sum(-1)
    carried = GAMMA * torch.einsum("sa,sat->st", BEHAVIOR * trace, DYNAMICS)
    correction, total = first, first
    for _ in range(STEPS - 1):
        correction = carried @ correction
        total = total + correction
    return values + total


def fixed_point(rho_bar: float, c_bar: float) -> tuple[torch.Tensor, int]:
    """Return the values to which the sweeps converge, and the number of sweeps."""
    values = torch.zeros(STATES, dtype=torch.float64)
    for sweep in range(5000):
        new = one_sweep(values, rho_bar, c_bar)
        if (new - values).abs().max() < 1e-12:
            return new, sweep
        values = new
    raise AssertionError("no fixed point")


def test_c_bar_changes_the_speed_and_not_the_fixed_point() -> None:
    small, slow = fixed_point(1.0, 0.1)
    large, fast = fixed_point(1.0, 1.0)

    torch.testing.assert_close(small, large, atol=1e-9, rtol=0)
    assert slow > fast


def test_rho_bar_decides_whose_value_it_is() -> None:
    truncated = TARGET.minimum(1.0 * BEHAVIOR)
    between = truncated / truncated.sum(-1, keepdim=True)

    torch.testing.assert_close(fixed_point(1.0, 1.0)[0], value_of(between), atol=1e-9, rtol=0)
    torch.testing.assert_close(fixed_point(1e9, 1.0)[0], value_of(TARGET), atol=1e-9, rtol=0)
    tiny = float(RATIO.min())
    torch.testing.assert_close(fixed_point(tiny, tiny)[0], value_of(BEHAVIOR), atol=1e-9, rtol=0)
    assert (value_of(between) - value_of(TARGET)).abs().max() > 0.01
    assert (value_of(between) - value_of(BEHAVIOR)).abs().max() > 0.01
