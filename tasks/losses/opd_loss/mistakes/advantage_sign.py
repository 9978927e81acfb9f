import torch


def opd_loss(student_logp, teacher_logp, mask, lam=1.0):
    new = student_logp[mask]
    with torch.no_grad():
        teacher = torch.clamp(teacher_logp[mask], min=-20.0)
        reverse_kl = new - teacher
        token_adv = lam * reverse_kl
        adv = torch.zeros_like(student_logp)
        adv[mask] = token_adv
    pg_loss = -(token_adv * new).sum() / max(new.numel(), 1)
    return adv, pg_loss
