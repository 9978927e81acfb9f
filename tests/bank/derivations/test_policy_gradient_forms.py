"""Policy gradients on a small decision tree: what adds bias, and what is differentiated."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product

import pytest
import torch

pytestmark = pytest.mark.content

GAMMA = 0.7
STEPS = 3
GENERATOR = torch.Generator().manual_seed(1)
# A state is the sequence of the actions so far, so every state is visited at only one time step.
STATES = [actions for size in range(STEPS) for actions in product((0, 1), repeat=size)]
LOGITS = torch.randn(len(STATES), 2, generator=GENERATOR, dtype=torch.float64)
REWARDS = torch.rand(len(STATES), 2, generator=GENERATOR, dtype=torch.float64)
VALUES_GUESSED = torch.randn(len(STATES), generator=GENERATOR, dtype=torch.float64)
PATHS = list(product((0, 1), repeat=STEPS))

Weights = Callable[[tuple[int, ...]], list[float]]
"""Maps a path to the weight of the score at each of its steps."""


def places(path: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(STATES.index(path[:step]), action) for step, action in enumerate(path)]


def path_logprob(logits: torch.Tensor, path: tuple[int, ...]) -> torch.Tensor:
    return torch.stack([logits[state].log_softmax(0)[action] for state, action in places(path)]).sum()


def return_from(path: tuple[int, ...], step: int = 0) -> float:
    """Return the discounted return from a step on."""
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
    """Return the gradient of the expected discounted return, without using a score function."""
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


def prefix_probability(state: tuple[int, ...], logits: torch.Tensor = LOGITS) -> torch.Tensor:
    """Return the probability that the policy visits a state, which only one path reaches."""
    steps = [logits[row].log_softmax(0)[action] for row, action in places(state)]
    return torch.stack(steps).sum().exp() if steps else torch.ones((), dtype=torch.float64)


def action_values(state: tuple[int, ...]) -> torch.Tensor:
    row = STATES.index(state)
    return torch.tensor([float(REWARDS[row, a]) + GAMMA * value((*state, a)) for a in (0, 1)], dtype=torch.float64)


def summed_over_states(
    visits: Callable[[tuple[int, ...], torch.Tensor], torch.Tensor],
    values: Callable[[tuple[int, ...]], torch.Tensor] = action_values,
) -> torch.Tensor:
    """Return the gradient of a sum over states: gamma^t times visit probability times the mean of Q over actions."""
    at = LOGITS.clone().requires_grad_()
    terms = [
        GAMMA ** len(state) * visits(state, at) * (at[STATES.index(state)].softmax(0) @ values(state))
        for state in STATES
    ]
    return torch.autograd.grad(torch.stack(terms).sum(), at)[0]


def test_visits_times_the_gradient_of_pi_times_q_is_the_gradient_and_no_visit_is_differentiated() -> None:
    def constant(state: tuple[int, ...], at: torch.Tensor) -> torch.Tensor:
        return prefix_probability(state)

    def rewards_only(state: tuple[int, ...]) -> torch.Tensor:
        return REWARDS[STATES.index(state)]

    torch.testing.assert_close(summed_over_states(constant), exact())
    assert not torch.allclose(summed_over_states(prefix_probability), exact(), atol=1e-3)
    assert not torch.allclose(summed_over_states(constant, rewards_only), exact(), atol=1e-3)
    # With rewards in place of Q, the state visits have to be differentiated.
    torch.testing.assert_close(summed_over_states(prefix_probability, rewards_only), exact())
    assert is_same(lambda path: [GAMMA**t * float(action_values(path[:t])[path[t]]) for t in range(STEPS)])


def test_the_gradient_of_a_value_is_a_local_term_plus_gamma_times_that_of_the_next_value() -> None:
    def gradient(state: tuple[int, ...]) -> torch.Tensor:
        """Return the gradient of V by the recursion."""
        result = torch.zeros_like(LOGITS)
        if len(state) == STEPS:
            return result
        row, q_values = STATES.index(state), action_values(state)
        probs = LOGITS[row].softmax(0)
        result[row] = probs * (q_values - probs @ q_values)
        for action in (0, 1):
            result += GAMMA * probs[action] * gradient((*state, action))
        return result

    torch.testing.assert_close(gradient(()), exact())


def spread(weights: Weights) -> float:
    """Return the variance of the sampled gradient, summed over the logits."""
    center, second = estimated(weights), 0.0
    for path in PATHS:
        sample = torch.zeros_like(LOGITS)
        for (state, action), weight in zip(places(path), weights(path), strict=True):
            sample[state] += weight * (torch.nn.functional.one_hot(torch.tensor(action), 2) - LOGITS[state].softmax(0))
        second += float(path_logprob(LOGITS, path).exp()) * float((sample**2).sum())
    return second - float((center**2).sum())


def test_rewards_to_go_and_a_good_baseline_lower_the_variance_and_a_bad_one_raises_it() -> None:
    def minus(baseline: Callable[[tuple[int, ...]], float]) -> Weights:
        return lambda path: [GAMMA**t * (return_from(path, t) - baseline(path[:t])) for t in range(STEPS)]

    def whole_return(path: tuple[int, ...]) -> list[float]:
        return [return_from(path)] * STEPS

    assert spread(minus(value)) < spread(strict) < spread(whole_return)
    assert spread(minus(lambda state: value(state) - 5)) > spread(strict)
    assert all(is_same(weights) for weights in (minus(value), minus(lambda state: value(state) - 5), whole_return))


Critic = Callable[[tuple[int, ...]], float]


def n_step_target(path: tuple[int, ...], steps: int, critic: Critic) -> float:
    rewards = [float(REWARDS[place]) for place in places(path)]
    return sum(GAMMA**t * rewards[t] for t in range(steps)) + GAMMA**steps * critic(path[:steps])


def lambda_return(path: tuple[int, ...], trace: float, critic: Critic) -> float:
    """Return the mean of the n-step targets with weights (1 - lambda) lambda^(n-1); the last one gets the rest."""
    targets = [n_step_target(path, steps, critic) for steps in range(1, STEPS + 1)]
    return (
        sum((1 - trace) * trace**n * target for n, target in enumerate(targets[:-1]))
        + trace ** (STEPS - 1) * targets[-1]
    )


def over_paths(target: Callable[[tuple[int, ...]], float]) -> tuple[float, float]:
    """Return the mean and the variance of a target."""
    chances = [float(path_logprob(LOGITS, path).exp()) for path in PATHS]
    mean = sum(chance * target(path) for chance, path in zip(chances, PATHS, strict=True))
    return mean, sum(chance * (target(path) - mean) ** 2 for chance, path in zip(chances, PATHS, strict=True))


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_n_steps_multiply_the_error_of_v_by_gamma_to_the_n_and_add_variance(steps: int) -> None:
    error = 0.4

    def wrong(state: tuple[int, ...]) -> float:
        return value(state) + error

    mean, _ = over_paths(lambda path: n_step_target(path, steps, wrong))
    assert mean - value(()) == pytest.approx(GAMMA**steps * error)
    variances = [over_paths(partial(n_step_target, steps=n, critic=value))[1] for n in (1, 2, 3)]
    assert variances == sorted(variances)
    assert variances[0] < variances[2]


def test_lambda_moves_the_expected_target_only_with_a_wrong_v_and_gamma_moves_it_in_any_case() -> None:
    path = PATHS[3]
    by_recursion = float("nan")
    for t in reversed(range(STEPS)):
        reward, follows = float(REWARDS[places(path)[t]]), guessed(path[: t + 1])
        rest = follows if t == STEPS - 1 else 0.2 * follows + 0.8 * by_recursion
        by_recursion = reward + GAMMA * rest
    assert lambda_return(path, 0.8, guessed) == pytest.approx(by_recursion)

    means = [over_paths(partial(lambda_return, trace=trace, critic=value))[0] for trace in (0, 0.5, 1)]
    assert means == pytest.approx([value(())] * 3)
    wrong = [over_paths(partial(lambda_return, trace=trace, critic=guessed))[0] for trace in (0, 0.5, 1)]
    assert max(wrong) - min(wrong) > 0.05
    undiscounted = over_paths(lambda path: sum(float(REWARDS[place]) for place in places(path)))[0]
    assert abs(undiscounted - value(())) > 0.1


def test_the_discounted_sum_of_td_errors_telescopes_and_the_plain_sum_does_not() -> None:
    for path in PATHS:
        errors = [
            float(REWARDS[places(path)[t]]) + GAMMA * guessed(path[: t + 1]) - guessed(path[:t]) for t in range(STEPS)
        ]
        for steps in (1, 2, 3):
            advantage = n_step_target(path, steps, guessed) - guessed(())
            assert sum(GAMMA**t * errors[t] for t in range(steps)) == pytest.approx(advantage)
        assert abs(sum(errors) - (return_from(path) - guessed(()))) > 1e-3


def test_only_without_tools_rewards_and_discount_is_the_q_of_a_token_the_value_of_the_next_prefix() -> None:
    def q_value(outcomes: list[tuple[float, float]], reward: float = 0.0, discount: float = 1.0) -> float:
        """Return Q from the probability and the value of each prefix that can follow the token."""
        return reward + discount * sum(chance * follows for chance, follows in outcomes)

    policy = [0.4, 0.6]
    appended = [q_value([(1.0, 0.8)]), q_value([(1.0, 0.3)])]
    before = sum(chance * each for chance, each in zip(policy, appended, strict=True))
    advantages = [each - before for each in appended]
    assert appended == [0.8, 0.3]
    assert advantages == pytest.approx([0.3, -0.2])
    assert sum(chance * each for chance, each in zip(policy, advantages, strict=True)) == pytest.approx(0)
    # A tool's output decides which prefix follows, and the value of the sampled prefix is above or below Q.
    assert q_value([(0.5, 0.8), (0.5, 0.3)]) not in (0.8, 0.3)
    assert q_value([(1.0, 0.8)], reward=0.1) != 0.8
    assert q_value([(1.0, 0.8)], discount=0.99) != 0.8


def test_lambda_0_is_the_biased_and_quiet_one_step_target_and_lambda_1_the_unbiased_and_noisy_return() -> None:
    def wrong(state: tuple[int, ...]) -> float:
        return value(state) + (0.4 if len(state) < STEPS else 0.0)

    one_step, monte_carlo = (over_paths(partial(lambda_return, trace=trace, critic=wrong)) for trace in (0.0, 1.0))
    assert one_step == pytest.approx(over_paths(partial(n_step_target, steps=1, critic=wrong)))
    assert monte_carlo == pytest.approx(over_paths(return_from))
    assert one_step[0] - value(()) == pytest.approx(GAMMA * 0.4)
    assert monte_carlo[0] == pytest.approx(value(()))
    assert one_step[1] < monte_carlo[1]
