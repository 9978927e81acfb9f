"""What the answers on RL systems say about reductions, shapes and transfers is confirmed by running code."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from interviewer.bank.load import QUESTIONS, read_questions
from interviewer.session.question import Question

pytestmark = pytest.mark.content

RANKS = 4


def question(name: str) -> Question:
    return next(question for question in read_questions(QUESTIONS)[0] if question.id == name)


def plain(losses: list[Tensor]) -> list[Tensor]:
    """Return the sum on every rank, as dist.all_reduce leaves it: autograd knows nothing of the other ranks."""
    return [loss + (sum(losses) - loss).detach() for loss in losses]


def plain_divided(losses: list[Tensor]) -> list[Tensor]:
    return [loss / RANKS for loss in plain(losses)]


def differentiable(losses: list[Tensor]) -> list[Tensor]:
    return [torch.stack(losses).sum() for _ in losses]


def differentiable_divided(losses: list[Tensor]) -> list[Tensor]:
    return [loss / RANKS for loss in differentiable(losses)]


@pytest.mark.parametrize(
    ("reduce", "factor", "stated"),
    [
        (plain, 1, "With the plain sum, the factor is 1,"),
        (plain_divided, 1 / 16, "1/W^2 = 1/16"),
        (differentiable, 16, "W^2 = 16 times too large"),
        (differentiable_divided, 1, "with a division each time, the factor would be 1 again"),
    ],
)
def test_two_reductions_of_the_loss_scale_the_gradient_as_the_answer_says(
    reduce: Callable[[list[Tensor]], list[Tensor]], factor: float, stated: str
) -> None:
    assert stated in question("loss_all_reduced_twice").rungs[2].answer
    weight = torch.tensor(1.0, requires_grad=True, dtype=torch.float64)
    slopes = [1.0, 2.0, -5.0, 10.0]
    losses = reduce(reduce([slope * weight for slope in slopes]))
    # Every rank calls backward; DDP then averages the gradients.
    torch.autograd.backward(list(losses))
    assert weight.grad is not None
    assert weight.grad.item() / RANKS == pytest.approx(factor * sum(slopes) / RANKS)


def test_a_mean_of_rank_means_is_off_as_the_answer_says() -> None:
    assert (
        "10 tokens with mean loss 1 and 90 with mean loss 2 would give 1.5 instead of 1.9"
        in question("loss_all_reduced_twice").rungs[4].answer
    )
    ranks = [torch.full((10,), 1.0), torch.full((90,), 2.0)]
    assert torch.stack([loss.mean() for loss in ranks]).mean() == pytest.approx(1.5)
    assert torch.cat(ranks).mean() == pytest.approx(1.9)


def test_a_column_minus_a_row_is_averaged_over_as_many_numbers_as_the_answer_says() -> None:
    assert "broadcasts to [4, 4]: 16 numbers" in question("glue_between_rollout_and_trainer").rungs[2].answer
    ratio = torch.exp(torch.zeros(4, 1) - torch.zeros(4)) * torch.ones(4)
    assert ratio.numel() == 16


def test_stored_in_bf16_a_log_prob_near_minus_12_is_off_by_as_much_as_the_answer_says() -> None:
    assert "0.0625 apart, so the error is up to 0.031" in question("glue_between_rollout_and_trainer").rungs[3].answer
    log_probs = torch.linspace(-13, -11, 4097, dtype=torch.float64)
    errors = (log_probs.bfloat16().double() - log_probs).abs()
    assert errors.max().item() == pytest.approx(2**-5)


def test_buckets_through_three_stages_take_as_long_as_the_answer_says() -> None:
    assert "so 1.615 s" in question("weight_sync").rungs[2].answer
    free_at = [0.0, 0.0, 0.0]
    for _ in range(128):
        done = 0.0
        for stage, seconds in enumerate((0.010, 0.005, 0.0125)):
            done = free_at[stage] = max(done, free_at[stage]) + seconds
    assert free_at[-1] == pytest.approx(1.615)


def test_a_sample_one_version_old_is_as_many_optimizer_steps_old_as_the_answer_says() -> None:
    answer = question("staleness_in_async_rl").rungs[0].answer
    assert "a sample that is one version old is 4 to 7 optimizer steps old" in answer
    published = [step for step in range(20) if step % 4 == 0]
    trained = [(step, max(at for at in published if at <= step)) for step in range(8, 20)]
    lags = {step - (version - 4) for step, version in trained}
    assert lags == {4, 5, 6, 7}
