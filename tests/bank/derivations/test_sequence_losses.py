"""Which reduction over tokens gives the policy gradient, and what the gradients of GSPO and CISPO are."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
import torch

pytestmark = pytest.mark.content

WORDS, LENGTH = 3, 3
END = 0  # a sequence ends with this word or after LENGTH words
GENERATOR = torch.Generator().manual_seed(4)
# Logits of the next word after each prefix; a prefix is the sequence of the words before it.
PREFIXES = [words for size in range(LENGTH) for words in product(range(1, WORDS), repeat=size)]
LOGITS = torch.randn(len(PREFIXES), WORDS, generator=GENERATOR, dtype=torch.float64)
SEQUENCES = [
    *[(*prefix, END) for prefix in PREFIXES if len(prefix) < LENGTH],
    *product(range(1, WORDS), repeat=LENGTH),
]
REWARDS = torch.rand(len(SEQUENCES), generator=GENERATOR, dtype=torch.float64)


def token_logprobs(logits: torch.Tensor, sequence: tuple[int, ...]) -> torch.Tensor:
    """Return the log-probability of each word given its prefix; shape [length]."""
    rows = [logits[PREFIXES.index(sequence[:place])].log_softmax(0)[word] for place, word in enumerate(sequence)]
    return torch.stack(rows)


def gradient(function: Callable[[torch.Tensor], torch.Tensor]) -> torch.Tensor:
    at = LOGITS.clone().requires_grad_()
    (result,) = torch.autograd.grad(function(at), at)
    return result


def mean_over_samples(loss: Callable[[torch.Tensor], torch.Tensor]) -> torch.Tensor:
    """Return the expected gradient of reward times a function of the token log-probs, over the policy's sequences."""
    probabilities = [token_logprobs(LOGITS, sequence).sum().exp() for sequence in SEQUENCES]
    assert torch.stack(probabilities).sum() == pytest.approx(1)
    gradients = []
    for sequence, reward, probability in zip(SEQUENCES, REWARDS, probabilities, strict=True):
        at = LOGITS.clone().requires_grad_()
        (result,) = torch.autograd.grad(reward * loss(token_logprobs(at, sequence)), at)
        gradients.append(float(probability) * result)
    return torch.stack(gradients).sum(0)


def expected_reward(logits: torch.Tensor) -> torch.Tensor:
    values = [
        token_logprobs(logits, sequence).sum().exp() * reward
        for sequence, reward in zip(SEQUENCES, REWARDS, strict=True)
    ]
    return torch.stack(values).sum()


def test_the_sum_over_tokens_is_the_policy_gradient_and_the_mean_is_not() -> None:
    exact = gradient(expected_reward)

    torch.testing.assert_close(mean_over_samples(torch.sum), exact)
    by_mean = mean_over_samples(torch.mean)
    assert torch.nn.functional.cosine_similarity(by_mean.flatten(), exact.flatten(), dim=0) < 0.99


def test_a_bandit_over_whole_answers_has_the_same_gradient_as_one_over_tokens() -> None:
    """The whole answer's log-probability, as one action, compared with the tokens' log-probs and the reward-to-go."""

    def as_one_action(logprobs: torch.Tensor) -> torch.Tensor:
        joint = logprobs.exp().prod()
        return joint.log()

    torch.testing.assert_close(mean_over_samples(as_one_action), mean_over_samples(torch.sum))
    only_last = mean_over_samples(lambda logprobs: logprobs[-1])
    assert not torch.allclose(only_last, gradient(expected_reward), atol=1e-3)


OLD = LOGITS + 0.3 * torch.randn(LOGITS.shape, generator=GENERATOR, dtype=torch.float64)
ANSWER = SEQUENCES[-2]
ADVANTAGE = 1.7


def ratios(logits: torch.Tensor) -> torch.Tensor:
    return (token_logprobs(logits, ANSWER) - token_logprobs(OLD, ANSWER)).exp()


def gspo(logits: torch.Tensor) -> torch.Tensor:
    return ratios(logits).log().mean().exp() * ADVANTAGE


def gspo_token(logits: torch.Tensor, *, is_detached: bool = True) -> torch.Tensor:
    sequence_ratio = ratios(logits).log().mean().exp()
    logprobs = token_logprobs(logits, ANSWER)
    weight = sequence_ratio.detach() if is_detached else sequence_ratio
    return (weight * (logprobs - logprobs.detach()).exp() * ADVANTAGE).mean()


def test_gspo_weighs_every_token_by_the_sequence_ratio_over_the_length() -> None:
    score = gradient(lambda at: token_logprobs(at, ANSWER).sum())
    ratio = float(ratios(LOGITS).log().mean().exp())

    torch.testing.assert_close(gradient(gspo), ratio * ADVANTAGE / len(ANSWER) * score)
    grpo = gradient(lambda at: (ratios(at) * ADVANTAGE).mean())
    assert not torch.allclose(gradient(gspo), grpo, atol=1e-2)


def test_the_token_variant_has_the_same_value_and_gradient_only_with_both_stops() -> None:
    torch.testing.assert_close(gspo_token(LOGITS), gspo(LOGITS))
    torch.testing.assert_close(gradient(gspo_token), gradient(gspo))
    twice = gradient(lambda at: gspo_token(at, is_detached=False))
    torch.testing.assert_close(twice, 2 * gradient(gspo))


def surrogate(weight: Callable[[torch.Tensor], torch.Tensor], old: torch.Tensor) -> torch.Tensor:
    """Return the gradient of the mean reward over sequences of the old policy, weighted by a function of the ratios."""
    chances = [token_logprobs(old, sequence).sum().exp() for sequence in SEQUENCES]

    def objective(logits: torch.Tensor) -> torch.Tensor:
        ratios_of = [(token_logprobs(logits, each) - token_logprobs(old, each)).exp() for each in SEQUENCES]
        parts = [p * r * weight(each) for p, r, each in zip(chances, REWARDS, ratios_of, strict=True)]
        return torch.stack(parts).sum()

    return gradient(objective)


def test_ratios_per_token_are_a_first_order_surrogate_and_their_product_is_exact() -> None:
    exact = gradient(expected_reward)

    torch.testing.assert_close(surrogate(torch.prod, OLD), exact)
    torch.testing.assert_close(surrogate(torch.sum, LOGITS), exact)
    assert not torch.allclose(surrogate(torch.sum, OLD), exact, atol=1e-3)


def test_a_root_of_the_likelihood_ratio_has_a_mean_below_one() -> None:
    full, root = 0.0, 0.0
    for sequence in SEQUENCES:
        old = token_logprobs(OLD, sequence).sum()
        log_ratio = token_logprobs(LOGITS, sequence).sum() - old
        full += float(old.exp() * log_ratio.exp())
        root += float(old.exp() * (log_ratio / len(sequence)).exp())

    assert full == pytest.approx(1)
    assert root < 0.999


@pytest.mark.parametrize("advantage", [1.0, -1.0])
def test_cispo_has_ppos_gradient_inside_the_interval_and_keeps_one_beyond_it(advantage: float) -> None:
    """The slope in log pi at ratios inside and above the interval of 0.2, with the weight detached or not."""

    def slopes(ratio: float, logprob: float) -> tuple[float, float, float]:
        at = torch.tensor(logprob, dtype=torch.float64, requires_grad=True)
        now = (at - (logprob - torch.tensor(ratio, dtype=torch.float64).log())).exp()
        ppo = torch.minimum(now * advantage, now.clamp(0.8, 1.2) * advantage)
        capped = now.clamp(max=1.2)
        losses = (ppo, capped.detach() * advantage * at, capped * advantage * at)
        return tuple(float(torch.autograd.grad(loss, at, retain_graph=True)[0]) for loss in losses)  # type: ignore[return-value]

    for ratio in (0.85, 1.0, 1.15):
        ppo, cispo, attached = slopes(ratio, -2.0)
        assert cispo == pytest.approx(ppo) == pytest.approx(ratio * advantage)
        assert attached == pytest.approx(ratio * advantage * (1 - 2.0))
    ppo, cispo, _ = slopes(1.5, -2.0)
    assert ppo == pytest.approx(0 if advantage > 0 else 1.5 * advantage)
    assert cispo == pytest.approx(1.2 * advantage)


@pytest.mark.parametrize("log_ratio", [0.0006, 0.0008, 0.0012])
def test_beyond_gspos_range_all_tokens_lose_their_gradient_and_within_it_none_does(log_ratio: float) -> None:
    def slopes(tokens: int, upper: float, *, is_per_token: bool = False) -> torch.Tensor:
        old = torch.full((tokens,), -2.0, dtype=torch.float64)
        new = (old + log_ratio).requires_grad_()
        ratio = (new - old).exp() if is_per_token else (new - old).mean().exp()
        return torch.autograd.grad(torch.minimum(ratio, ratio.clamp(1 - 3e-4, upper)).mean(), new)[0]

    assert (slopes(1000, 1 + 4e-4) == 0).all()
    assert (slopes(1000, 1 + 2e-3) > 0).all()
    assert (slopes(1000, 1.2, is_per_token=True) > 0).all()
