"""Shaping with a potential equals initializing Q with it, and preserves the policies' order only with the discount."""

from __future__ import annotations

import random

import pytest

pytestmark = pytest.mark.content

STATES, ACTIONS, GAMMA, RATE = 4, 2, 0.9, 0.3
POTENTIAL = [0.4, -1.0, 2.0, 0.7]


def learned(*, is_shaped: bool, start: list[float], with_discount: bool = True) -> list[list[float]]:
    """Return Q after the same random transitions, learned from shaped rewards or from the original ones."""
    rng = random.Random(8)
    values = [[start[state]] * ACTIONS for state in range(STATES)]
    for _ in range(400):
        state, action, following = rng.randrange(STATES), rng.randrange(ACTIONS), rng.randrange(STATES)
        reward = rng.random()
        if is_shaped:
            reward += (GAMMA if with_discount else 1.0) * POTENTIAL[following] - POTENTIAL[state]
        target = reward + GAMMA * max(values[following])
        values[state][action] += RATE * (target - values[state][action])
    return values


def shifted(values: list[list[float]]) -> list[float]:
    return [value + POTENTIAL[state] for state, row in enumerate(values) for value in row]


def test_shaped_from_zero_is_unshaped_from_the_potential() -> None:
    shaped = learned(is_shaped=True, start=[0.0] * STATES)
    initialized = learned(is_shaped=False, start=POTENTIAL)
    flat = [value for row in initialized for value in row]

    assert shifted(shaped) == pytest.approx(flat)
    assert shifted(learned(is_shaped=True, start=POTENTIAL)) != pytest.approx(flat)


def test_without_the_discount_it_is_not() -> None:
    undiscounted = learned(is_shaped=True, start=[0.0] * STATES, with_discount=False)
    initialized = learned(is_shaped=False, start=POTENTIAL)

    assert shifted(undiscounted) != pytest.approx([value for row in initialized for value in row], abs=0.05)
