"""How a wrong weight or ratio changes the expected gradient, with three policies in one state."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

pytestmark = pytest.mark.content

GENERATOR = torch.Generator().manual_seed(2)
BEHAVIOR, PROXIMAL, CURRENT = torch.randn(3, 5, generator=GENERATOR, dtype=torch.float64)
REWARD = torch.rand(5, generator=GENERATOR, dtype=torch.float64)
REFERENCE = torch.randn(5, generator=GENERATOR, dtype=torch.float64).log_softmax(0)
PROP = torch.nn.functional.cosine_similarity

Loss = Callable[[torch.Tensor], torch.Tensor]
"""Maps log-probs to one value for each action."""


def expected_gradient(per_action: Loss, sampled: torch.Tensor, at: torch.Tensor = CURRENT) -> torch.Tensor:
    """Return the gradient of the mean over actions drawn from these logits, with the samples held fixed."""
    logits = at.clone().requires_grad_()
    mean = (sampled.softmax(0) * per_action(logits.log_softmax(0))).sum()
    return torch.autograd.grad(mean, logits)[0]


def exact(function: Loss, at: torch.Tensor = CURRENT) -> torch.Tensor:
    """Return the gradient of the sum of a function of the log-probs."""
    logits = at.clone().requires_grad_()
    return torch.autograd.grad(function(logits.log_softmax(0)).sum(), logits)[0]


MU, PROX = BEHAVIOR.log_softmax(0), PROXIMAL.log_softmax(0)
TRUE = exact(lambda logprobs: logprobs.exp() * REWARD)


def test_old_over_new_has_the_same_value_at_first_and_the_opposite_gradient() -> None:
    old = CURRENT.log_softmax(0)
    right = expected_gradient(lambda new: (new - old).exp() * REWARD, CURRENT)
    swapped = expected_gradient(lambda new: (old - new).exp() * REWARD, CURRENT)

    torch.testing.assert_close(right, TRUE)
    torch.testing.assert_close(swapped, -TRUE)


def test_the_weight_times_the_ratio_to_the_proximal_policy_is_exact_and_two_other_pairs_are_not() -> None:
    decoupled = expected_gradient(lambda new: (PROX - MU).exp() * (new - PROX).exp() * REWARD, BEHAVIOR)
    bypassed = expected_gradient(lambda new: (new - MU).exp() * REWARD, BEHAVIOR)
    twice = expected_gradient(lambda new: (PROX - MU).exp() * (new - MU).exp() * REWARD, BEHAVIOR)
    without = expected_gradient(lambda new: (new - PROX).exp() * REWARD, BEHAVIOR)

    torch.testing.assert_close(decoupled, TRUE)
    torch.testing.assert_close(bypassed, TRUE)
    assert PROP(twice, TRUE, dim=0) < 0.999
    assert PROP(without, TRUE, dim=0) < 0.999


def test_a_weight_times_log_pi_must_not_carry_a_gradient() -> None:
    detached = expected_gradient(lambda new: (new - MU).exp().detach() * REWARD * new, BEHAVIOR)
    attached = expected_gradient(lambda new: (new - MU).exp() * REWARD * new, BEHAVIOR)

    torch.testing.assert_close(detached, TRUE)
    torch.testing.assert_close(attached, exact(lambda logprobs: logprobs.exp() * logprobs * REWARD))
    assert PROP(attached, TRUE, dim=0) < 0.9


def test_the_ratio_repairs_the_gradient_of_k3_off_policy_as_well() -> None:
    def k3(new: torch.Tensor) -> torch.Tensor:
        return (REFERENCE - new).exp() - (REFERENCE - new) - 1

    reverse = exact(lambda logprobs: logprobs.exp() * (logprobs - REFERENCE))
    repaired = expected_gradient(lambda new: (new - MU).exp() * k3(new), BEHAVIOR)
    detached_ratio = expected_gradient(lambda new: (new - MU).exp().detach() * k3(new), BEHAVIOR)
    forward = exact(lambda logprobs: REFERENCE.exp() * (REFERENCE - logprobs))

    torch.testing.assert_close(repaired, reverse)
    torch.testing.assert_close(detached_ratio, forward)
    assert not torch.allclose(reverse, forward, atol=1e-2)
    assert not torch.allclose(expected_gradient(k3, BEHAVIOR), reverse, atol=1e-2)


def test_truncated_weights_are_biased_low_and_masked_ones_as_well() -> None:
    probs, ratio = BEHAVIOR.softmax(0), (CURRENT.log_softmax(0) - MU).exp()
    truth = float((CURRENT.softmax(0) * REWARD).sum())

    assert ratio.max() > 1.5
    assert float((probs * ratio * REWARD).sum()) == pytest.approx(truth)
    truncated = float((probs * ratio.clamp(max=1.5) * REWARD).sum())
    masked = float((probs * ratio * (ratio < 1.5) * REWARD).sum())
    assert masked < truncated < truth


def test_doubly_robust_needs_only_one_of_propensities_and_model() -> None:
    behavior, target = BEHAVIOR.softmax(0), CURRENT.softmax(0)
    wrong_propensities = torch.roll(behavior, 1)
    wrong_model = torch.flip(REWARD, [0]) + 0.3
    truth = float((target * REWARD).sum())

    def estimate(propensities: torch.Tensor, model: torch.Tensor) -> float:
        residual = target / propensities * (REWARD - model)
        return float((target * model).sum() + (behavior * residual).sum())

    assert estimate(behavior, wrong_model) == pytest.approx(truth)
    assert estimate(wrong_propensities, REWARD) == pytest.approx(truth)
    assert abs(estimate(wrong_propensities, wrong_model) - truth) > 0.01
    direct = float((target * wrong_model).sum())
    assert abs(direct - truth) > 0.01


def test_a_capped_weight_is_biased() -> None:
    capped = expected_gradient(lambda new: (new - MU).exp().clamp(max=1.2).detach() * REWARD * new, BEHAVIOR)

    assert PROP(capped, TRUE, dim=0) < 0.999


def test_importance_sampling_needs_the_support_of_the_target() -> None:
    target, behavior = CURRENT.softmax(0), BEHAVIOR.softmax(0).clone()
    behavior[2] = 0
    behavior /= behavior.sum()
    drawn = behavior > 0

    def estimate(values: torch.Tensor) -> float:
        return float((behavior[drawn] * (target / behavior * values)[drawn]).sum())

    assert abs(estimate(REWARD) - float((target * REWARD).sum())) > 0.01
    zero_there = REWARD.clone()
    zero_there[2] = 0
    assert estimate(zero_there) == pytest.approx(float((target * zero_there).sum()))


def test_simko_keeps_the_value_and_shares_the_gradient() -> None:
    """A fraction alpha of the sampled token's ratio is spread over the top 3 tokens, with detached scale factors."""
    alpha, sampled, top = 0.01, 0, PROXIMAL.topk(3).indices

    def shared(new: torch.Tensor, *, is_detached: bool = True) -> torch.Tensor:
        ratios = (new - PROX).exp()
        held = ratios.detach() if is_detached else ratios
        spread_over_top: torch.Tensor = (held[sampled] / held[top] * ratios[top]).sum()
        mixed: torch.Tensor = (1 - alpha) * ratios[sampled] + alpha / 3 * spread_over_top
        return mixed

    plain = exact(lambda new: (new - PROX).exp()[sampled])
    spread = exact(shared)
    values = CURRENT.log_softmax(0)

    torch.testing.assert_close(shared(values), (values - PROX).exp()[sampled])
    assert not torch.allclose(spread, plain, atol=1e-3)
    torch.testing.assert_close(exact(lambda new: shared(new, is_detached=False)), plain)


@pytest.mark.parametrize(("new", "loss", "has_gradient"), [(1.0, 0.125, False), (0.4, 0.32, True), (1.9, 0.245, True)])
def test_the_clipped_value_loss_has_no_gradient_where_the_clipped_error_is_larger(
    new: float, loss: float, has_gradient: bool
) -> None:
    """The loss of verl's compute_value_loss for old value 0.2, target 1.2 and a clip range of 0.5."""
    value = torch.tensor(new, dtype=torch.float64, requires_grad=True)
    clipped = value.clamp(0.2 - 0.5, 0.2 + 0.5)
    errors = (value - 1.2) ** 2, (clipped - 1.2) ** 2
    total = torch.max(*errors) / 2

    assert float(total.detach()) == pytest.approx(loss)
    assert (float(torch.autograd.grad(total, value, retain_graph=True)[0]) != 0) == has_gradient
    if not has_gradient:
        assert float(torch.autograd.grad(torch.min(*errors), value)[0]) != 0


def test_old_samples_without_a_weight_give_another_gradient() -> None:
    unweighted = expected_gradient(lambda new: REWARD * new, BEHAVIOR)
    fresh = expected_gradient(lambda new: REWARD * new, CURRENT)

    torch.testing.assert_close(fresh, TRUE)
    assert PROP(unweighted, TRUE, dim=0) < 0.9


@pytest.mark.parametrize("is_detached", [True, False])
def test_a_ratio_to_ones_own_log_prob_has_a_gradient_only_if_the_old_one_is_detached(is_detached: bool) -> None:
    advantage = 2.5
    new = torch.tensor(-1.3, dtype=torch.float64, requires_grad=True)
    loss = -(new - (new.detach() if is_detached else new)).exp() * advantage

    assert float(loss.detach()) == -advantage
    assert float(torch.autograd.grad(loss, new)[0]) == (-advantage if is_detached else 0)


@pytest.mark.parametrize(("new", "target"), [(0.9, 0.3), (0.9, 0.5), (1.1, 0.3), (1.1, 0.5)])
def test_a_value_that_moved_too_far_and_past_its_target_is_pulled_back(new: float, target: float) -> None:
    """The old value is 0.2, and the clip range is 0.5."""
    value = torch.tensor(new, dtype=torch.float64, requires_grad=True)
    clipped = value.clamp(0.2 - 0.5, 0.2 + 0.5)
    loss = torch.max((value - target) ** 2, (clipped - target) ** 2) / 2

    assert float(loss.detach()) == pytest.approx((new - target) ** 2 / 2)
    assert float(torch.autograd.grad(loss, value)[0]) == pytest.approx(new - target)
    assert new > target
