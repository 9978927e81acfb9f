# expect: wrong
# mistake: the advantage of a token is the sum of the differences from it to the end of the row, so it knows of later tokens
import torch


def opd_loss(student_logp, teacher_logp, mask, lam=1.0) -> tuple[torch.Tensor, torch.Tensor]:
    s = torch.where(mask, student_logp, torch.zeros_like(student_logp))
    with torch.no_grad():
        t = torch.where(mask, teacher_logp.to(s.dtype), torch.zeros_like(s)).clamp(min=-20.0)
        reward = lam * (t - s)
        togo = reward.flip(-1).cumsum(-1).flip(-1)
        adv = torch.where(mask, togo, torch.zeros_like(togo))
    loss = -(adv * s).sum() / mask.sum().clamp(min=1)
    return adv, loss
