"""What the answers on LLM objectives derive with calculus agrees with autograd."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import pytest
import torch

from tests.bank.test_numbers import questions

pytestmark = pytest.mark.content

LOGITS = torch.tensor([0.9, -0.4, 0.2], dtype=torch.float64)
OTHER = torch.tensor([0.1, 0.8, -0.5], dtype=torch.float64)


def answer(name: str, rung: int) -> str:
    return questions()[name].rungs[rung - 1].answer


def gradient(of: Callable[[torch.Tensor], torch.Tensor], at: torch.Tensor) -> torch.Tensor:
    """Return the gradient of a scalar function at a point."""
    point = at.clone().requires_grad_()
    (result,) = torch.autograd.grad(of(point), point)
    return result


def mean_over_samples(loss: Callable[[torch.Tensor], torch.Tensor], at: torch.Tensor) -> torch.Tensor:
    """Return the expected gradient of a loss on sampled tokens: the sampling itself is not differentiated."""
    return gradient(lambda logits: (logits.softmax(0).detach() * loss(logits.log_softmax(0))).sum(), at)


def divergence(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    """Return the KL divergence of two distributions, given by their log-probabilities, in nats."""
    return (first.exp() * (first - second)).sum()


def undetached(old: torch.Tensor, new: torch.Tensor) -> torch.Tensor:
    return (new - old).exp() * new


def log_chance(sign: int, at: torch.Tensor) -> torch.Tensor:
    return (sign * at).sigmoid().log()


def test_factor_of_a_weight_that_is_not_detached() -> None:
    for logprob, factor in ((-1.0, 0), (-3.0, -2)):
        old = torch.tensor(logprob, dtype=torch.float64)
        computed = gradient(partial(undetached, old), old)
        assert computed.item() == factor
        assert f"{factor} at log pi = {logprob:g}" in answer("cispo_and_sapo", 2)
    assert "the factor becomes 1 + log pi" in answer("cispo_and_sapo", 2)


def test_function_that_the_deviation_climbs_and_the_one_that_maxrl_climbs() -> None:
    at = torch.tensor(-1.3, dtype=torch.float64)
    rate = at.sigmoid()

    def climbs(scale: torch.Tensor) -> torch.Tensor:
        right = rate * (1 - rate) / scale * gradient(partial(log_chance, 1), at)
        wrong = (1 - rate) * (0 - rate) / scale * gradient(partial(log_chance, -1), at)
        return right + wrong

    deviation = (rate * (1 - rate)).sqrt()
    torch.testing.assert_close(climbs(deviation), gradient(lambda point: 2 * point.sigmoid().sqrt().arcsin(), at))
    torch.testing.assert_close(climbs(rate), gradient(lambda point: point.sigmoid().log(), at))
    torch.testing.assert_close(climbs(rate), gradient(torch.sigmoid, at) / rate)
    assert "the gradient of 2 arcsin(sqrt p)" in answer("group_normalisation_and_dr_grpo", 2)
    assert "a prompt's weight is 1/p" in answer("maxrl_and_simko", 1)


def test_series_of_maxrl_and_its_weight_at_a_finite_order() -> None:
    rate, order = 0.3, 7
    slopes_of_pass_at_k = [k * (1 - rate) ** (k - 1) for k in range(1, order + 1)]
    weight = sum(slope / k for k, slope in enumerate(slopes_of_pass_at_k, 1))

    assert math.isclose(-sum((1 - rate) ** k / k for k in range(1, 400)), math.log(rate))
    assert math.isclose(weight, (1 - (1 - rate) ** order) / rate)
    assert weight < order
    assert "(1 - (1-p)^T)/p · grad p" in answer("maxrl_and_simko", 2)


def test_leave_one_out_against_the_plain_mean() -> None:
    rewards = torch.tensor([1.0] + [0.0] * 7, dtype=torch.float64)
    plain = rewards - rewards.mean()
    left_out = rewards - (rewards.sum() - rewards) / 7

    torch.testing.assert_close(left_out, plain * 8 / 7)
    assert "which is 8/7 times the values of Dr. GRPO" in answer("group_normalisation_and_dr_grpo", 3)


def test_two_bugs_of_distillation_end_where_the_answer_says() -> None:
    teacher = OTHER.log_softmax(0)

    def with_gradient(logprobs: torch.Tensor) -> torch.Tensor:
        return (logprobs - teacher) * logprobs

    def ratio_as_loss(logprobs: torch.Tensor) -> torch.Tensor:
        return logprobs - teacher

    def aims_at(logits: torch.Tensor) -> torch.Tensor:
        return (logits.softmax(0) * (2 * logits.log_softmax(0) - teacher)).sum()

    torch.testing.assert_close(mean_over_samples(with_gradient, LOGITS), gradient(aims_at, LOGITS))
    assert mean_over_samples(with_gradient, OTHER / 2).abs().max() < 1e-12, "the teacher at temperature 2"
    assert mean_over_samples(with_gradient, OTHER).abs().max() > 1e-3
    assert mean_over_samples(ratio_as_loss, LOGITS).abs().max() < 1e-12
    assert "the teacher at temperature 2" in answer("on_policy_distillation", 4)
    assert "sum pi·(2 log pi - log pi_T)" in answer("on_policy_distillation", 4)


def test_which_divergence_each_estimator_descends() -> None:
    reference, sampled = OTHER.log_softmax(0), LOGITS.log_softmax(0)

    def k3(logprobs: torch.Tensor) -> torch.Tensor:
        return (reference - logprobs).exp() - (reference - logprobs) - 1

    reverse = gradient(lambda logits: divergence(logits.log_softmax(0), reference), LOGITS)
    forward = gradient(lambda logits: divergence(reference, logits.log_softmax(0)), LOGITS)

    torch.testing.assert_close((sampled.exp() * k3(sampled)).sum(), divergence(sampled, reference))
    torch.testing.assert_close(mean_over_samples(k3, LOGITS), forward)
    assert mean_over_samples(lambda logprobs: logprobs - reference, LOGITS).abs().max() < 1e-12
    torch.testing.assert_close(mean_over_samples(lambda logprobs: (logprobs - reference) ** 2 / 2, LOGITS), reverse)
    torch.testing.assert_close(mean_over_samples(lambda new: (new - sampled).exp() * k3(new), LOGITS), reverse)
    assert "gradient of the forward KL, KL(ref || pi)" in answer("grpo_kl_penalty", 4)
