import torch


def opd_loss(student_logp, teacher_logp, mask, lam=1.0):
    shape = mask.shape
    student_logp, teacher_logp, mask = (x.view(-1) for x in (student_logp, teacher_logp, mask))
    student = student_logp.masked_fill(~mask, 0.0)
    teacher = teacher_logp.detach().masked_fill(~mask, 0.0).clamp(min=-20.0)
    adv = lam * (teacher - student.detach())
    pg_loss = -(adv * student).sum() / mask.sum().clamp(min=1)
    return adv.view(shape), pg_loss
