# expect: wrong
# mistake: the student's log-probabilities are floored at -20 too
import torch


def _floor(logp, mask):
    return torch.where(mask, logp, torch.zeros_like(logp)).clamp(min=-20.0)


def opd_loss(student_logp, teacher_logp, mask, lam=1.0) -> tuple[torch.Tensor, torch.Tensor]:
    student = _floor(student_logp, mask)
    teacher = _floor(teacher_logp.detach(), mask).to(student.dtype)
    adv = lam * (teacher - student.detach())
    n = max(int(mask.sum()), 1)
    return adv, -(adv * student).sum() / n
