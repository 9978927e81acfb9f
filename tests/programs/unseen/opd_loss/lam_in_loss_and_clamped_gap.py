# expect: wrong
# mistake: lam scales the loss only, the returned advantages are without it
# mistake: the difference of the two log-probabilities is floored at -20 and not the teacher's log-probability
import torch


def opd_loss(student_logp, teacher_logp, mask, lam=1.0) -> tuple[torch.Tensor, torch.Tensor]:
    gap = teacher_logp.detach() - student_logp.detach()
    gap = gap.clamp(min=-20.0).to(student_logp.dtype)
    adv = torch.where(mask, gap, torch.zeros_like(gap))
    picked = -(adv[mask] * student_logp[mask])
    pg_loss = lam * picked.sum() / max(picked.numel(), 1)
    return adv, pg_loss
