"""Numbers in the answers on policy gradients that need more than one line of arithmetic are computed here."""

import pytest
import torch

from tests.bank.test_numbers import questions

pytestmark = pytest.mark.content


def advantages(rewards: list[float], values: list[float], discount: float, trace: float, ends: set[int]) -> list[float]:
    """Return generalized advantages; `values` has one more entry, and `ends` marks the final steps of episodes."""
    result: list[float] = []
    for step in reversed(range(len(rewards))):
        goes_on = step not in ends
        error = rewards[step] + discount * values[step + 1] * goes_on - values[step]
        result.insert(0, error + discount * trace * goes_on * (result[0] if result else 0.0))
    return result


def test_advantages_with_an_end_in_the_middle_and_without_masks() -> None:
    answer = questions()["td_n_step_and_gae"].rungs[2].answer

    first, second, third = advantages([1, 1, 1], [0.5] * 4, 0.99, 0.95, {1})
    unmasked = advantages([1, 1, 1], [0.5] * 4, 0.99, 0.95, set())

    assert f"so the third advantage is {third:.3f}." in answer
    assert f"= {second:.1f}, and nothing is added" in answer
    assert f"= {first:.3f}.\n" in answer
    assert f"Without masks, the third is {unmasked[2]:.3f}," in answer
    assert f"= {unmasked[1]:.3f}, and the first" in answer
    assert f"= {unmasked[0]:.3f}," in answer


def test_advantages_of_three_tokens() -> None:
    answer = questions()["critic_for_language_models"].rungs[2].answer
    values = [0.2, 0.4, 0.6, 0.0]

    plain = advantages([0, 0, 1], values, 1, 1, {2})
    traced = advantages([0, 0, 1], values, 1, 0.95, {2})
    errors = advantages([0, 0, 1], values, 1, 0, {2})

    assert f"TD errors are {', '.join(f'{error:.1f}' for error in errors)}." in answer
    assert f"With lambda 1, the advantages are {', '.join(f'{advantage:.1f}' for advantage in plain)}," in answer
    assert f"With lambda 0.95, start from the end: {traced[2]:.1f}; then" in answer
    assert f"= {traced[1]:.2f}; then" in answer
    assert f"= {traced[0]:.3f}." in answer


def test_gradient_of_the_two_logits() -> None:
    answer = questions()["policy_gradient_theorem"].rungs[2].answer
    logits = torch.zeros(2, requires_grad=True)

    left, up = torch.sigmoid(logits)
    (left * up * 4 + (1 - left) * 1).backward()

    assert logits.grad is not None
    assert f"So the gradient is ({logits.grad[0]:.2f}, {logits.grad[1]:.1f})" in answer


def test_score_of_the_softmax_times_the_reward_to_go() -> None:
    answer = questions()["reinforce"].rungs[2].answer
    logits = torch.tensor([0.5, 0.3, 0.2]).log().requires_grad_()

    (score,) = torch.autograd.grad(logits.log_softmax(0)[1], logits)

    assert f"({', '.join(f'{entry:.1f}' for entry in score.tolist())})" in answer
    assert f"({', '.join(f'{entry:.1f}' for entry in (2 * score).tolist())})" in answer


def test_division_weighs_a_prompt_least_at_one_half() -> None:
    answer = questions()["advantage_and_baseline"].rungs[3].answer

    rates = [count / 100 for count in range(1, 100)]
    least = min(rates, key=lambda rate: 1 / (rate * (1 - rate)) ** 0.5)

    assert least == 1 / 2
    assert "very easy and very hard prompts get more weight than those with p near 1/2" in answer


def test_own_reward_in_the_mean_scales_the_gradient() -> None:
    answer = questions()["advantage_and_baseline"].rungs[2].answer
    group, rate = 8, 0.95

    # d/dp of an answer's log-probability is 1/p for a right one and -1/(1 - p) for a wrong one; the others' mean is p.
    scaled = sum(
        chance * slope * (reward - (reward + (group - 1) * rate) / group)
        for chance, slope, reward in [(rate, 1 / rate, 1), (1 - rate, -1 / (1 - rate), 0)]
    )

    assert f"by (G-1)/G = {round(scaled * group)}/{group}." in answer
