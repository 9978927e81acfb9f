"""What fraction of groups has equal rewards when the pass rate differs between prompts."""

from __future__ import annotations

import math
import random

import pytest

pytestmark = pytest.mark.content

GROUP = 8


def dead(rate: float) -> float:
    """Return the probability that all answers in a group get the same 0/1 reward."""
    return float(rate**GROUP + (1 - rate) ** GROUP)


def beta_dead(a: float, b: float) -> float:
    """Return the same probability, averaged over pass rates with a Beta(a, b) distribution."""

    def moment(first: float) -> float:
        return math.prod((first + i) / (a + b + i) for i in range(GROUP))

    return moment(a) + moment(b)


def test_every_prompt_at_the_average_is_the_fewest_dead_groups() -> None:
    assert round(dead(0.95), 3) == 0.663
    rng = random.Random(0)
    for _ in range(200):
        rates = [rng.random() for _ in range(6)]
        mean = sum(rates) / len(rates)
        assert sum(map(dead, rates)) / len(rates) >= dead(mean)


def test_a_spread_of_pass_rates_around_the_same_average_kills_more_groups() -> None:
    a, b = 1.9, 0.1
    assert a / (a + b) == pytest.approx(0.95)
    assert round(beta_dead(a, b), 2) == 0.83
    rng = random.Random(1)
    drawn = [rng.betavariate(a, b) for _ in range(50_000)]
    assert sum(map(dead, drawn)) / len(drawn) == pytest.approx(beta_dead(a, b), abs=0.005)
