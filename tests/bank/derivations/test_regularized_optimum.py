"""The optimum of reward minus beta KL, the reward that DPO derives from it, and the slopes of pairwise losses."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

pytestmark = pytest.mark.content

GENERATOR = torch.Generator().manual_seed(6)
REFERENCE = torch.randn(6, generator=GENERATOR, dtype=torch.float64).log_softmax(0)
REWARD = torch.randn(6, generator=GENERATOR, dtype=torch.float64)
BETA = 0.4
OPTIMUM = (REFERENCE + REWARD / BETA).log_softmax(0)
CHOSEN, REJECTED = 1, 4


def kl(first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
    return (first.exp() * (first - second)).sum()


def objective(logprobs: torch.Tensor) -> torch.Tensor:
    return (logprobs.exp() * REWARD).sum() - BETA * kl(logprobs, REFERENCE)


def slope(function: Callable[[torch.Tensor], torch.Tensor], logprobs: torch.Tensor) -> float:
    """Return the largest derivative with respect to the logits; 0 where the function is stationary."""
    logits = logprobs.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(function(logits.log_softmax(0)), logits)
    return float(gradient.abs().max())


def test_the_optimum_is_the_reference_times_the_exponential_of_the_reward_over_beta() -> None:
    def forward(logprobs: torch.Tensor) -> torch.Tensor:
        return (logprobs.exp() * REWARD).sum() - BETA * kl(REFERENCE, logprobs)

    assert slope(objective, OPTIMUM) < 1e-12
    others = torch.randn(50, 6, generator=GENERATOR, dtype=torch.float64).log_softmax(-1)
    assert max(float(objective(other)) for other in others) < float(objective(OPTIMUM))
    assert slope(forward, OPTIMUM) > 0.01
    assert slope(objective, (REFERENCE + REWARD * BETA).log_softmax(0)) > 0.01


def test_the_objective_is_minus_beta_times_the_kl_to_the_optimum_up_to_a_constant() -> None:
    policies = torch.randn(5, 6, generator=GENERATOR, dtype=torch.float64).log_softmax(-1)
    constants = torch.stack([objective(policy) + BETA * kl(policy, OPTIMUM) for policy in policies])
    swapped = torch.stack([objective(policy) + BETA * kl(OPTIMUM, policy) for policy in policies])

    torch.testing.assert_close(constants, constants[0].expand(5))
    assert swapped.std() > 0.05


def test_beta_times_the_log_ratio_is_the_reward_up_to_one_constant_per_prompt() -> None:
    left_over = REWARD - BETA * (OPTIMUM - REFERENCE)

    torch.testing.assert_close(left_over, left_over[0].expand(6))
    torch.testing.assert_close(left_over[0], BETA * (REFERENCE + REWARD / BETA).logsumexp(0))
    differences = BETA * ((OPTIMUM - REFERENCE)[CHOSEN] - (OPTIMUM - REFERENCE)[REJECTED])
    torch.testing.assert_close(differences, REWARD[CHOSEN] - REWARD[REJECTED])
    without_reference = BETA * (OPTIMUM[CHOSEN] - OPTIMUM[REJECTED])
    assert abs(without_reference - differences) > 0.05


def test_dpo_weighs_a_pair_by_how_wrongly_it_is_ranked() -> None:
    def slopes(delta: float) -> tuple[float, float]:
        """Return the derivatives of the loss with respect to the chosen and to the rejected log-prob."""
        pair = torch.tensor([delta, 0.0], dtype=torch.float64, requires_grad=True)
        loss = -torch.nn.functional.logsigmoid(BETA * (pair[0] - pair[1]))
        chosen, rejected = torch.autograd.grad(loss, pair)[0]
        return float(chosen), float(rejected)

    for delta in (-3.0, 0.0, 3.0):
        weight = BETA / (1 + torch.tensor(BETA * delta).exp().item())
        assert slopes(delta) == pytest.approx((-weight, weight))
    assert slopes(-3.0)[0] < slopes(3.0)[0] < 0


@pytest.mark.parametrize(("shared", "chosen_falls"), [(0.0, False), (2.0, True)])
def test_both_log_probs_can_fall_where_the_answers_share_parameters(shared: float, chosen_falls: bool) -> None:
    """The log-probs are linear in two weights; the rejected one depends on the chosen one's weight by `shared`."""
    scores = torch.tensor([[1.0, 0.0], [shared, 3.0]], dtype=torch.float64)
    weights = torch.zeros(2, dtype=torch.float64, requires_grad=True)
    chosen, rejected = scores @ weights
    (gradient,) = torch.autograd.grad(-torch.nn.functional.logsigmoid(BETA * (chosen - rejected)), weights)
    change = scores @ -gradient

    assert change[0] > change[1]
    assert (change[0] < 0) == chosen_falls
    assert change[1] < 0


def test_the_reward_models_slopes_add_to_zero_and_fade_for_separated_pairs() -> None:
    def loss_and_slopes(*pair: float) -> tuple[float, float, float]:
        scores = torch.tensor(pair, dtype=torch.float64, requires_grad=True)
        loss = -torch.nn.functional.logsigmoid(scores[0] - scores[1])
        winner, loser = torch.autograd.grad(loss, scores)[0].tolist()
        return float(loss.detach()), winner, loser

    loss, winner, loser = loss_and_slopes(1.2, 0.4)
    assert loss == pytest.approx(0.371, abs=5e-4)
    assert winner == pytest.approx(-0.31, abs=0.005)
    assert winner == -loser
    assert abs(loss_and_slopes(6.2, 0.4)[1]) < 0.01
    assert abs(loss_and_slopes(0.4, 6.2)[1]) > 0.99
