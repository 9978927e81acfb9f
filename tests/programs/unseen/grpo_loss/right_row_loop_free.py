# expect: right
import torch


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta):
    def clean(t):
        return torch.where(mask, t, torch.zeros_like(t))

    has = mask.any(dim=1)
    lp = clean(logp)
    old = clean(old_logp.detach())
    a = torch.where(has, adv.detach(), torch.zeros_like(adv)).unsqueeze(1)

    ratio = torch.exp(lp - old)
    token = -torch.minimum(ratio * a, ratio.clamp(1 - eps, 1 + eps) * a)
    if beta != 0:
        d = clean(ref_logp.detach()) - lp
        token = token + beta * (torch.expm1(d) - d)
    token = clean(token)

    row = token.sum(dim=1) / mask.sum(dim=1).clamp(min=1)
    return row.sum() / has.sum().clamp(min=1)
