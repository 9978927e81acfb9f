"""Everything stays in log space, so that a probability that underflows to 0 never meets an infinite logarithm."""

import math

import torch
import torch.nn.functional as F


def gkd_jsd(student_logits, teacher_logits, beta, mask, temperature=1.0):
    """Return the mean generalized Jensen-Shannon divergence over the unmasked positions, a 0-dim tensor.

    Shapes: student_logits, teacher_logits [B, T, V]; mask [B, T] bool.
    Units: nats.
    Source: arXiv:2306.13649, eq. 1.
    """
    chosen = teacher_logits.detach()[mask]
    is_removed = chosen == -torch.inf
    # 0 instead of -inf, because a difference of two infinities is NaN, in the value and in the gradient.
    student = F.log_softmax(student_logits[mask] / temperature, dim=1).masked_fill(is_removed, 0.0)
    teacher = F.log_softmax(chosen / temperature, dim=1).masked_fill(is_removed, 0.0)
    if beta == 0:
        terms = teacher.exp() * (teacher - student)
    elif beta == 1:
        terms = student.exp() * (student - teacher)
    else:
        mixture = torch.logaddexp(teacher + math.log(beta), student + math.log(1 - beta))
        terms = beta * teacher.exp() * (teacher - mixture) + (1 - beta) * student.exp() * (student - mixture)
    return terms.masked_fill(is_removed, 0.0).sum() / max(len(terms), 1)
