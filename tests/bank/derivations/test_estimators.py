"""Expectations of estimators, by enumerating every outcome: which are unbiased, and how the others are biased."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import comb

import pytest
import torch

pytestmark = pytest.mark.content


@pytest.mark.parametrize("rate", [0.05, 0.3, 0.7])
def test_pass_at_k_without_replacement_is_unbiased_and_the_plug_in_is_low(rate: float) -> None:
    n, k = 10, 5
    chances = [comb(n, right) * rate**right * (1 - rate) ** (n - right) for right in range(n + 1)]
    truth = 1 - (1 - rate) ** k
    without_replacement = sum(chance * (1 - comb(n - right, k) / comb(n, k)) for right, chance in enumerate(chances))
    plug_in = sum(chance * (1 - (1 - right / n) ** k) for right, chance in enumerate(chances))

    assert without_replacement == pytest.approx(truth)
    assert plug_in < truth - 0.001


def test_the_coin_estimates_give_the_two_stated_means() -> None:
    true = (1.0, 0.5)
    coins = list(product((-1, 1), repeat=4))
    separate = sum(max(true[0] + a, true[1] + b) for a, b, _, _ in coins) / len(coins)
    shared = sum(max(true[0] + a, true[1] + a) for a, *_ in coins) / len(coins)
    double = sum((true[0] + c if true[0] + a >= true[1] + b else true[1] + d) for a, b, c, d in coins) / len(coins)

    assert (separate, shared, double) == (1.375, 1.0, 0.875)


def test_the_smaller_of_two_unbiased_estimates_is_too_low_and_the_one_that_the_actor_picks_too_high() -> None:
    true, coins = (1.0, 0.5), list(product((-1, 1), repeat=4))
    single = smaller = fixed = mean = 0.0
    for a, b, c, d in coins:
        first, second = (true[0] + a, true[1] + b), (true[0] + c, true[1] + d)
        action = first.index(max(first))  # the actor climbs the first critic
        single += first[action] / len(coins)
        smaller += min(first[action], second[action]) / len(coins)
        fixed += min(first[0], second[0]) / len(coins)
        mean += (first[0] + second[0]) / 2 / len(coins)

    assert mean == true[0]
    assert (fixed, smaller) == (0.5, 0.625)
    assert smaller < true[0] < single == 1.375


def test_an_actor_seeks_out_a_value_that_is_too_high_and_not_one_that_is_too_low() -> None:
    true = [place / 9 for place in range(10)]

    def mean_loss(error: float) -> float:
        """Return how much true value the greedy actor loses if one action's estimate has this error."""
        picked = [max(range(10), key=lambda action: true[action] + error * (action == wrong)) for wrong in range(10)]
        return sum(max(true) - true[action] for action in picked) / 10

    assert mean_loss(1.5) == pytest.approx(0.5)  # the actor picks each action whose value is too high
    assert mean_loss(-1.5) == pytest.approx(1 / 90)  # only an error in the best action changes the choice


def test_the_dropped_arm_has_a_low_mean_and_a_floor_repairs_it() -> None:
    rate, floor = 0.5, 0.2
    plain = repaired = unweighted = 0.0
    for first, second, is_forced in product((0, 1), (0, 1), (False, True)):
        chance = 0.25 * (floor if is_forced else 1 - floor)
        tries = [first, second] if first else [first]
        plain += chance * sum(tries) / len(tries)
        # With a floor, the second try after a failure happens with probability `floor` and has a weight of 1 / floor.
        is_tried = bool(first) or is_forced
        weight = 1.0 if first else 1 / floor
        repaired += chance * (first + weight * second * is_tried) / 2
        unweighted += chance * (first + second * is_tried) / (1 + is_tried)

    assert plain == pytest.approx(0.375)
    assert repaired == pytest.approx(rate)
    assert unweighted < rate - 0.05


def test_the_sampled_entropy_has_no_gradient_on_average_and_the_full_one_does() -> None:
    logits = torch.tensor([1.0, 0.2, -0.7], dtype=torch.float64, requires_grad=True)
    probs, logprobs = logits.softmax(0), logits.log_softmax(0)
    held = probs.detach()

    def gradient(value: torch.Tensor) -> torch.Tensor:
        return torch.autograd.grad(value, logits, retain_graph=True)[0]

    full = gradient(-(probs * logprobs).sum())
    sampled = gradient(-(held * logprobs).sum())
    as_reward = gradient((held * -logprobs.detach() * logprobs).sum())

    assert (held * logprobs).sum().item() == pytest.approx((probs * logprobs).sum().item())
    assert sampled.abs().max() < 1e-12
    torch.testing.assert_close(as_reward, full)
    assert full.abs().max() > 0.05


def test_the_sapo_gate_has_the_stated_slope_and_the_larger_temperature_fades_sooner() -> None:
    def slope(ratio: float, tau: float) -> float:
        at = torch.tensor(ratio, dtype=torch.float64, requires_grad=True)
        (result,) = torch.autograd.grad(4 / tau * torch.sigmoid(tau * (at - 1)), at)
        return float(result)

    for ratio in (0.3, 1.0, 1.5, 2.0, 3.0):
        for tau in (1.0, 1.05, 2.0):
            by_hand = 1 / torch.cosh(torch.tensor(tau * (ratio - 1) / 2, dtype=torch.float64)) ** 2
            assert slope(ratio, tau) == pytest.approx(float(by_hand))
    assert slope(1.0, 1.0) == slope(1.0, 1.05) == pytest.approx(1)
    assert slope(2.0, 1.05) < slope(2.0, 1.0)
    assert slope(0.3, 1.05) < slope(0.3, 1.0)


@pytest.mark.parametrize(("ratio", "advantage"), [(0.3, 1.0), (1.7, -1.0)])
def test_the_sapo_gate_damps_corrective_updates_that_ppo_keeps(ratio: float, advantage: float) -> None:
    def slope(objective: Callable[[torch.Tensor], torch.Tensor], at: float) -> float:
        point = torch.tensor(at, dtype=torch.float64, requires_grad=True)
        (result,) = torch.autograd.grad(objective(point), point)
        return float(result)

    def sapo(r: torch.Tensor) -> torch.Tensor:
        return advantage * 4 * torch.sigmoid(r - 1)

    def ppo(r: torch.Tensor) -> torch.Tensor:
        return torch.minimum(advantage * r, advantage * r.clamp(0.8, 1.2))

    mirrored = 2 - ratio
    assert slope(sapo, ratio) == pytest.approx(slope(sapo, mirrored))
    assert abs(slope(sapo, ratio)) < 0.9
    assert slope(ppo, ratio) == advantage
    assert slope(ppo, mirrored) == 0
