import torch


def opd_loss(student_logp, teacher_logp, mask, lam=1.0):
    student = student_logp.masked_fill(~mask, 0.0)
    teacher = teacher_logp.detach().masked_fill(~mask, 0.0).clamp(min=-20.0)
    adv = lam * (teacher - student.detach())
    loss = -adv * student
    lengths = mask.sum(1)
    per_row = loss.sum(1) / lengths.clamp(min=1)
    return adv, per_row.sum() / (lengths > 0).sum().clamp(min=1)
