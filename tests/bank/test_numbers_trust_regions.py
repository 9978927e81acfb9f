"""What the answers on trust regions compute in more than one line of arithmetic is correct as written."""

from __future__ import annotations

import pytest
import torch

from tests.bank.test_numbers import questions

pytestmark = pytest.mark.content


def answer(name: str, rung: int) -> str:
    return questions()[name].rungs[rung - 1].answer


def clipped_objective(ratio: torch.Tensor, advantage: float, eps: float = 0.2) -> torch.Tensor:
    return torch.minimum(ratio * advantage, ratio.clamp(1 - eps, 1 + eps) * advantage)


def value_and_slope(at: float, advantage: float) -> tuple[float, float]:
    ratio = torch.tensor(at, dtype=torch.float64, requires_grad=True)
    value = clipped_objective(ratio, advantage)
    (slope,) = torch.autograd.grad(value, ratio)
    return value.item(), slope.item()


def test_values_and_slopes_of_the_four_cases() -> None:
    for advantage in (1, -1):
        for ratio in (1.5, 0.5):
            value, slope = value_and_slope(ratio, advantage)
            assert f"A = {advantage:+d}, r = {ratio}: value {value:g}, slope {slope:g}" in answer("ppo_clipping", 3)


def test_coefficient_after_each_measured_kl() -> None:
    target, coefficient, after = 0.01, 1.0, []
    for measured in (0.02, 0.018, 0.005, 0.012):
        coefficient *= 2 if measured > 1.5 * target else 0.5 if measured < target / 1.5 else 1
        after.append(f"{coefficient:g}")

    assert f"So the coefficients are {', '.join(after)}." in answer("ppo_epochs_and_adaptive_kl", 3)


def test_total_variation_is_half_the_mean_distance_of_the_ratio_from_one() -> None:
    mu, pi = torch.tensor([0.5, 0.3, 0.2]), torch.tensor([0.5, 0.1, 0.4])
    events = torch.cartesian_prod(*[torch.tensor([0.0, 1.0])] * 3)

    largest_gap = (events @ (mu - pi)).abs().max()

    torch.testing.assert_close((mu * (pi / mu - 1).abs()).sum() / 2, largest_gap)
    assert "D_TV(mu, pi) = 1/2 · E_mu |r - 1|" in answer("dppo_divergence_mask", 1)
    assert f"full TV is {largest_gap:.1f}" in answer("dppo_divergence_mask", 3)


def test_the_two_masks_disagree_on_both_tokens_as_told() -> None:
    clipped, masked = [], []
    for mu, pi, advantage in ((0.001, 0.003, 1), (0.9, 0.65, -1)):
        is_outward = (pi > mu) == (advantage > 0)
        clipped.append(value_and_slope(pi / mu, advantage)[1] == 0)
        masked.append(is_outward and abs(mu - pi) > 0.15)

    assert (clipped, masked) == ([True, True], [False, True])
    assert "It clips both tokens" in answer("three_trust_regions", 4)
    assert "keeps the first token and masks the second" in answer("three_trust_regions", 4)


def test_step_has_the_radius_as_its_quadratic_kl_and_follows_the_natural_gradient() -> None:
    fisher, gradient, radius = torch.tensor([4.0, 1.0]), torch.tensor([2.0, 1.0]), 0.01
    natural = gradient / fisher
    step = natural * (radius / (0.5 * (fisher * natural**2).sum())).sqrt()

    assert abs((fisher * step**2).sum().item() / 2 - radius) < 1e-7
    for name in ("three_trust_regions", "trpo_conjugate_gradient"):
        assert f"step is ({step[0]:.2f}, {step[1]:.1f})" in answer(name, 3)


def test_centre_decides_whether_the_stale_token_has_a_gradient() -> None:
    behaviour, proximal, current = 0.20, 0.30, 0.33
    value, slope = value_and_slope(current / proximal, 1.0)

    assert slope == 1
    assert value_and_slope(current / behaviour, 1.0)[1] == 0
    assert f"the term is {proximal / behaviour * value:.2f}·A and keeps its gradient" in answer(
        "behaviour_and_proximal_policy", 3
    )
