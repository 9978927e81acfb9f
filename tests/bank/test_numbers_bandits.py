"""Numbers in the bandit answers that need more than one line of arithmetic are computed here."""

import math
from statistics import NormalDist

import pytest
import torch

from tests.bank.test_numbers import questions

pytestmark = pytest.mark.content

LOOKS, LEVEL, TESTS = 30, 0.05, 20_000


def test_quantiles_of_the_sample_size_rule() -> None:
    answer = questions()["regret_and_ab_testing"].rungs[1].answer

    two_sided, power = NormalDist().inv_cdf(1 - LEVEL / 2), NormalDist().inv_cdf(0.80)

    assert f"({two_sided:.2f} + {power:.2f})²" in answer


def test_half_the_difference_takes_four_times_the_sample() -> None:
    answer = questions()["regret_and_ab_testing"].rungs[0].answer

    def sample_size(gap: float) -> float:
        return 16 * 0.0525 * (1 - 0.0525) / gap**2

    times = {4: "four", 2: "two"}[round(sample_size(0.0025) / sample_size(0.005))]
    assert f"half the difference means {times} times the sample" in answer


def test_daily_looks_at_a_null_difference_cross_the_line_far_too_often() -> None:
    answer = questions()["regret_and_ab_testing"].rungs[2].answer
    steps = torch.randn(TESTS, LOOKS, generator=torch.Generator().manual_seed(1))

    scores = steps.cumsum(1) / torch.arange(1, LOOKS + 1).sqrt()
    beyond = scores.abs() > NormalDist().inv_cdf(1 - LEVEL / 2)

    assert abs(beyond[:, -1].double().mean().item() - LEVEL) < 0.01
    assert beyond.any(1).double().mean().item() > 4 * LEVEL
    assert "in far more than 5% of the tests" in answer


def test_linear_index_from_the_matrix() -> None:
    answer = questions()["contextual_bandits_for_ranking"].rungs[2].answer
    matrix, seen, visitor = torch.diag(torch.tensor([2.0, 1.0])), torch.tensor([1.0, 0.0]), torch.tensor([1.0, 1.0])

    theta = torch.linalg.solve(matrix, seen)
    width = (visitor @ torch.linalg.solve(matrix, visitor)).sqrt().item()

    assert f"({theta[0]:.1f}, {theta[1]:.0f})" in answer
    assert f"= {width:.3f}" in answer
    assert f"The score is {(theta @ visitor).item() + width:.3f}" in answer


def test_orders_of_ten_in_a_hundred() -> None:
    answer = questions()["contextual_bandits_for_ranking"].rungs[4].answer

    assert f"{math.perm(100, 10):.1e}".replace("e+", "e") in answer
