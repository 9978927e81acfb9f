import torch


def opd_loss(student_logp, teacher_logp, mask, lam=1.0):
    student = student_logp.masked_fill(~mask, 0.0)
    teacher = teacher_logp.detach().masked_fill(~mask, 0.0).clamp(min=-20.0)
    adv = lam * (teacher - student.detach()).clamp(-5.0, 5.0)
    pg_loss = -(adv * student).sum() / mask.sum().clamp(min=1)
    return adv, pg_loss
