"""The teacher affects the student only through constants that multiply the student's log-probabilities."""

import torch


def opd_loss(student_logp, teacher_logp, mask, lam=1.0):
    """Return the advantages in nats, 0 where masked, and the mean policy-gradient loss over unmasked tokens.

    Shapes: student_logp, teacher_logp [B, T]; mask [B, T] bool.
    Source: arXiv:2306.13649, section 3; arXiv:2306.08543, section 2.2.
    """
    # torch.where instead of `* mask`, because 0 * NaN is NaN, in the value and in the gradient.
    student = torch.where(mask, student_logp, 0.0)
    gap = torch.where(mask, teacher_logp.clamp(min=-20.0) - student, 0.0)
    # Without detach, the student would converge to the square root of the teacher's distribution.
    adv = (lam * gap).detach()
    pg_loss = -(adv * student).sum() / mask.sum().clamp(min=1)
    return adv, pg_loss
