"""Numbers in the answers on foundations that need more than one line of arithmetic are computed here."""

import math

import pytest
import torch

from tests.bank.test_numbers import questions

pytestmark = pytest.mark.content

RUNS = 5


def test_quantile_of_students_t() -> None:
    answer = questions()["evaluating_agents"].rungs[1].answer
    freedom = RUNS - 1
    scale = math.gamma((freedom + 1) / 2) / (math.sqrt(freedom * math.pi) * math.gamma(freedom / 2))
    places = torch.linspace(0, 4, 400_001, dtype=torch.float64)

    below = 0.5 + torch.cumulative_trapezoid(scale * (1 + places**2 / freedom) ** (-(freedom + 1) / 2), places)
    quantile = places[int((below < 0.975).sum()) + 1].item()

    assert f"With {freedom} degrees of freedom, t = {quantile:.3f}" in answer


def test_lambda_return_by_its_recursion() -> None:
    answer = questions()["bias_and_variance_of_returns"].rungs[2].answer
    discount, trace = 0.9, 0.8

    target = 0.2
    for reward, next_value in [(2, 0.2), (0, 0.3), (1, 0.4)]:
        target = reward + discount * ((1 - trace) * next_value + trace * target)

    assert f"= {target:.6f}, about {target:.3f}" in answer


def test_values_and_sweeps_of_the_two_states() -> None:
    rungs = questions()["mdp_and_bellman"].rungs

    values = [(0.0, 0.0)]
    while len(values) < 1000:
        value_a, value_b = values[-1]
        values.append((max(0.9 * value_a, 0.9 * value_b), 2 + 0.9 * value_b))
    best_a, best_b = values[-1]
    errors = [max(abs(one_a - best_a), abs(one_b - best_b)) for one_a, one_b in values]
    sweeps = next(place for place, error in enumerate(errors) if error <= 0.01 * errors[0])

    assert f"= {best_b:.0f}. V(A)" in rungs[2].answer
    assert f"= {best_a:.0f}." in rungs[2].answer
    assert f"so {sweeps} sweeps" in rungs[3].answer


def test_wrong_steps_of_a_clone_summed_step_by_step() -> None:
    answer = questions()["rl_versus_other_learning"].rungs[2].answer

    wrong = sum(1 - 0.99**step for step in range(1, 101))

    assert f"that is {wrong:.1f} wrong steps" in answer


def test_derivative_through_the_inner_step() -> None:
    answer = questions()["multi_task_and_meta_rl"].rungs[2].answer
    distance = torch.tensor(1.0, requires_grad=True)

    (inner,) = torch.autograd.grad(distance**2 / 2, distance, create_graph=True)
    after = distance - 0.5 * inner
    (through,) = torch.autograd.grad(after**2 / 2, distance)

    assert f"so its derivative is (1 − α)²(θ − c) = {through.item():.2f}" in answer
    assert f"the gradient at θ', {after.item():.1f}" in answer
