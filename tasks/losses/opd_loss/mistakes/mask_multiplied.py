import torch


def opd_loss(student_logp, teacher_logp, mask, lam=1.0):
    m = mask.to(student_logp.dtype)
    adv = lam * (teacher_logp.clamp(min=-20.0) - student_logp).detach() * m
    pg_loss = -(adv * student_logp * m).sum() / m.sum().clamp(min=1)
    return adv, pg_loss
