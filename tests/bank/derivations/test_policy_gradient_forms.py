"""Policy gradients on a small tree of decisions: what adds a bias, and what is differentiated."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
import torch

pytestmark = pytest.mark.content

GAMMA = 0.7
STEPS = 3
GENERATOR = torch.Generator().manual_seed(1)
# A state is the sequence of the actions so far, so that every state is visited at one time only.
STATES = [actions for size in range(STEPS) for actions in product((0, 1), repeat=size)]
LOGITS = torch.randn(len(STATES), 2, generator=GENERATOR, dtype=torch.float64)
REWARDS = torch.rand(len(STATES), 2, generator=GENERATOR, dtype=torch.float64)
VALUES_GUESSED = torch.randn(len(STATES), generator=GENERATOR, dtype=torch.float64)
PATHS = list(product((0, 1), repeat=STEPS))

Weights = Callable[[tuple[int, ...]], list[float]]
"""From a path to the weight of the score of each of its steps."""


def places(path: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(STATES.index(path[:step]), action) for step, action in enumerate(path)]


def path_logprob(logits: torch.Tensor, path: tuple[int, ...]) -> torch.Tensor:
    return torch.stack([logits[state].log_softmax(0)[action] for state, action in places(path)]).sum()


def return_from(path: tuple[int, ...], step: int = 0) -> float:
    """Return the discounted rewards from a step on, discounted from that step."""
    rewards = [float(REWARDS[place]) for place in places(path)]
    return sum(GAMMA ** (later - step) * rewards[later] for later in range(step, STEPS))


def value(state: tuple[int, ...]) -> float:
    """Return the true value of a state under the policy."""
    if len(state) == STEPS:
        return 0.0
    row = STATES.index(state)
    probs = LOGITS[row].softmax(0)
    return sum(float(probs[a]) * (float(REWARDS[row, a]) + GAMMA * value((*state, a))) for a in (0, 1))


def guessed(state: tuple[int, ...]) -> float:
    return 0.0 if len(state) == STEPS else float(VALUES_GUESSED[STATES.index(state)])


def exact() -> torch.Tensor:
    """Return the gradient of the expected discounted return, without any score."""
    at = LOGITS.clone().requires_grad_()
    total = torch.stack([path_logprob(at, path).exp() * return_from(path) for path in PATHS]).sum()
    return torch.autograd.grad(total, at)[0]


def estimated(weights: Weights) -> torch.Tensor:
    """Return the expectation of the sum over steps of weight times score."""
    result = torch.zeros_like(LOGITS)
    for path in PATHS:
        probability = float(path_logprob(LOGITS, path).exp())
        for (state, action), weight in zip(places(path), weights(path), strict=True):
            score = torch.nn.functional.one_hot(torch.tensor(action), 2) - LOGITS[state].softmax(0)
            result[state] += probability * weight * score
    return result


def strict(path: tuple[int, ...]) -> list[float]:
    return [GAMMA**step * return_from(path, step) for step in range(STEPS)]


def is_same(weights: Weights) -> bool:
    return torch.allclose(estimated(weights), exact(), atol=1e-10)


def test_the_strict_gradient_has_gamma_to_the_t_before_each_return_to_go() -> None:
    assert is_same(strict)
    assert is_same(lambda path: [return_from(path)] * STEPS)
    assert not is_same(lambda path: [return_from(path, step) for step in range(STEPS)])


def test_a_baseline_may_read_the_prefix_and_not_the_token() -> None:
    def minus(baseline: Callable[[tuple[int, ...]], float], shift: int) -> Weights:
        return lambda path: [
            GAMMA**step * (return_from(path, step) - baseline(path[: step + shift])) for step in range(STEPS)
        ]

    assert is_same(minus(guessed, 0))
    assert is_same(minus(value, 0))
    assert not is_same(minus(guessed, 1))
    assert not is_same(minus(value, 1))


def test_an_error_of_the_critic_is_a_bias_only_when_it_bootstraps() -> None:
    def one_step(critic: Callable[[tuple[int, ...]], float]) -> Weights:
        def weights(path: tuple[int, ...]) -> list[float]:
            rewards = [float(REWARDS[place]) for place in places(path)]
            targets = [rewards[step] + GAMMA * critic(path[: step + 1]) for step in range(STEPS)]
            return [GAMMA**step * (targets[step] - critic(path[:step])) for step in range(STEPS)]

        return weights

    assert is_same(one_step(value))
    assert not is_same(one_step(guessed))
    assert is_same(lambda path: [strict(path)[step] - GAMMA**step * guessed(path[:step]) for step in range(STEPS)])


def test_reward_times_pi_inside_the_expectation_ascends_the_sum_of_pi_squared() -> None:
    logits, rewards = LOGITS[:2].flatten(), REWARDS[:2].flatten()

    def gradient(function: Callable[[torch.Tensor], torch.Tensor]) -> torch.Tensor:
        at = logits.clone().requires_grad_()
        return torch.autograd.grad(function(at.softmax(0)), at)[0]

    twice = gradient(lambda probs: (probs**2 * rewards).sum())
    # The samples are held fixed, as in code that averages a loss over a batch.
    in_code = gradient(lambda probs: (probs.detach() * probs * rewards).sum())
    once = gradient(lambda probs: (probs * rewards).sum())
    by_score = gradient(lambda probs: (probs.detach() * probs.log() * rewards).sum())

    torch.testing.assert_close(2 * in_code, twice)
    torch.testing.assert_close(by_score, once)
    assert torch.nn.functional.cosine_similarity(in_code, once, dim=0) < 0.99


def test_the_monte_carlo_target_is_unbiased_and_the_bootstrapped_one_only_with_the_true_values() -> None:
    def mean(target: Callable[[tuple[int, ...]], float]) -> float:
        return sum(float(path_logprob(LOGITS, path).exp()) * target(path) for path in PATHS)

    def variance(target: Callable[[tuple[int, ...]], float]) -> float:
        center = mean(target)
        return mean(lambda path: (target(path) - center) ** 2)

    def bootstrapped(critic: Callable[[tuple[int, ...]], float]) -> Callable[[tuple[int, ...]], float]:
        return lambda path: float(REWARDS[places(path)[0]]) + GAMMA * critic(path[:1])

    truth = value(())
    assert mean(return_from) == pytest.approx(truth)
    assert mean(bootstrapped(value)) == pytest.approx(truth)
    assert abs(mean(bootstrapped(guessed)) - truth) > 0.05
    assert variance(bootstrapped(value)) < variance(return_from)
