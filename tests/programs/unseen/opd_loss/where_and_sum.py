# expect: right
import torch


def opd_loss(student_logp, teacher_logp, mask, lam=1.0) -> tuple[torch.Tensor, torch.Tensor]:
    zero = student_logp.new_zeros(())
    logp = torch.where(mask, student_logp, zero)
    with torch.no_grad():
        teacher = torch.where(mask, teacher_logp.to(student_logp.dtype), zero).clamp(min=-20.0)
        adv = lam * (teacher - logp)
        adv = torch.where(mask, adv, zero)
    n = mask.sum().clamp(min=1)
    pg_loss = -(adv * logp).sum() / n
    return adv, pg_loss
