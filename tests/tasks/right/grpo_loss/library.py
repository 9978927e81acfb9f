import torch
from torch.nn import functional as F


def grpo_loss(logp, old_logp, ref_logp, adv, mask, eps, beta):
    def one(new, old, ref, gain, keep):
        zero = torch.zeros_like(new)
        new = torch.where(keep, new, zero)
        ratio = torch.exp(new - torch.where(keep, old, zero))
        gain = torch.nan_to_num(gain)
        plain = -gain * ratio
        excess = F.relu(-gain * F.hardtanh(ratio, 1 - eps, 1 + eps) - plain)
        loss = plain + excess
        if ref is not None:
            gap = torch.where(keep, ref, zero) - new
            loss = loss + beta * (torch.expm1(gap) - gap)
        return torch.where(keep, loss, zero).sum() / keep.sum().clamp(min=1)

    refs = [None] * len(adv) if not beta else list(ref_logp.detach())
    rows = [one(*given) for given in zip(logp, old_logp.detach(), refs, adv.detach(), mask, strict=True)]
    return torch.stack(rows).sum() / mask.any(dim=1).sum().clamp(min=1)
