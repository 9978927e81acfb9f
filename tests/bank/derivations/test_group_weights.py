"""What dividing by the group's deviation does to prompts: the factor on grad p and the group's total are different."""

from __future__ import annotations

import math
from statistics import pstdev, stdev

import pytest

pytestmark = pytest.mark.content

GROUP = 8
TOLERANCE = 1e-12


def advantages(right: int, group: int, divide: bool = True, sample: bool = True) -> list[float]:
    """Return reward minus mean for `right` ones and `group - right` zeros, over the deviation if asked."""
    rewards = [1.0] * right + [0.0] * (group - right)
    mean = right / group
    scale = (stdev if sample else pstdev)(rewards) if divide else 1.0
    return [(reward - mean) / scale for reward in rewards]


def total(values: list[float]) -> float:
    return math.fsum(abs(value) for value in values)


def test_the_factor_on_grad_p_is_largest_for_easy_and_hard_prompts() -> None:
    factors = {p: 1 / math.sqrt(p * (1 - p)) for p in (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98)}

    assert min(factors, key=factors.__getitem__) == 0.5
    assert factors[0.02] == pytest.approx(factors[0.98])
    assert factors[0.02] > 3.5 * factors[0.5]


def test_in_a_small_group_the_factor_differs_less_between_prompts() -> None:
    """The expected factor is E[deviation] / (p(1-p)); 1/sqrt(p(1-p)) is its limit for large groups."""

    def factor(p: float, group: int) -> float:
        chances = (math.comb(group, right) * p**right * (1 - p) ** (group - right) for right in range(group + 1))
        shares = (right / group for right in range(group + 1))
        deviation = math.fsum(chance * math.sqrt(q * (1 - q)) for chance, q in zip(chances, shares, strict=True))
        return deviation / (p * (1 - p))

    assert round(factor(0.5, GROUP), 2) == 1.86
    assert round(factor(0.95, GROUP), 2) == 2.47
    assert factor(0.5, 1000) == pytest.approx(2, rel=1e-2)
    assert factor(0.95, 1000) == pytest.approx(1 / math.sqrt(0.95 * 0.05), rel=1e-2)


def test_the_total_of_a_group_peaks_at_one_half() -> None:
    totals = [total(advantages(right, GROUP)) for right in range(1, GROUP)]

    assert max(range(1, GROUP), key=lambda right: totals[right - 1]) == GROUP // 2
    assert round(totals[0], 2) == 4.95
    assert round(totals[3], 2) == 7.48
    for right in range(1, GROUP):
        p = right / GROUP
        by_hand = 2 * GROUP * math.sqrt(p * (1 - p))
        assert total(advantages(right, GROUP, sample=False)) == pytest.approx(by_hand, rel=TOLERANCE)
        assert totals[right - 1] == pytest.approx(by_hand * math.sqrt(1 - 1 / GROUP), rel=TOLERANCE)


def test_compared_with_no_division_the_extremes_gain() -> None:
    """The total shrinks toward the ends in both cases, but more slowly with the division."""
    with_division = total(advantages(1, GROUP)) / total(advantages(4, GROUP))
    without = total(advantages(1, GROUP, divide=False)) / total(advantages(4, GROUP, divide=False))

    assert without == pytest.approx(7 / 16)
    assert with_division == pytest.approx(math.sqrt(7) / 4)
    assert without < with_division < 1
