import torch


def opd_loss(student_logp, teacher_logp, mask, lam=1.0):
    adv = lam * (teacher_logp.clamp(min=-20.0) - student_logp).detach() * mask
    return adv, -(adv * student_logp * mask).sum() / mask.sum()
