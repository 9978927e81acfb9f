# expect: wrong
# mistake: the loss is averaged over the tokens of each row first and then over the rows
import torch


def opd_loss(student_logp, teacher_logp, mask, lam=1.0) -> tuple[torch.Tensor, torch.Tensor]:
    B, T = student_logp.shape
    adv = torch.zeros_like(student_logp, requires_grad=False)
    losses = []
    for b in range(B):
        m = mask[b]
        if not m.any():
            continue
        s = student_logp[b][m]
        t = teacher_logp[b][m].detach().to(s.dtype).clamp(min=-20.0)
        a = lam * (t - s.detach())
        adv[b, m] = a
        losses.append(-(a * s).mean())
    if not losses:
        return adv, student_logp[mask].sum()
    return adv, torch.stack(losses).mean()
