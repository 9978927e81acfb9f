"""Which option of a check holds, at all numbers that the check can draw."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
import torch

from interviewer.bank.arithmetic import evaluate
from tests.bank.test_numbers import questions

pytestmark = pytest.mark.content


def drawn(name: str, place: int) -> Iterator[tuple[dict[str, float], float]]:
    """Yield the numbers that a check can draw, and the number that it expects for them."""
    check = questions()[name].checks[place - 1]
    for values in product(*(given.values for given in check.given)):
        numbers = dict(zip((given.name for given in check.given), values, strict=True))
        yield numbers, evaluate(check.number, numbers)


def test_the_empty_patch_earns_more_than_a_real_attempt() -> None:
    for numbers, expected in drawn("a_reward_you_built", 1):
        passes, fails = numbers["p"] / 100, numbers["q"] / 100
        assert expected == pytest.approx(1 * passes + 0.2 * (1 - passes - fails))
        assert expected < 0.2


def test_the_type_with_more_minutes_today_earns_fewer_until_the_user_leaves() -> None:
    for numbers, expected in drawn("rl_in_a_recommender", 1):
        by_day = [
            sum(minutes * stays**day for day in range(2000))
            for minutes, stays in ((numbers["x"], 0.5), (numbers["y"], 0.9))
        ]
        assert by_day[1] == pytest.approx(expected)
        assert by_day[0] < by_day[1]
        assert numbers["x"] > numbers["y"]


def test_the_sum_of_two_conflicting_gradients_makes_one_task_worse() -> None:
    for numbers, expected in drawn("multi_task_and_meta_rl", 2):
        weights = torch.zeros(2, dtype=torch.float64, requires_grad=True)
        returns = (
            (weights * torch.tensor([numbers["k"], 0.0])).sum(),
            (weights * torch.tensor([-1.0, 1.0])).sum(),
        )
        (step,) = torch.autograd.grad(returns[0] + returns[1], weights, retain_graph=True)
        of_b = float(torch.autograd.grad(returns[1], weights)[0] @ step)
        assert of_b == pytest.approx(expected)
        assert of_b < 0


def test_compared_with_the_discounted_return_the_network_overestimates() -> None:
    for numbers, expected in drawn("overestimation_and_double_dqn", 4):
        steps = int(numbers["n"])
        discounted, plain = sum(0.9**step for step in range(steps)), steps
        assert 12 - discounted == pytest.approx(expected)
        assert discounted < 12 < plain


def test_a_reward_of_zero_points_to_no_other_action_and_a_label_does() -> None:
    for numbers, _ in drawn("rl_versus_other_learning", 1):
        logits = torch.zeros(int(numbers["k"]), dtype=torch.float64, requires_grad=True)
        logprobs = logits.log_softmax(0)
        (score,) = torch.autograd.grad(logprobs[0], logits, retain_graph=True)
        (label,) = torch.autograd.grad(logprobs[1], logits)
        assert (0.0 * score == 0).all()
        # With a baseline, the tried action falls, and all others rise alike.
        after = (0.0 - 0.5) * score
        assert after[0] < 0
        torch.testing.assert_close(after[1:], after[1].expand(len(after) - 1))
        assert label.argmax() == 1
        assert (label[2:] < 0).all()
