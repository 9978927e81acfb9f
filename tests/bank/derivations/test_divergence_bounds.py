"""Merging classes can only reduce a divergence, and the KL of best-of-n is at most log n - (n - 1) / n."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import pytest
import torch

pytestmark = pytest.mark.content

Divergence = Callable[[torch.Tensor, torch.Tensor], float]
GENERATOR = torch.Generator().manual_seed(7)


def total_variation(old: torch.Tensor, new: torch.Tensor) -> float:
    return float((old - new).abs().sum() / 2)


def kl(old: torch.Tensor, new: torch.Tensor) -> float:
    return float((old * (old / new).log()).sum())


def merged(probs: torch.Tensor, kept: list[int]) -> torch.Tensor:
    """Return the kept probabilities, with the rest merged into one class."""
    return torch.cat([probs[kept], (1 - probs[kept].sum())[None]])


@pytest.mark.parametrize("divergence", [total_variation, kl])
def test_binary_and_top_k_values_never_exceed_the_full_one(divergence: Divergence) -> None:
    exceeded = smaller = 0
    for _ in range(150):
        old, new = torch.randn(2, 8, generator=GENERATOR, dtype=torch.float64).softmax(-1)
        full = divergence(old, new)
        top = old.topk(3).indices.tolist()
        assert divergence(merged(old, [0]), merged(new, [0])) <= full + 1e-12
        assert (
            divergence(merged(old, [0]), merged(new, [0]))
            <= divergence(merged(old, [0, 1]), merged(new, [0, 1])) + 1e-12
        )
        assert divergence(merged(old, top), merged(new, top)) <= full + 1e-12
        smaller += divergence(merged(old, [0]), merged(new, [0])) < 0.9 * full
        exceeded += float((new[0] / old[0] - 1).abs()) / 2 > full
    # The distance of the sampled token's ratio from 1 is not such a bound.
    assert exceeded > 5
    # A bound from below is not an equality.
    assert smaller > 100


def best_of(n: int, probs: torch.Tensor, rewards: list[float]) -> torch.Tensor:
    """Return the distribution of the best of n samples; ties go to the earliest one."""
    result = torch.zeros_like(probs)
    for drawn in product(range(len(probs)), repeat=n):
        best = max(range(n), key=lambda place: (rewards[drawn[place]], -place))
        result[drawn[best]] += probs[list(drawn)].prod()
    return result


def test_best_of_n_stays_below_the_formula_and_ties_make_it_smaller() -> None:
    n = 3
    bound = math.log(n) - (n - 1) / n
    fine, coarse = (torch.full((size,), 1 / size, dtype=torch.float64) for size in (20, 4))

    distinct = kl(best_of(n, fine, list(range(20))), fine)
    few = kl(best_of(n, coarse, list(range(4))), coarse)
    ties = kl(best_of(n, coarse, [0, 0, 1, 1]), coarse)

    assert ties < few < distinct < bound
    assert distinct == pytest.approx(bound, rel=0.06)
    assert kl(best_of(n, coarse, [0, 0, 0, 0]), coarse) == pytest.approx(0)
