"""Numbers in the answers on practical experience that need more than one line of arithmetic are computed here."""

from math import comb
from statistics import NormalDist

import pytest

from tests.bank.test_numbers import questions

pytestmark = pytest.mark.content

CASES, EXPECTED, SEEN = 400, 0.80, 296


def test_chance_of_seventy_four_percent_or_less() -> None:
    answer = questions()["a_distribution_shift_met"].rungs[2].answer
    assert SEEN / CASES == 0.74

    tail = sum(comb(CASES, hits) * EXPECTED**hits * (1 - EXPECTED) ** (CASES - hits) for hits in range(SEEN + 1))
    by_normal = NormalDist().cdf(-3)

    assert f"once in {round(1 / tail, -1):.0f} samples" in answer
    assert f"once in {round(1 / by_normal, -1):.0f} by the normal approximation" in answer


def test_samples_that_show_a_rare_trick() -> None:
    answer = questions()["a_reward_that_was_gamed"].rungs[2].answer

    samples, missed = 0, 1.0
    while missed > 1 - 0.95:
        samples, missed = samples + 1, missed * (1 - 0.02)

    assert f"rounds up to {samples} samples" in answer


def test_example_of_the_gamed_reward_adds_up() -> None:
    rungs = questions()["a_reward_that_was_gamed"].rungs
    before, after, held_out = 0.55, 0.8, 0.41

    assert abs(after - before - 1 / 4) < 1e-9, "the trick pays on a quarter of the problems"
    assert f"went from {before} to {after}" in rungs[1].answer
    assert f"fell from {after - held_out:.2f} to {before - held_out:.2f}" in rungs[3].answer
