"""What the answers on offline RL and exploration compute in more than one line of arithmetic is correct as written."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
import torch

from tests.bank.test_numbers import questions

pytestmark = pytest.mark.content


def answer(name: str, rung: int) -> str:
    return questions()[name].rungs[rung - 1].answer


def binomial(hits: int, draws: int, rate: float) -> float:
    return math.comb(draws, hits) * rate**hits * (1 - rate) ** (draws - hits)


def chance_that_the_vote_is_right(samples: int, right: float, wrong: float) -> float:
    """Return the probability that right answers outnumber the most frequent wrong one, with the rest spread thinly."""
    return sum(
        binomial(of_both, samples, right + wrong) * binomial(hits, of_both, right / (right + wrong))
        for of_both in range(samples + 1)
        for hits in range(of_both // 2 + 1, of_both + 1)
    )


def test_vote_goes_to_nothing_while_coverage_goes_to_all() -> None:
    voted = [chance_that_the_vote_is_right(samples, 0.3, 0.45) for samples in (1, 30, 300)]
    covered = [1 - (1 - 0.3) ** samples for samples in (1, 30, 300)]

    assert voted == sorted(voted, reverse=True)
    assert round(voted[-1], 2) == 0
    assert covered == sorted(covered)
    assert round(covered[-1], 2) == 1
    assert "Voting goes to 0 there" in answer("exploration_training_and_test_time", 4)
    assert "pass@k still goes to 1" in answer("exploration_training_and_test_time", 4)


def test_gradient_of_the_conservative_term() -> None:
    values = torch.tensor([1.0, 2.0, 0.0], dtype=torch.float64, requires_grad=True)
    penalty = values.logsumexp(0) - values[1]
    (gradient,) = torch.autograd.grad(penalty, values)

    written = ", ".join(f"{entry:.3f}" for entry in gradient.tolist()).replace("-", "−")
    assert f"({written})" in answer("cql_and_bcq", 2)
    assert f"= {penalty:.4f}" in answer("offline_rl", 3)


def test_loop_pays_without_the_discount_and_not_with_it() -> None:
    potential, discount = (0.0, 1.0), 0.9
    path = [step % 2 for step in range(401)]
    plain = [potential[later] - potential[now] for now, later in pairwise(path)]
    shaped = [discount * potential[later] - potential[now] for now, later in pairwise(path)]

    def earned(rewards: list[float]) -> float:
        return sum(discount**step * reward for step, reward in enumerate(rewards))

    assert abs(earned(shaped[:2])) < 1e-12
    assert abs(earned(shaped)) < 1e-12
    assert f"= {earned(plain):.3f}" in answer("curiosity_and_shaping", 2)
