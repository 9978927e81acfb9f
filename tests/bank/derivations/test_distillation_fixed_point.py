"""If the advantage is not detached, the fixed point of on-policy distillation depends on the form of the loss."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

pytestmark = pytest.mark.content

TEACHER = torch.tensor([0.5, 0.3, 0.2], dtype=torch.float64)
STUDENT = torch.tensor([1.1, -0.3, 0.4], dtype=torch.float64)

Loss = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""Maps the student's log-probs, and a detached copy of them, to a loss for each token that can be sampled."""


def excess(logprobs: torch.Tensor) -> torch.Tensor:
    """Return log pi_S - log pi_T for each token; the advantage is its negative."""
    return logprobs - TEACHER.log()


def score_loss(logprobs: torch.Tensor, old: torch.Tensor) -> torch.Tensor:
    """Return -A * log pi, with the advantage not detached."""
    return excess(logprobs) * logprobs


def ratio_loss(logprobs: torch.Tensor, old: torch.Tensor) -> torch.Tensor:
    """Return -A * pi / pi_old, with the advantage not detached."""
    return excess(logprobs) * (logprobs - old).exp()


def detached_ratio_loss(logprobs: torch.Tensor, old: torch.Tensor) -> torch.Tensor:
    """Return -A * pi / pi_old, with the advantage detached."""
    return excess(logprobs).detach() * (logprobs - old).exp()


def sampled_log_ratio(logprobs: torch.Tensor, old: torch.Tensor) -> torch.Tensor:
    """Return the sampled log-ratio itself."""
    return excess(logprobs)


def gradients(loss: Loss, logits: torch.Tensor) -> torch.Tensor:
    """Return each sampled token's gradient, one row per token."""
    at = logits.clone().requires_grad_()
    logprobs = at.log_softmax(0)
    each = loss(logprobs, logprobs.detach())
    return torch.stack([torch.autograd.grad(one, at, retain_graph=True)[0] for one in each])


def expected(loss: Loss, logits: torch.Tensor) -> torch.Tensor:
    """Return the mean gradient over tokens that the student samples."""
    return logits.softmax(0) @ gradients(loss, logits)


def variance(loss: Loss, logits: torch.Tensor) -> float:
    """Return the variance of the sampled gradient, summed over the logits."""
    off = gradients(loss, logits) - expected(loss, logits)
    return float(logits.softmax(0) @ (off**2).sum(1))


def end(loss: Loss) -> torch.Tensor:
    """Return the student's distribution after many small steps along the expected gradient."""
    logits = STUDENT.clone()
    for _ in range(600):
        logits -= 0.3 * expected(loss, logits)
    return logits.softmax(0)


def test_with_the_score_loss_the_student_ends_at_the_square_root_of_the_teacher() -> None:
    root = TEACHER.sqrt() / TEACHER.sqrt().sum()

    torch.testing.assert_close(end(score_loss), root, atol=1e-6, rtol=0)
    torch.testing.assert_close(root, (TEACHER.log() / 2).softmax(0))
    assert not torch.allclose(root, TEACHER, atol=0.05)


def test_with_a_ratio_loss_it_ends_at_the_teacher_and_only_the_noise_grows() -> None:
    torch.testing.assert_close(end(ratio_loss), TEACHER, atol=1e-6, rtol=0)
    torch.testing.assert_close(expected(ratio_loss, STUDENT), expected(detached_ratio_loss, STUDENT))
    near_teacher = TEACHER.log()
    assert variance(detached_ratio_loss, near_teacher) < 1e-12
    assert variance(ratio_loss, near_teacher) > 0.1


def test_the_detached_advantage_gives_the_gradient_of_the_reverse_kl_which_the_direct_form_gives_without_noise() -> (
    None
):
    def of_divergence(*, is_reverse: bool) -> torch.Tensor:
        at = STUDENT.clone().requires_grad_()
        student, teacher = at.log_softmax(0), TEACHER.log()
        first, second = (student, teacher) if is_reverse else (teacher, student)
        return torch.autograd.grad((first.exp() * (first - second)).sum(), at)[0]

    torch.testing.assert_close(expected(detached_ratio_loss, STUDENT), of_divergence(is_reverse=True))
    assert not torch.allclose(expected(detached_ratio_loss, STUDENT), of_divergence(is_reverse=False), atol=1e-2)
    assert variance(detached_ratio_loss, STUDENT) > 0.05


def test_the_sampled_log_ratio_as_the_loss_moves_nothing_on_average() -> None:
    torch.testing.assert_close(expected(sampled_log_ratio, STUDENT), torch.zeros(3, dtype=torch.float64))
    assert variance(sampled_log_ratio, STUDENT) > 0.1
