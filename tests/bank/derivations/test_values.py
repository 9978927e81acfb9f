"""Fixed points of value iterations: what contracts, where TD converges, and which shaping keeps the optimal policy."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
import torch

from tests.recorded import code_alone

pytestmark = [pytest.mark.content, pytest.mark.recorded(subject_of=code_alone)]

STATES, ACTIONS, GAMMA = 5, 3, 0.9
GENERATOR = torch.Generator().manual_seed(11)
DYNAMICS = torch.rand(STATES, ACTIONS, STATES, generator=GENERATOR, dtype=torch.float64)
DYNAMICS = DYNAMICS / DYNAMICS.sum(-1, keepdim=True)
REWARDS = torch.rand(STATES, ACTIONS, generator=GENERATOR, dtype=torch.float64)
POLICY = torch.randn(STATES, ACTIONS, generator=GENERATOR, dtype=torch.float64).softmax(-1)
IDENTITY = torch.eye(STATES, dtype=torch.float64)


def of_policy(values: torch.Tensor, gamma: float = GAMMA) -> torch.Tensor:
    """Return the Bellman operator of the policy, applied to these values."""
    return (POLICY * (REWARDS + gamma * DYNAMICS @ values)).sum(-1)


def optimal(values: torch.Tensor, gamma: float = GAMMA) -> torch.Tensor:
    """Return the Bellman optimality operator, applied to these values."""
    return (REWARDS + gamma * DYNAMICS @ values).max(-1).values


def solved(survival: float = GAMMA) -> torch.Tensor:
    """Return the policy's values, computed by solving the linear equations."""
    transitions = torch.einsum("sa,sat->st", POLICY, DYNAMICS)
    values: torch.Tensor = torch.linalg.solve(IDENTITY - survival * transitions, (POLICY * REWARDS).sum(-1))
    return values


def limit(operator: Callable[[torch.Tensor], torch.Tensor], start: float = 0.0) -> torch.Tensor:
    values = torch.full((STATES,), start, dtype=torch.float64)
    for _ in range(300):
        values = operator(values)
    return values


@pytest.mark.parametrize("operator", [of_policy, optimal])
def test_the_bellman_operators_contract_by_gamma_and_not_without_a_discount(
    operator: Callable[..., torch.Tensor],
) -> None:
    for _ in range(50):
        first, second = torch.randn(2, STATES, generator=GENERATOR, dtype=torch.float64)
        apart = (first - second).abs().max()
        assert (operator(first) - operator(second)).abs().max() <= GAMMA * apart + 1e-12
    shifted = first + 1
    assert (operator(first, 1.0) - operator(shifted, 1.0)).abs().max() == pytest.approx(1)
    torch.testing.assert_close(limit(operator, start=50.0), limit(operator))
    assert limit(operator).abs().max() <= REWARDS.max() / (1 - GAMMA)


def test_the_two_equations_take_the_mean_and_the_maximum_outside_the_mean_over_next_states() -> None:
    torch.testing.assert_close(limit(of_policy), solved())
    best = limit(optimal)
    assert (best > solved()).all()

    def maximum_inside(values: torch.Tensor) -> torch.Tensor:
        """Choose the action after the next state is known."""
        return (DYNAMICS * (REWARDS[..., None] + GAMMA * values)).max(1).values.sum(-1)

    assert (limit(maximum_inside) - best).abs().max() > 0.1


def test_a_discount_is_a_world_that_ends_after_each_step_with_one_minus_gamma() -> None:
    """The world that may end has one more state, in which the reward is always 0."""

    def undiscounted(ends_before_the_reward: bool) -> torch.Tensor:
        transitions = GAMMA * torch.einsum("sa,sat->st", POLICY, DYNAMICS)
        earned = (POLICY * REWARDS).sum(-1) * (GAMMA if ends_before_the_reward else 1.0)
        values: torch.Tensor = torch.linalg.solve(IDENTITY - transitions, earned)
        return values

    torch.testing.assert_close(undiscounted(ends_before_the_reward=False), limit(of_policy))
    torch.testing.assert_close(undiscounted(ends_before_the_reward=True), GAMMA * limit(of_policy))


def learned_by_td(rate: Callable[[int], float], visited: int = STATES) -> torch.Tensor:
    """Return V after TD(0) on random transitions of the policy; states from `visited` on are never updated."""
    rng = random.Random(5)
    values, counts = [0.0] * STATES, [0] * STATES
    policy, dynamics, rewards = POLICY.tolist(), DYNAMICS.tolist(), REWARDS.tolist()
    for _ in range(30_000):
        state = rng.randrange(visited)
        action = rng.choices(range(ACTIONS), policy[state])[0]
        following = rng.choices(range(STATES), dynamics[state][action])[0]
        counts[state] += 1
        target = rewards[state][action] + GAMMA * values[following]
        values[state] += rate(counts[state]) * (target - values[state])
    return torch.tensor(values, dtype=torch.float64)


def test_tabular_td_converges_if_the_steps_shrink_and_every_state_is_visited() -> None:
    def off(values: torch.Tensor) -> float:
        return float((values - solved()).abs().max())

    decreasing = off(learned_by_td(lambda visits: visits**-0.7))
    assert decreasing < 0.1
    assert off(learned_by_td(lambda visits: 0.9)) > 2 * decreasing
    assert off(learned_by_td(lambda visits: visits**-0.7, visited=STATES - 1)) > 1


def test_an_excess_that_every_backup_adds_grows_to_one_over_one_minus_gamma() -> None:
    excess = 0.3
    torch.testing.assert_close(limit(lambda values: optimal(values) + excess), limit(optimal) + excess / (1 - GAMMA))
    once = optimal(limit(optimal)) + excess
    torch.testing.assert_close(once, limit(optimal) + excess)


# An episodic task: the last state is terminal, and it can be reached from the others.
ENDS = STATES - 1
POTENTIAL = torch.tensor([0.4, -3.0, 4.0, 1.0, 0.0], dtype=torch.float64)


def q_values(bonus: torch.Tensor, gamma: float = GAMMA) -> torch.Tensor:
    """Return Q* of the episodic task with a bonus[s, s'] added to each reward."""
    expected = torch.einsum("sat,st->sa", DYNAMICS, bonus)
    values = torch.zeros(STATES, dtype=torch.float64)
    for _ in range(200):
        table = REWARDS + expected + gamma * DYNAMICS @ values
        values = table.max(-1).values
        values[ENDS] = 0
    return table[:ENDS]


def shaping(potential: torch.Tensor, gamma: float = GAMMA) -> torch.Tensor:
    return gamma * potential[None, :] - potential[:, None]


def test_shaping_with_the_tasks_discount_and_no_potential_at_the_end_keeps_the_optimal_policy() -> None:
    plain, shaped = q_values(torch.zeros(STATES, STATES, dtype=torch.float64)), q_values(shaping(POTENTIAL))
    torch.testing.assert_close(shaped, plain - POTENTIAL[:ENDS, None])
    assert (shaped.argmax(-1) == plain.argmax(-1)).all()

    at_the_end = POTENTIAL.clone()
    at_the_end[ENDS] = 6
    others = [
        shaping(POTENTIAL, gamma=1.0),
        shaping(at_the_end),
        POTENTIAL.expand(STATES, STATES),  # a bonus that depends on the next state
    ]
    for bonus in others:
        assert not torch.allclose(q_values(bonus), plain - POTENTIAL[:ENDS, None], atol=0.05)
    assert any((q_values(bonus).argmax(-1) != plain.argmax(-1)).any() for bonus in others)


def test_with_the_optimal_values_as_the_potential_the_best_step_costs_nothing_and_any_other_one_does() -> None:
    plain = q_values(torch.zeros(STATES, STATES, dtype=torch.float64))
    best = torch.cat([plain.max(-1).values, torch.zeros(1, dtype=torch.float64)])
    at_once = (REWARDS + torch.einsum("sat,st->sa", DYNAMICS, shaping(best)))[:ENDS]

    torch.testing.assert_close(at_once.max(-1).values, torch.zeros(ENDS, dtype=torch.float64))
    assert (at_once <= 1e-9).all()
    assert (at_once.topk(2, -1).values[:, 1] < -1e-3).all()


def soft_policy(scale: float, alpha: float) -> torch.Tensor:
    """Return the policy that maximizes scaled rewards plus alpha times the entropy at every step."""
    values = torch.zeros(STATES, dtype=torch.float64)
    for _ in range(200):
        table = scale * REWARDS + GAMMA * DYNAMICS @ values
        values = alpha * (table / alpha).logsumexp(-1)
    return (table / alpha).softmax(-1)


def soft_return(policy: torch.Tensor, alpha: float) -> torch.Tensor:
    """Return the discounted rewards plus alpha times the entropies, from each state."""
    entropy = -(policy * policy.clamp(min=1e-300).log()).sum(-1)
    transitions = torch.einsum("sa,sat->st", policy, DYNAMICS)
    values: torch.Tensor = torch.linalg.solve(
        IDENTITY - GAMMA * transitions, (policy * REWARDS).sum(-1) + alpha * entropy
    )
    return values


def test_the_soft_policy_maximizes_return_plus_alpha_times_entropy_and_the_greedy_one_does_not() -> None:
    best = soft_return(soft_policy(1.0, 0.2), 0.2)
    greedy = torch.nn.functional.one_hot((REWARDS + GAMMA * DYNAMICS @ limit(optimal)).argmax(-1), ACTIONS).double()
    hard_values = ((REWARDS + GAMMA * DYNAMICS @ limit(optimal)) / 0.2).softmax(-1)
    for other in (greedy, hard_values, soft_policy(1.0, 0.4), POLICY):
        assert (soft_return(other, 0.2) < best - 1e-6).all()
    assert (soft_return(greedy, 0.0) >= soft_return(soft_policy(1.0, 0.2), 0.0) - 1e-9).all()


def test_scaling_the_reward_is_dividing_alpha_by_the_factor() -> None:
    torch.testing.assert_close(soft_policy(3.0, 0.2), soft_policy(1.0, 0.2 / 3))
    assert not torch.allclose(soft_policy(3.0, 0.2), soft_policy(1.0, 0.2), atol=1e-2)
    assert not torch.allclose(soft_policy(3.0, 0.2), soft_policy(1.0, 0.2 * 3), atol=1e-2)


@pytest.mark.parametrize("excess", [-0.4, 0.4])
def test_alpha_grows_where_the_entropy_is_below_its_target(excess: float) -> None:
    log_alpha = torch.tensor(-1.0, dtype=torch.float64, requires_grad=True)
    logprobs = POLICY[0].log()
    entropy = -float((POLICY[0] * logprobs).sum())
    loss = -(POLICY[0] * log_alpha.exp() * (logprobs + entropy - excess)).sum()
    (slope,) = torch.autograd.grad(loss, log_alpha)

    # If the entropy is below its target (a negative excess), a gradient descent step raises alpha.
    assert (float(slope) < 0) == (excess < 0)


def test_an_error_that_all_actions_share_changes_no_choice_and_another_one_does() -> None:
    values = limit(optimal)
    table = REWARDS + GAMMA * DYNAMICS @ values
    shared = REWARDS + GAMMA * DYNAMICS @ (values + 7)
    torch.testing.assert_close(shared, table + GAMMA * 7)
    assert (shared.argmax(-1) == table.argmax(-1)).all()
    of_one_action = torch.tensor([7.0, 0.0, 0.0], dtype=torch.float64)
    assert ((table + of_one_action).argmax(-1) != table.argmax(-1)).any()


@pytest.mark.parametrize("period", [1, 10, 100])
def test_a_target_network_delays_the_excess_of_a_maximum_and_does_not_remove_it(period: int) -> None:
    """All rewards are 0; the maximum of two actions with noise of -1 or +1 is 0.5 too high on average."""
    online = lagged = 0.0
    history = []
    for step in range(10_000):
        if step % period == 0:
            lagged = online
        online += 0.5 * (GAMMA * (lagged + 0.5) - online)
        history.append(online)
    assert online == pytest.approx(GAMMA * 0.5 / (1 - GAMMA), rel=1e-3)
    assert period == 1 or history[period] < history[-1] / 2


@pytest.mark.parametrize("rows", [1000, 100_000])
def test_more_rows_do_not_correct_the_value_of_an_action_that_they_never_take(rows: int) -> None:
    """One state and rewards of 0: the true values are 0, and the first guess for the absent action is 10."""
    table = {"taken": 0.0, "absent": 10.0}
    for _ in range(rows):
        table["taken"] += 0.1 * (GAMMA * max(table.values()) - table["taken"])
    assert table["absent"] == 10
    assert table["taken"] == pytest.approx(GAMMA * 10)


def test_a_gradient_through_the_target_converges_to_wrong_values_where_the_next_state_is_random() -> None:
    """A state leads to one of two others with equal chances; these end with rewards of 1 and 0."""

    def learned(*, is_target_detached: bool) -> list[float]:
        values = torch.zeros(3, dtype=torch.float64, requires_grad=True)
        for _ in range(5000):
            follows = values[1:].detach() if is_target_detached else values[1:]
            loss = ((follows - values[0]) ** 2).sum() + (1 - values[1]) ** 2 + values[2] ** 2
            (slope,) = torch.autograd.grad(loss, values)
            values = (values - 0.05 * slope).detach().requires_grad_()
        return values.tolist()

    assert learned(is_target_detached=True) == pytest.approx([0.5, 1, 0])
    assert learned(is_target_detached=False) == pytest.approx([0.5, 0.75, 0.25])


@pytest.mark.parametrize("gamma", [0.8, 0.9, 0.95])
def test_with_shared_weights_and_one_replayed_transition_the_weight_grows(gamma: float) -> None:
    """The state's value is w and the next one's 2w; the reward is 0, so the right weight is 0."""

    def updates(*, is_target_detached: bool) -> list[float]:
        weight = torch.ones((), dtype=torch.float64)
        seen = []
        for _ in range(200):
            at = weight.clone().requires_grad_()
            follows = 2 * (weight if is_target_detached else at)
            (slope,) = torch.autograd.grad((gamma * follows - at) ** 2 / 2, at)
            weight = weight - 0.1 * slope
            seen.append(float(weight))
        return seen

    assert updates(is_target_detached=True)[0] == pytest.approx(1 + 0.1 * (2 * gamma - 1))
    assert updates(is_target_detached=True)[-1] > 100
    assert updates(is_target_detached=False)[-1] < 1
