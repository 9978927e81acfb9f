"""How dividing by the group's standard deviation, mean or length affects the weights of prompts and tokens.

The factor on grad p and the group's total of |A| are different things.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from statistics import pstdev, stdev

import pytest
import torch

pytestmark = pytest.mark.content

GROUP = 8
TOLERANCE = 1e-12

Advantages = Callable[[list[float]], list[float]]
"""Maps a group's rewards to its advantages; groups with equal rewards are never passed."""


def less_mean(rewards: list[float]) -> list[float]:
    mean = sum(rewards) / len(rewards)
    return [reward - mean for reward in rewards]


def leave_one_out(rewards: list[float]) -> list[float]:
    return [reward - (sum(rewards) - reward) / (len(rewards) - 1) for reward in rewards]


def over_deviation(rewards: list[float], *, sample: bool = True) -> list[float]:
    scale = (stdev if sample else pstdev)(rewards)
    return [each / scale for each in less_mean(rewards)]


def over_population_deviation(rewards: list[float]) -> list[float]:
    return over_deviation(rewards, sample=False)


def over_mean(rewards: list[float]) -> list[float]:
    return [each * len(rewards) / sum(rewards) for each in less_mean(rewards)]


def binary(right: int, group: int = GROUP) -> list[float]:
    return [1.0] * right + [0.0] * (group - right)


def total(values: list[float]) -> float:
    return math.fsum(abs(value) for value in values)


def factor(advantages: Advantages, p: float, group: int = GROUP) -> float:
    """Return the ratio of the expected gradient (of A log pi, averaged over a group) to grad p.

    The derivative of a right answer's log-probability with respect to p is 1/p, and a wrong answer's is -1/(1 - p).
    """
    result = 0.0
    for right in range(1, group):
        chance = math.comb(group, right) * p**right * (1 - p) ** (group - right)
        values = advantages(binary(right, group))
        result += chance * (right * values[0] / p - (group - right) * values[-1] / (1 - p)) / group
    return result


def test_less_the_mean_the_factor_is_the_same_for_every_prompt_and_below_one_unless_one_is_left_out() -> None:
    for p in (0.02, 0.3, 0.5, 0.95):
        assert factor(less_mean, p) == pytest.approx((GROUP - 1) / GROUP)
        assert factor(leave_one_out, p) == pytest.approx(1)


def test_the_factor_on_grad_p_is_largest_for_easy_and_hard_prompts() -> None:
    """In a large group, the factor is 1/sqrt(p(1 - p)), the derivative of 2 arcsin(sqrt p)."""
    group, step = 400, 1e-5
    factors = {p: factor(over_population_deviation, p, group) for p in (0.1, 0.3, 0.5, 0.7, 0.9)}

    assert min(factors, key=factors.__getitem__) == 0.5
    for p, each in factors.items():
        arcsine = 2 * (math.asin(math.sqrt(p + step)) - math.asin(math.sqrt(p - step))) / (2 * step)
        assert each == pytest.approx(1 / math.sqrt(p * (1 - p)), rel=0.01)
        assert each == pytest.approx(arcsine, rel=0.01)


def test_in_a_small_group_the_factor_differs_less_between_prompts() -> None:
    assert round(factor(over_population_deviation, 0.5), 2) == 1.86
    assert round(factor(over_population_deviation, 0.95), 2) == 2.47
    large = factor(over_population_deviation, 0.95, 400) / factor(over_population_deviation, 0.5, 400)
    assert 1 < 2.47 / 1.86 < large


def test_over_the_mean_the_factor_is_near_one_over_p() -> None:
    for p in (0.05, 0.3, 0.9):
        assert factor(over_mean, p, 400) == pytest.approx(1 / p, rel=0.01)
        # Only groups with at least one success contribute, and in a group of N, no advantage exceeds N - 1.
        by_hand = (1 - (1 - p) ** (GROUP - 1)) / p
        assert factor(over_mean, p) == pytest.approx(by_hand)
    assert over_mean(binary(1)) == pytest.approx([GROUP - 1, *[-1] * (GROUP - 1)])


def test_with_rewards_of_minus_one_and_one_the_mean_flips_signs_and_explodes() -> None:
    def signed(right: int) -> list[float]:
        return over_mean([1.0] * right + [-1.0] * (GROUP - right))

    assert signed(1)[0] < 0 < signed(1)[-1]
    assert signed(7)[-1] < 0 < signed(7)[0]
    with pytest.raises(ZeroDivisionError):
        signed(4)
    rewards = [1.0] * 501 + [-1.0] * 499
    assert over_mean(rewards)[0] > 400


def test_the_total_of_a_group_peaks_at_one_half() -> None:
    totals = [total(over_deviation(binary(right))) for right in range(1, GROUP)]

    assert max(range(1, GROUP), key=lambda right: totals[right - 1]) == GROUP // 2
    assert round(totals[0], 2) == 4.95
    assert round(totals[3], 2) == 7.48
    for right in range(1, GROUP):
        p = right / GROUP
        by_hand = 2 * GROUP * math.sqrt(p * (1 - p))
        assert total(over_population_deviation(binary(right))) == pytest.approx(by_hand, rel=TOLERANCE)


LOGITS = torch.tensor([0.2, -0.5, 0.9], dtype=torch.float64)
SAMPLES = [0, 2, 1, 0, 2, 2, 1, 0]
REWARDS = [1.0, 0.0, 0.3, 0.9, 0.1, 0.0, 0.5, 1.0]


def gradient(advantages: list[float]) -> torch.Tensor:
    """Return the gradient of the mean of A log pi over one sampled group."""
    at = LOGITS.clone().requires_grad_()
    logprobs = at.log_softmax(0)[SAMPLES]
    objective = (torch.tensor(advantages, dtype=torch.float64) * logprobs).mean()
    return torch.autograd.grad(objective, at)[0]


@pytest.mark.parametrize("scale", [2.0, 0.1])
def test_the_reward_scale_scales_the_gradient_unless_a_deviation_or_a_mean_divides(scale: float) -> None:
    scaled = [scale * reward for reward in REWARDS]
    torch.testing.assert_close(gradient(less_mean(scaled)), scale * gradient(less_mean(REWARDS)))
    for advantages in (over_deviation, over_population_deviation, over_mean):
        torch.testing.assert_close(gradient(advantages(scaled)), gradient(advantages(REWARDS)))
    # A loss term that does not contain the advantages keeps its size, so its share of the loss changes.
    assert gradient(less_mean(scaled)).norm() / gradient(less_mean(REWARDS)).norm() == pytest.approx(scale)


def test_adam_hides_a_global_scale_and_clipping_by_norm_does_not() -> None:
    def moved(scale: float, norm: float = math.inf, outlier: float = 10.0) -> torch.Tensor:
        weights = LOGITS.clone().requires_grad_()
        optimizer = torch.optim.Adam([weights], lr=0.1, eps=1e-12)
        for step in range(5):
            logprobs = weights.log_softmax(0)[SAMPLES]
            # One batch is an outlier, whose gradient is clipped by norm.
            size = scale * (outlier if step == 2 else 1.0)
            loss = -(size * torch.tensor(less_mean(REWARDS), dtype=torch.float64) * logprobs).mean()
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            torch.nn.utils.clip_grad_norm_([weights], norm)
            optimizer.step()
        return weights.detach()

    torch.testing.assert_close(moved(1.0), moved(2.0))
    assert not torch.allclose(moved(1.0), moved(1.0, outlier=30.0), atol=1e-3), "a factor that varies"
    norm = 2 * float(gradient(less_mean(REWARDS)).norm())
    assert not torch.allclose(moved(1.0, norm), moved(4.0, norm), atol=1e-3)


def test_adam_does_not_hide_a_factor_on_one_of_two_terms() -> None:
    def moved(policy: float, penalty: float) -> torch.Tensor:
        weights = LOGITS.clone().requires_grad_()
        optimizer = torch.optim.Adam([weights], lr=0.1, eps=1e-12)
        for _ in range(5):
            logprobs = weights.log_softmax(0)
            advantages = torch.tensor(less_mean(REWARDS), dtype=torch.float64)
            loss = -policy * (advantages * logprobs[SAMPLES]).mean() + penalty * (logprobs.exp() * logprobs).sum()
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            optimizer.step()
        return weights.detach()

    torch.testing.assert_close(moved(1.0, 0.1), moved(4.0, 0.4))
    assert not torch.allclose(moved(1.0, 0.1), moved(4.0, 0.1), atol=1e-3)


def test_one_deviation_of_the_batch_makes_the_scale_irrelevant_and_keeps_the_weights_of_prompts() -> None:
    prompts = [binary(1), binary(4)]

    def of_batch(scale: float) -> list[list[float]]:
        centered = [less_mean([scale * reward for reward in rewards]) for rewards in prompts]
        deviation = pstdev([each for values in centered for each in values])
        return [[each / deviation for each in values] for values in centered]

    plain = [less_mean(rewards) for rewards in prompts]
    assert of_batch(7.0)[0] == pytest.approx(of_batch(1.0)[0])
    assert total(of_batch(1.0)[0]) / total(of_batch(1.0)[1]) == pytest.approx(total(plain[0]) / total(plain[1]))
    by_group = [total(over_deviation(rewards)) for rewards in prompts]
    assert by_group[0] / by_group[1] > 1.2 * total(plain[0]) / total(plain[1])


def test_in_an_all_correct_group_the_deviation_blows_a_tiny_term_up() -> None:
    brevity = [0.9, 0.1, 0.5, 0.3, 0.7, 0.2, 0.8, 0.4]
    rewards = [1 + 0.001 * each for each in brevity]

    assert max(map(abs, over_population_deviation(rewards))) > 1
    assert pstdev(over_population_deviation(rewards)) == pytest.approx(1)
    assert max(map(abs, less_mean(rewards))) < 0.001
    # If brevity is normalized separately and weighted afterward, it stays small; correctness has zero variance here.
    assert max(0.001 * abs(each) for each in over_population_deviation(brevity)) < 0.002


LENGTHS = (100, 1000)


@pytest.mark.parametrize("advantage", [-1.0, 1.0])
def test_divided_by_its_length_a_long_answer_is_weighted_less_per_token(advantage: float) -> None:
    """Two answers with the same advantage; the slopes are those of one token's log-probability."""

    def slopes(divisors: tuple[float, float]) -> list[float]:
        tokens = [torch.zeros(length, dtype=torch.float64, requires_grad=True) for length in LENGTHS]
        parts = [advantage * each.sum() / divisor for each, divisor in zip(tokens, divisors, strict=True)]
        return [float(each[0]) for each in torch.autograd.grad(torch.stack(parts).mean(), tokens)]

    own = slopes((100.0, 1000.0))
    assert own[0] / own[1] == pytest.approx(10)
    assert (own[1] < 0) == (advantage < 0)
    for divisor in (1.0, 1024.0, float(sum(LENGTHS))):  # the sum, a constant, the tokens of both
        each = slopes((divisor, divisor))
        assert each[0] == each[1]


def test_every_group_of_a_given_size_gives_the_same_mean_as_the_expectation() -> None:
    """The sum in `factor`, over the number of right answers, equals the sum over all groups."""
    p, group = 0.3, 4
    result = 0.0
    for rewards in product((0.0, 1.0), repeat=group):
        if len(set(rewards)) == 1:
            continue
        chance = math.prod(p if reward else 1 - p for reward in rewards)
        slopes = [1 / p if reward else -1 / (1 - p) for reward in rewards]
        values = over_population_deviation([*rewards])
        result += chance * sum(value * slope for value, slope in zip(values, slopes, strict=True)) / group
    assert factor(over_population_deviation, p, group) == pytest.approx(result)


def test_over_the_mean_the_factor_is_not_that_of_the_best_reward_in_the_group() -> None:
    for p in (0.05, 0.3, 0.9):
        mixture = sum((1 - p) ** (k - 1) for k in range(1, GROUP))  # the slopes of pass@k, each divided by k
        assert factor(over_mean, p) == pytest.approx(mixture)
    of_the_best = GROUP * (1 - 0.3) ** (GROUP - 1)
    assert factor(over_mean, 0.3) > 2 * of_the_best
    assert over_mean(binary(2))[:2] == [3.0, 3.0]  # all right answers count, and the wrong ones do as well
    assert over_mean(binary(2))[-1] == -1.0


def test_clipping_each_part_of_a_gradient_is_not_clipping_the_whole() -> None:
    parts = torch.tensor([[3.0, 0.0], [0.0, 0.5]], dtype=torch.float64)

    def clipped(gradient: torch.Tensor) -> torch.Tensor:
        return gradient / max(1.0, float(gradient.norm()))

    whole, separate = clipped(parts.mean(0)), torch.stack([clipped(part) for part in parts]).mean(0)
    assert torch.nn.functional.cosine_similarity(whole, separate, dim=0) < 0.97
    assert not torch.allclose(whole.norm(), separate.norm(), atol=0.1)
