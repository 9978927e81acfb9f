"""How much one small step changes the entropy of a softmax policy: which covariance applies to which gradient."""

from __future__ import annotations

import pytest
import torch

pytestmark = pytest.mark.content

LOGITS = torch.tensor([1.2, 0.3, -0.4, -1.5], dtype=torch.float64)
REWARD = torch.tensor([0.1, 1.0, 0.0, 2.0], dtype=torch.float64)
STEP = 1e-6


def entropy(logits: torch.Tensor) -> torch.Tensor:
    return -(logits.softmax(0) * logits.log_softmax(0)).sum()


def covariance(first: torch.Tensor, second: torch.Tensor, probs: torch.Tensor) -> torch.Tensor:
    """Return the covariance over actions drawn with these probabilities."""
    return (probs * first * second).sum() - (probs * first).sum() * (probs * second).sum()


def plain_step(logits: torch.Tensor) -> torch.Tensor:
    """Return the gradient of the expected reward with respect to the logits: pi times advantage."""
    at = logits.clone().requires_grad_()
    (gradient,) = torch.autograd.grad((at.softmax(0) * REWARD).sum(), at)
    return gradient


def natural_step(logits: torch.Tensor) -> torch.Tensor:
    """Return the natural gradient: the Fisher matrix's pseudoinverse times the plain gradient."""
    probs = logits.softmax(0)
    fisher = torch.diag(probs) - torch.outer(probs, probs)
    inverse: torch.Tensor = torch.linalg.pinv(fisher)
    return inverse @ plain_step(logits)


def change(direction: torch.Tensor) -> torch.Tensor:
    """Return the change in entropy divided by the step size."""
    return (entropy(LOGITS + STEP * direction) - entropy(LOGITS)) / STEP


def test_the_change_is_minus_the_covariance_of_log_pi_and_the_change_of_the_logits() -> None:
    probs = LOGITS.softmax(0)
    for direction in (plain_step(LOGITS), natural_step(LOGITS), torch.tensor([0.3, -1.0, 0.5, 0.2]).double()):
        expected = -covariance(probs.log(), direction, probs)
        torch.testing.assert_close(change(direction), expected, atol=1e-5, rtol=1e-4)


def test_the_covariance_with_the_advantage_alone_belongs_to_the_natural_gradient() -> None:
    probs = LOGITS.softmax(0)
    advantage = REWARD - (probs * REWARD).sum()
    with_advantage = -covariance(probs.log(), advantage, probs)
    with_weighted = -covariance(probs.log(), probs * advantage, probs)

    torch.testing.assert_close(plain_step(LOGITS), probs * advantage)
    torch.testing.assert_close(change(natural_step(LOGITS)), with_advantage, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(change(plain_step(LOGITS)), with_weighted, atol=1e-5, rtol=1e-4)
    assert abs(with_weighted / with_advantage - 1) > 0.3


def test_an_entropy_bonus_lifts_every_token_below_one_probability() -> None:
    at = LOGITS.clone().requires_grad_()
    (lift,) = torch.autograd.grad(entropy(at), at)
    threshold = -entropy(LOGITS)

    assert ((lift > 0) == (LOGITS.log_softmax(0) < threshold)).all()
    torch.testing.assert_close(lift, -LOGITS.softmax(0) * (LOGITS.log_softmax(0) - threshold))
    assert (lift > 0).sum() == 3


def test_reinforcing_a_likely_action_sharpens_and_an_unlikely_one_spreads() -> None:
    for reinforced, sign in ((0, -1), (3, 1)):
        at = LOGITS.clone().requires_grad_()
        (score,) = torch.autograd.grad(at.log_softmax(0)[reinforced], at)
        assert change(score).sign() == sign


def test_with_many_senseless_tokens_the_bonus_moves_probability_from_the_good_ones_to_them() -> None:
    good, senseless = 5, 149_995
    probs = torch.cat([torch.full((good,), 0.95 / good), torch.full((senseless,), 0.05 / senseless)]).double()
    at = probs.log().requires_grad_()
    (lift,) = torch.autograd.grad(entropy(at), at)

    assert (lift[:good] < 0).all()
    assert (lift[good:] > 0).all()
    assert lift[good:].sum() > 0.1
