"""How weighting, accepting and filtering samples changes expectations, by enumerating every sample."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import product

import pytest
import torch

pytestmark = pytest.mark.content

SAMPLED = [0.5, 0.3, 0.2]
TARGET = [0.2, 0.2, 0.6]
VALUES = [1.0, -0.5, 2.0]
WEIGHTS = [target / sampled for target, sampled in zip(TARGET, SAMPLED, strict=True)]
TRUTH = sum(target * value for target, value in zip(TARGET, VALUES, strict=True))

Estimate = Callable[[tuple[int, int, int]], float]
"""Maps how often each of the three outcomes was drawn to an estimate."""


def draws(size: int) -> Iterator[tuple[float, tuple[int, int, int]]]:
    """Yield the probability of each way to draw `size` samples, and the number of times each outcome was drawn."""
    for first in range(size + 1):
        for second in range(size + 1 - first):
            counts = (first, second, size - first - second)
            ways = math.comb(size, first) * math.comb(size - first, second)
            yield ways * math.prod(chance**count for chance, count in zip(SAMPLED, counts, strict=True)), counts


def bias_and_variance(estimate: Estimate, size: int, truth: float = TRUTH) -> tuple[float, float]:
    mean = math.fsum(chance * estimate(counts) for chance, counts in draws(size))
    return mean - truth, math.fsum(chance * (estimate(counts) - mean) ** 2 for chance, counts in draws(size))


def weighted(weights: list[float], values: list[float] = VALUES, *, is_normalized: bool = False) -> Estimate:
    def estimate(counts: tuple[int, int, int]) -> float:
        total = sum(count * weight * value for count, weight, value in zip(counts, weights, values, strict=True))
        by = sum(count * weight for count, weight in zip(counts, weights, strict=True))
        return total / (by if is_normalized else sum(counts))

    return estimate


def test_self_normalized_weights_have_a_bias_of_one_over_n_and_truncated_ones_a_bias_that_stays() -> None:
    plain, normalized = weighted(WEIGHTS), weighted(WEIGHTS, is_normalized=True)
    truncated, masked = (
        weighted([min(weight, 1.5) for weight in WEIGHTS]),
        weighted([weight * (weight < 1.5) for weight in WEIGHTS]),
    )
    small, large = (bias_and_variance(normalized, size)[0] for size in (20, 40))

    assert bias_and_variance(plain, 20)[0] == pytest.approx(0)
    assert abs(small) > 1e-3
    assert small / large == pytest.approx(2, rel=0.1)
    for fixed in (truncated, masked):
        assert bias_and_variance(fixed, 20)[0] == pytest.approx(bias_and_variance(fixed, 40)[0])
        assert abs(bias_and_variance(fixed, 40)[0]) > 0.1
    # For a constant, the normalized estimate has no error, and the plain one has noise.
    ones = [1.0] * 3
    assert bias_and_variance(weighted(WEIGHTS, ones, is_normalized=True), 20, 1.0) == pytest.approx((0, 0))
    assert bias_and_variance(weighted(WEIGHTS, ones), 20, 1.0)[1] > 0.01


def test_each_of_the_three_lowers_the_variance_here() -> None:
    plain = bias_and_variance(weighted(WEIGHTS), 20)[1]
    truncated = bias_and_variance(weighted([min(weight, 1.5) for weight in WEIGHTS]), 20)[1]
    masked = bias_and_variance(weighted([weight * (weight < 1.5) for weight in WEIGHTS]), 20)[1]
    normalized = bias_and_variance(weighted(WEIGHTS, is_normalized=True), 20)[1]

    assert max(truncated, masked, normalized) < plain


def test_the_second_moment_of_the_weights_is_the_variance_of_their_mean_and_grows_with_length() -> None:
    second = sum(chance * weight**2 for chance, weight in zip(SAMPLED, WEIGHTS, strict=True))
    assert bias_and_variance(weighted(WEIGHTS, [1.0] * 3), 1, 1.0)[1] == pytest.approx(second - 1)
    for length in (1, 2, 4):
        products = [
            (math.prod(SAMPLED[token] for token in tokens), math.prod(WEIGHTS[token] for token in tokens))
            for tokens in product(range(3), repeat=length)
        ]
        assert sum(chance * weight for chance, weight in products) == pytest.approx(1)
        assert sum(chance * weight**2 for chance, weight in products) == pytest.approx(second**length)


def accepted(bound: float) -> tuple[list[float], float]:
    """Return the distribution of the accepted samples, and the mean number of proposals per accepted sample."""
    kept = [chance * min(1.0, weight / bound) for chance, weight in zip(SAMPLED, WEIGHTS, strict=True)]
    return [each / sum(kept) for each in kept], 1 / sum(kept)


def test_accepting_with_p_over_m_q_gives_p_and_takes_m_proposals_only_if_m_is_large_enough() -> None:
    for bound in (max(WEIGHTS), 2 * max(WEIGHTS)):
        distribution, proposals = accepted(bound)
        assert distribution == pytest.approx(TARGET)
        assert proposals == pytest.approx(bound)
    distribution, proposals = accepted(0.5 * max(WEIGHTS))
    assert distribution != pytest.approx(TARGET, abs=0.05)
    assert proposals != pytest.approx(0.5 * max(WEIGHTS), abs=0.05)


LOGITS = torch.tensor([0.4, -0.3, 1.0, 0.1], dtype=torch.float64)
STALE = torch.tensor([-0.6, 0.9, 0.2, 0.3], dtype=torch.float64)
RIGHT = torch.tensor([1.0, 0.0, 1.0, 0.0], dtype=torch.float64)


def gradient(function: Callable[[torch.Tensor], torch.Tensor]) -> torch.Tensor:
    at = LOGITS.clone().requires_grad_()
    return torch.autograd.grad(function(at.log_softmax(0)), at)[0]


def test_accepted_answers_follow_the_policy_given_acceptance_and_take_one_over_p_samples() -> None:
    probs = LOGITS.softmax(0)
    rate = float(probs @ RIGHT)
    # The first accepted sample after any number of rejected ones, until the remaining probability is negligible.
    kept, tries = torch.zeros(4, dtype=torch.float64), 0.0
    for place in range(1, 400):
        kept += (1 - rate) ** (place - 1) * probs * RIGHT
        tries += place * (1 - rate) ** (place - 1) * rate

    torch.testing.assert_close(kept, probs * RIGHT / rate)
    assert tries == pytest.approx(1 / rate)


def test_fine_tuning_on_fresh_accepted_samples_is_the_policy_gradient_up_to_a_factor_and_on_stale_ones_is_not() -> None:
    probs = LOGITS.softmax(0)
    rate = probs @ RIGHT
    policy_gradient = gradient(lambda logprobs: logprobs.exp() @ RIGHT)
    per_sample = gradient(lambda logprobs: (probs * RIGHT) @ logprobs)
    per_accepted = gradient(lambda logprobs: (probs * RIGHT / rate) @ logprobs)
    stale = gradient(lambda logprobs: (STALE.softmax(0) * RIGHT) @ logprobs)
    all_answers = gradient(lambda logprobs: probs @ logprobs)

    torch.testing.assert_close(per_sample, policy_gradient)
    torch.testing.assert_close(per_accepted, policy_gradient / rate)
    assert torch.nn.functional.cosine_similarity(stale, policy_gradient, dim=0) < 0.99
    assert all_answers.abs().max() < 1e-12


def test_k3_is_never_negative_and_less_noisy_than_the_log_ratio_only_near_the_reference() -> None:
    def variances(policy: torch.Tensor, reference: torch.Tensor) -> tuple[float, float]:
        probs, log_ratio = policy.softmax(0), reference.log_softmax(0) - policy.log_softmax(0)
        k1, k3 = -log_ratio, log_ratio.exp() - log_ratio - 1
        assert (k3 >= 0).all()
        assert float(probs @ k1) == pytest.approx(float(probs @ k3))
        assert (k1 < 0).any()
        return tuple(float(probs @ (each - probs @ each) ** 2) for each in (k1, k3))  # type: ignore[return-value]

    near = variances(LOGITS, LOGITS + 0.2 * STALE)
    assert near[1] < 0.2 * near[0]
    # Here, the policy gives one outcome far less probability than the reference does, so k3 has a heavy tail.
    far = variances(LOGITS - torch.tensor([0.0, 6.0, 0.0, 0.0], dtype=torch.float64), LOGITS)
    assert far[1] > far[0]


@pytest.mark.parametrize("floor", [0.0, 0.2])
def test_the_mean_of_an_arm_that_is_dropped_after_bad_luck_is_biased_with_a_floor_as_well(floor: float) -> None:
    """Two tries: after a success, the second one is certain; after a failure, its probability is the floor."""
    rate, mean = 0.5, 0.0
    for first, second in product((0, 1), repeat=2):
        goes_on = 1.0 if first else floor
        mean += 0.25 * (goes_on * (first + second) / 2 + (1 - goes_on) * first)
    assert mean < rate - 0.05
    fixed = sum(0.25 * (first + second) / 2 for first, second in product((0, 1), repeat=2))
    assert fixed == rate


def test_with_infinite_variance_a_hundred_times_the_samples_help_far_less_than_tenfold() -> None:
    """The target is exponential with rate 1; the weights' variance is finite if the samples' rate is below 2."""

    def typical_error(rate: float, size: int) -> float:
        generator = torch.Generator().manual_seed(size)
        drawn = torch.empty(400, size, dtype=torch.float64).exponential_(rate, generator=generator)
        weights = (-drawn).exp() / (rate * (-rate * drawn).exp())
        return float((weights.mean(1) - 1).abs().median())

    assert typical_error(1.5, 100) / typical_error(1.5, 10_000) > 7
    assert typical_error(4.0, 100) / typical_error(4.0, 10_000) < 5


def test_the_mean_over_matching_rows_is_right_only_if_the_log_is_uniform() -> None:
    """Two kinds of visitors, equally often; the new policy shows action 0 to one kind and action 1 to the other."""
    clicks, new = [[0.8, 0.1], [0.3, 0.2]], [0, 1]
    truth = (0.8 + 0.2) / 2

    def matching(logged: list[list[float]]) -> float:
        shares = [logged[kind][new[kind]] for kind in (0, 1)]
        return sum(share * clicks[kind][new[kind]] for kind, share in enumerate(shares)) / sum(shares)

    def weighted_by_propensity(logged: list[list[float]]) -> float:
        rows = [logged[kind][new[kind]] * clicks[kind][new[kind]] / logged[kind][new[kind]] for kind in (0, 1)]
        return sum(rows) / 2

    uniform, skewed = [[0.5, 0.5], [0.5, 0.5]], [[0.9, 0.1], [0.9, 0.1]]
    assert matching(uniform) == pytest.approx(truth)
    assert abs(matching(skewed) - truth) > 0.1
    assert weighted_by_propensity(skewed) == pytest.approx(truth)


def test_rows_of_one_action_give_the_same_estimate_whatever_the_other_action_is_worth() -> None:
    logged, new = [1.0, 0.0], [0.0, 1.0]
    for worth in (0.0, 0.9):
        values = [0.5, worth]
        weights = [new[action] / logged[action] if logged[action] else 0.0 for action in (0, 1)]
        assert weights == [0, 0]
        assert sum(logged[action] * weights[action] * values[action] for action in (0, 1)) == 0
